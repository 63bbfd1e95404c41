import {
  bodyWriter,
  type SampleLanguage,
  type SampleRequest,
} from "../../reference/samples/languages/sample-request.js";
import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { savedTitles, saveTitle } from "../storage.js";
import { copyButton, indexSelect, saveFile } from "./form/elements.js";
import { box, button, panel } from "./form/field.js";
import { say } from "./messages.js";

/** Shows the request as code while the form is filled in. @param languages the first is the default. */
export function createSamplePanel(form: { id(): string }, languages: readonly SampleLanguage[]) {
  // The languages that the reader has chosen in the samples of pages.
  const preferred = savedTitles();
  const titles = languages.map(({ name }) => name);
  let language = languages[titles.indexOf(preferred.find((title) => titles.includes(title)) ?? "")] ?? languages[0]!;
  let latest: { readonly shown: SampleRequest; readonly unmasked: () => SampleRequest } | undefined;
  const code = create("code");
  const update = (): void => {
    if (latest) code.replaceChildren(...highlightCode(language.write(latest.shown)));
  };
  const attributes = { class: "playground-choice", "aria-label": say("request") };
  const select = indexSelect(attributes, titles, languages.indexOf(language), (index) => {
    language = languages[index]!;
    saveTitle(language.name);
    update();
  });
  const exported = (): SampleRequest | undefined => (withSecrets.checked ? latest?.unmasked() : latest?.shown);
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
    /** @param shown the request with masked secrets. @param unmasked the request as it is sent. */
    show(shown: SampleRequest, unmasked: () => SampleRequest): void {
      latest = { shown, unmasked };
      const urlAndHeaders = ({ url, headers }: SampleRequest): string => JSON.stringify([url, headers]);
      choice.hidden = urlAndHeaders(shown) === urlAndHeaders(unmasked());
      update();
    },
  };
}

const highlighted =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<![\w-])(--[\w-]+|-[A-Z]\b)|\b(\d+(?:\.\d+)?|true|false|null)\b/g;

/** Longer texts are not highlighted. */
const maxLength = 20_000;

/** Highlights strings, numbers and command-line options in code of any language. */
function highlightCode(text: string): Node[] {
  if (text.length > maxLength) return [document.createTextNode(text)];
  const nodes: Node[] = [];
  let at = 0;
  for (const match of text.matchAll(highlighted)) {
    nodes.push(document.createTextNode(text.slice(at, match.index)));
    const kind = match[1] !== undefined ? "string" : match[2] !== undefined ? "option" : "number";
    nodes.push(create("span", { "data-kind": kind }, match[0]));
    at = match.index + match[0].length;
  }
  nodes.push(document.createTextNode(text.slice(at)));
  return nodes;
}

const unknown = { httpVersion: "HTTP/1.1", cookies: [], headersSize: -1, bodySize: -1 };
const named = ([name, value]: readonly [string, string]) => ({ name, value });

/** The request as an HTTP archive (HAR 1.2) for HTTP tools. It has an empty response, since nothing was sent. */
export const har: SampleLanguage = {
  name: "HAR",
  keys: [],
  grammar: "json",
  write({ method, url, headers, body }) {
    const request = {
      ...unknown,
      method,
      url,
      headers: headers.map(named),
      queryString: [...new URLSearchParams(url.split(/\?(.*)/s)[1] ?? "")].map(named),
      postData: body && { mimeType: contentTypeOf(headers, body.kind), ...postData(body) },
    };
    const response = {
      ...unknown,
      status: 0,
      statusText: "",
      headers: [],
      content: { size: 0, mimeType: "" },
      redirectURL: "",
    };
    const entry = {
      startedDateTime: new Date().toISOString(),
      time: 0,
      request,
      response,
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
    };
    const log = { version: "1.2", creator: { name: "Offprint", version: "1" }, entries: [entry] };
    return JSON.stringify({ log }, undefined, 2);
  },
};

const contentTypeOf = (headers: SampleRequest["headers"], kind: string): string =>
  headers.find(([name]) => /^content-type$/i.test(name))?.[1] ??
  (kind === "multipart" ? "multipart/form-data" : "application/octet-stream");

const postData = bodyWriter<object>({
  json: ({ text }) => ({ text }),
  text: ({ text }) => ({ text }),
  form: ({ fields }) => ({ params: fields.map(named) }),
  multipart: ({ parts }) => ({
    params: parts.map(({ name, value, isFile, contentType }) => ({
      name,
      ...(isFile ? { fileName: value } : { value }),
      contentType,
    })),
  }),
  file: () => ({ text: "" }),
});
