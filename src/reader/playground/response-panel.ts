import { attempt } from "../../lib/attempt.js";
import type { Json } from "../../lib/json/json.js";
import { create } from "../dom.js";
import { parseJson } from "./form/control.js";
import { copyButton, createSwitch, saveFile } from "./form/elements.js";
import { box, button, panel } from "./form/field.js";
import { jsonView } from "./json-view.js";
import { say, sayWith } from "./messages.js";
import type { Answer, Outcome } from "./send-request.js";
import { resolveUrl } from "./servers.js";

/** Shows the response, or why there is none. @param notesOf shown before a JSON body. */
export function createResponsePanel(notesOf?: (value: Json) => HTMLElement[]) {
  const content = box("playground-response");
  const status = create("div", { class: "visually-hidden", role: "status" });
  const facts = box("playground-facts");
  const element = panel("playground-panel playground-answer", say("response"), [facts], content, status);
  content.append(emptyNote(say("sendFirst")));
  return {
    element,
    showWaiting(): void {
      facts.replaceChildren();
      content.replaceChildren(create("div", { class: "playground-waiting", "aria-hidden": "true" }));
      status.textContent = say("sending");
    },
    /** Adds a chunk of a response that is still arriving. */
    showText(text: string): void {
      const existing = content.querySelector(".playground-text");
      const pre = existing ?? create("pre", { class: "playground-text", tabindex: "0", dir: "auto" });
      const atEnd = content.scrollTop + content.clientHeight >= content.scrollHeight - 4;
      if ((pre.textContent?.length ?? 0) < maxShownLength) pre.append(text);
      if (!existing) content.append(create("div", {}, pre));
      if (atEnd) content.scrollTop = content.scrollHeight;
    },
    /** @param copyRequest copies it as cURL. @param follow sends it again and follows redirects with credentials. */
    show(outcome: Outcome, address: string, copyRequest: (button: HTMLElement) => void, follow: () => void): void {
      if (outcome.kind === "answer") {
        const { answer } = outcome;
        facts.replaceChildren(...factsOf(answer));
        content.replaceChildren(...answerView(answer, notesOf));
        status.textContent = `${say("response")}: ${answer.status} ${answer.statusText}`;
        return;
      }
      facts.replaceChildren();
      const reasons = reasonsFor(outcome, address);
      const copier: HTMLElement = button("playground-quiet", say("copyCurl"), () => copyRequest(copier));
      copier.replaceChildren(create("span", "copy-label", say("copyCurl")));
      const title = create("p", "playground-failure-title", say("noAnswer"));
      const texts = reasons.map((text) => create("p", {}, text));
      const anyway = outcome.kind === "redirect" ? [button("playground-quiet", say("sendAnyway"), follow)] : [];
      const isCancelled = outcome.kind === "cancelled";
      content.replaceChildren(
        isCancelled ? emptyNote(say("cancelled")) : box("playground-failure", title, ...texts, copier, ...anyway),
      );
      status.textContent = isCancelled ? say("cancelled") : [say("noAnswer"), ...reasons].join(" ");
    },
  };
}

const emptyNote = (text: string): HTMLElement => create("p", "playground-empty", text);

export function reasonsFor(outcome: Outcome, address: string): string[] {
  const url = resolveUrl(address);
  switch (outcome.kind) {
    case "timeout":
      return [sayWith("tooLate", outcome.afterMs / 1000)];
    case "policy":
      return [sayWith("policyForbids", url.origin)];
    case "redirect":
      return [sayWith("redirected", outcome.forwarded.join(", "))];
    case "refused":
      return [sayWith("browserRefuses", outcome.reason)];
    default: {
      if (!navigator.onLine) return [say("offline")];
      const isMixed = location.protocol === "https:" && url.protocol === "http:";
      return isMixed ? [say("mixedContent")] : [sayWith("noCors", url.host)];
    }
  }
}

export function factsOf({ status, statusText, timeMs, bytes }: Answer): HTMLElement[] {
  const kind = String(status)[0]!;
  return [
    create("span", { class: "playground-status", "data-status": kind }, `${status} ${statusText}`.trim()),
    create("span", {}, timeMs < 1000 ? `${Math.round(timeMs)} ms` : `${(timeMs / 1000).toFixed(2)} s`),
    create("span", {}, formatBytes(bytes.length)),
  ];
}

