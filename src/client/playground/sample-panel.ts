import { sampleLanguage, usualLanguages } from "../../page/reference/samples/index.js";
import type { SampleLanguage, SampleRequest } from "../../page/reference/samples/sample-request.js";
import { copy } from "../copy.js";
import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { savedTitles, saveTitle } from "../saved-titles.js";
import { button } from "./field.js";
import { paintCode } from "./paint-code.js";
import { say } from "./say.js";

/** The request as a program, kept up to date while the form is filled in. */
export interface SamplePanel {
  readonly element: HTMLElement;
  /** @param shown secrets hidden. @param whole what is copied. */
  show(shown: SampleRequest, whole: () => SampleRequest): void;
}

export const curl: SampleLanguage = sampleLanguage("curl")!;

/** @param wanted keys of languages as the site asks for them. */
export function createSamplePanel(wanted: readonly string[]): SamplePanel {
  const asked = wanted.map(sampleLanguage).filter((language) => language !== undefined);
  const languages = [...new Set([curl, ...(asked.length > 0 ? asked : usualLanguages)])];
  // The language that samples of pages are read in.
  const preferred = savedTitles();
  const titles = languages.map(({ name }) => name);
  let language = languages[titles.indexOf(preferred.find((title) => titles.includes(title)) ?? "")] ?? curl;
  let latest: { readonly shown: SampleRequest; readonly whole: () => SampleRequest } | undefined;
  const code = create("code");
  const update = (): void => {
    if (latest) code.replaceChildren(...paintCode(language.write(latest.shown)));
  };
  const select = create("select", { class: "playground-choice", "aria-label": say("request") });
  languages.forEach(({ name }, index) => {
    select.append(create("option", { value: String(index) }, name));
  });
  select.value = String(languages.indexOf(language));
  select.addEventListener("change", () => {
    language = languages[Number(select.value)]!;
    saveTitle(language.name);
    update();
  });
  const copier: HTMLElement = button(
    "playground-icon",
    say("copy"),
    () => latest && copy(language.write(latest.whole()), copier),
    drawing(outlines.copy),
  );
  const head = create("div", { class: "playground-panel-head" }, create("h3", {}, say("request")), select, copier);
  const pre = create("pre", { class: "playground-sample", tabindex: "0", dir: "ltr" }, code);
  return {
    element: create("section", { class: "playground-panel", "aria-label": say("request") }, head, pre),
    show(shown, whole) {
      latest = { shown, whole };
      update();
    },
  };
}
