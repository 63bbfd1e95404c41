import type { SampleLanguage, SampleRequest } from "../../reference/samples/languages/sample-request.js";
import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { savedTitles, saveTitle } from "../saved-titles.js";
import { box, button, panel } from "./field.js";
import { har } from "./har.js";
import { copyButton, indexSelect } from "./inputs.js";
import { paintCode } from "./paint-code.js";
import { saveFile } from "./save-file.js";
import { say } from "./say.js";

/** The request as code, updated while the form is filled in. @param languages the first is the default. */
export function createSamplePanel(form: { id(): string }, languages: readonly SampleLanguage[]) {
  // The language that the reader has chosen in the samples of pages.
  const preferred = savedTitles();
  const titles = languages.map(({ name }) => name);
  let language = languages[titles.indexOf(preferred.find((title) => titles.includes(title)) ?? "")] ?? languages[0]!;
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
  const exported = (): SampleRequest | undefined => (withSecrets.checked ? latest?.whole() : latest?.shown);
  const text = (): string => (latest ? language.write(exported()!) : "");
  const save = button(
    "playground-icon",
    `${say("download")}: ${say("request")}`,
    () => saveFile(text(), "text/plain", `request.${language === har ? "har" : "txt"}`),
    drawing(outlines.download),
  );
  const withSecrets = create("input", { type: "checkbox", id: form.id() });
  const choice = box(
    "playground-memory",
    withSecrets,
    create("label", { for: withSecrets.id }, say("withCredentials")),
  );
  const pre = create("pre", { class: "playground-sample", tabindex: "0", dir: "ltr" }, code);
  return {
    element: panel("playground-panel", say("request"), [select, copyButton(text), save], pre, choice),
    /** The request as readers copy it: credentials are masked unless they ask for them. */
    exported,
    /** @param shown with masked secrets. @param whole the request as it is sent. */
    show(shown: SampleRequest, whole: () => SampleRequest): void {
      latest = { shown, whole };
      const partsOf = ({ url, headers }: SampleRequest): string => JSON.stringify([url, headers]);
      choice.hidden = partsOf(shown) === partsOf(whole());
      update();
    },
  };
}
