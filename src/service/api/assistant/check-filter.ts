import { quoted } from "../../../lib/diagnostic/index.js";
import type { SiteFilter, SiteIndex } from "../../assistant/index.js";
import { ApiError } from "../api-error.js";

type Filter = { readonly version?: string | null; readonly language?: string | null } | null | undefined;

/** @throws {ApiError} 400 if the filter names a version or language that the site does not have. */
export function checkFilter(filter: Filter, { versions, languages }: SiteIndex): SiteFilter | undefined {
  const version = known("version", filter?.version, versions);
  const language = known("language", filter?.language, languages);
  if (version === undefined && language === undefined) return undefined;
  return { ...(version === undefined ? {} : { version }), ...(language === undefined ? {} : { language }) };
}

function known(name: string, wanted: string | null | undefined, values: readonly string[]): string | undefined {
  if (wanted === undefined || wanted === null) return undefined;
  if (values.includes(wanted)) return wanted;
  const list = values.length === 0 ? `The site has no ${name}s.` : `The site has ${values.slice(0, 20).join(", ")}.`;
  throw new ApiError(400, `"filter.${name}" is ${quoted(wanted)}. ${list}`);
}
