import { sampleLanguage, usualLanguages } from "../../reference/samples/languages/index.js";
import type { SampleLanguage } from "../../reference/samples/languages/sample-request.js";
import { har } from "./har.js";

export const curl: SampleLanguage = sampleLanguage("curl")!;

/** The languages of a request. @param keys those that the site sets. */
export function languagesOf(keys: readonly string[]): readonly SampleLanguage[] {
  const own = keys.map(sampleLanguage).filter((language) => language !== undefined);
  return [...new Set([curl, ...(own.length > 0 ? own : usualLanguages), sampleLanguage("javascript")!, har])];
}