const formatBytes = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1000).toFixed(1)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

/** The body and the headers, with a switch between them. */
export function answerView(answer: Answer, notesOf?: (value: Json) => HTMLElement[]): HTMLElement[] {
  const body = bodyView(answer, notesOf);
  const headers = headersView(answer);
  headers.hidden = true;
  const titles = [say("body"), `${say("headers")} (${answer.headers.length})`];
  const bar = createSwitch(say("response"), titles, (index) => {
    body.hidden = index !== 0;
    headers.hidden = index !== 1;
    return true;
  });
  return [box("playground-response-bar", bar, ...actionsFor(answer)), body, headers];
}

function headersView({ headers }: Answer): HTMLElement {
  const list = create("dl", "playground-headers");
  for (const [name, value] of headers) list.append(create("dt", {}, name), create("dd", {}, value));
  return create("div", {}, ...(headers.length > 0 ? [list] : []), create("p", "playground-note", say("headersHidden")));
}

/** Longer texts are cut, since browsers take seconds to lay them out. */
const maxShownLength = 300_000;

function bodyView(answer: Answer, notesOf?: (value: Json) => HTMLElement[]): HTMLElement {
  const { bytes, contentType } = answer;
  const type = contentType.split(";")[0]!.trim().toLowerCase();
  if (bytes.length === 0) return emptyNote(say("noBody"));
  if (/^(?:image|audio|video)\//.test(type)) return mediaView(answer, type);
  const text = decodedText(answer);
  if (text === undefined) return emptyNote(say("notShown"));
  const isJson = /\bjson\b/.test(type) || /^\s*[[{]/.test(text.slice(0, 20));
  const parsed = isJson && !answer.isCut && text.length < 8_000_000 ? parseJson(text) : { reason: "" };
  if ("value" in parsed)
    return create("div", {}, ...(notesOf?.(parsed.value) ?? []), jsonView(parsed.value, notesOf && 7));
  const shown = text.slice(0, maxShownLength);
  const pre = create("pre", { class: "playground-text", tabindex: "0", dir: "auto" }, shown);
  const isCut = shown.length < text.length || answer.isCut;
  return create(
    "div",
    {},
    pre,
    ...(isCut ? [create("p", "playground-note", sayWith("onlyFirst", formatBytes(shown.length)))] : []),
  );
}

/** Undefined if the bytes are not text. */
function decodedText({ bytes, contentType }: Answer): string | undefined {
  const charset = /charset=["']?([\w-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  const fatal = !/text|json|xml|javascript|form/i.test(contentType);
  return attempt(() => new TextDecoder(charset, { fatal }).decode(bytes));
}

/** Shows media as data URLs, which the content security policy of most sites allows for images; a note, if it fails. */
function mediaView(answer: Answer, type: string): HTMLElement {
  const kind = type.startsWith("image/") ? "img" : type.startsWith("audio/") ? "audio" : "video";
  const media = create(kind, { class: "playground-media", ...(kind === "img" ? { alt: type } : { controls: "" }) });
  const holder = create("div", {}, media);
  media.addEventListener("error", () => holder.replaceChildren(emptyNote(say("notShown"))));
  const reader = new FileReader();
  reader.onload = () => {
    media.src = String(reader.result);
  };
  reader.readAsDataURL(new Blob([answer.bytes], { type }));
  return holder;
}

function actionsFor(answer: Answer): HTMLElement[] {
  const { bytes, contentType } = answer;
  if (bytes.length === 0) return [];
  const type = contentType.split(";")[0]!.trim();
  const save = button("playground-quiet", say("download"), () =>
    saveFile(bytes, type, `response.${extensionOf(type)}`),
  );
  return /^(?:image|audio|video)\//.test(type) ? [save] : [save, copyButton(() => decodedText(answer) ?? "")];
}

const extensionOf = (type: string): string => {
  const name = type.split("/")[1]?.replace(/^.*\+/, "").replace(/^x-/, "") ?? "";
  return /^[a-z\d]{1,6}$/.test(name) ? (name === "plain" ? "txt" : name) : "bin";
};
