import { sampleLanguage, usualLanguages } from "../../page/reference/samples/index.js";
import type { SampleLanguage, SampleRequest } from "../../page/reference/samples/sample-request.js";
import { create } from "../dom.js";
import { savedTitles, saveTitle } from "../saved-titles.js";
import { panel } from "./field.js";
import { copyButton, indexSelect } from "./inputs.js";
import { paintCode } from "./paint-code.js";
import { say } from "./say.js";

export const curl: SampleLanguage = sampleLanguage("curl")!;

/** The request as code, updated while the form is filled in. @param keys languages that the site sets. */
export function createSamplePanel(keys: readonly string[]) {
  const own = keys.map(sampleLanguage).filter((language) => language !== undefined);
  const languages = [...new Set([curl, ...(own.length > 0 ? own : usualLanguages)])];
  // The language that the reader has chosen in the samples of pages.
  const preferred = savedTitles();
  const titles = languages.map(({ name }) => name);
  let language = languages[titles.indexOf(preferred.find((title) => titles.includes(title)) ?? "")] ?? curl;
  let latest: { readonly shown: SampleRequest; readonly whole: () => SampleRequest } | undefined;
  const code = create("code");
  const update = (): void => {
    if (latest) code.replaceChildren(...paintCode(language.write(latest.shown)));
  };
  const attributes = { class: "playground-choice", "aria-label": say("request") };
  const select = indexSelect(attributes, titles, languages.indexOf(language), (index) => {
    language = languages[index]!;
    saveTitle(language.name);
    update();
  });
  const copier = copyButton(() => (latest ? language.write(latest.whole()) : ""));
  const pre = create("pre", { class: "playground-sample", tabindex: "0", dir: "ltr" }, code);
  return {
    element: panel("playground-panel", say("request"), [select, copier], pre),
    /** @param shown with masked secrets. @param whole the request that is copied. */
    show(shown: SampleRequest, whole: () => SampleRequest): void {
      latest = { shown, whole };
      update();
    },
  };
}
