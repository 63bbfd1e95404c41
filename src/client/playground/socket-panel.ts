import type { FormMessage } from "../../page/reference/playground/playground-form.js";
import { create } from "../dom.js";
import { urlOf } from "./address.js";
import { jsonEditor } from "./body-editor.js";
import type { FormContext } from "./control.js";
import { button, createField } from "./field.js";
import { jsonView } from "./json-view.js";
import { say, sayWith } from "./say.js";
import { section } from "./section.js";
import { parseJson } from "./value.js";

/** Where a WebSocket is opened, and what its handshake carries. */
export interface SocketTarget {
  readonly url: string;
  readonly protocols: readonly string[];
}

/** What is sent over a channel, and what passed on it. */
export interface SocketPanel {
  /** Stands in the form. */
  readonly composer: HTMLElement;
  /** Stands beside it. */
  readonly log: HTMLElement;
  readonly isOpen: () => boolean;
  open(target: SocketTarget): void;
  close(): void;
}

/** More would make the page slow; the oldest go first. */
const maxEntries = 500;
const maxShownLength = 50_000;

/** @param onState called whenever the connection opens or closes. */
export function createSocketPanel(
  form: FormContext,
  messages: readonly FormMessage[],
  onState: (state: "connecting" | "open" | "closed") => void,
): SocketPanel {
  let socket: WebSocket | undefined;
  let start = 0;
  const list = create("div", { class: "playground-log", role: "log", "aria-label": say("messages"), tabindex: "0" });
  const empty = create("p", { class: "playground-empty" }, say("notConnected"));
  const state = create("span", { class: "playground-status", role: "status" }, say("notConnected"));
  const clear = button("playground-quiet", say("clear"), () => {
    list.replaceChildren();
    empty.hidden = false;
  });
  const head = create("div", { class: "playground-panel-head" }, create("h3", {}, say("messages")), state, clear);

  const setState = (kind: "connecting" | "open" | "closed"): void => {
    state.textContent = say(kind === "open" ? "connected" : kind === "connecting" ? "connecting" : "notConnected");
    state.dataset.status = kind === "open" ? "2" : kind === "connecting" ? "3" : "";
    send.disabled = kind !== "open";
    onState(kind);
  };
  const note = (kind: "sent" | "received" | "note", text: string): void => {
    empty.hidden = true;
    const time = `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const word = kind === "note" ? text : say(kind);
    const about = create("div", { class: "playground-log-about" }, create("span", {}, word), create("span", {}, time));
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    list.append(create("div", { "data-kind": kind }, about, ...(kind === "note" ? [] : [messageView(text)])));
    while (list.children.length > maxEntries) list.firstElementChild!.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  };

  const choices = [...messages, { title: say("freeText"), schema: -1 } as FormMessage];
  const editors = new Map<number, { readonly element: HTMLElement; text(): string | undefined }>();
  let chosen = 0;
  const place = create("div", { class: "playground-items" });
  const editor = () => {
    const known = editors.get(chosen);
    if (known) return known;
    const made = composerFor(form, choices[chosen]!);
    editors.set(chosen, made);
    return made;
  };
  const select = create("select", { class: "playground-input", "aria-label": say("message") });
  choices.forEach(({ title }, index) => {
    select.append(create("option", { value: String(index) }, title));
  });
  select.addEventListener("change", () => {
    chosen = Number(select.value);
    place.replaceChildren(editor().element);
  });
  place.replaceChildren(editor().element);
  const send = button("playground-send", say("send"), () => {
    const text = editor().text();
    if (text === undefined || socket?.readyState !== WebSocket.OPEN) return;
    socket.send(text);
    note("sent", text);
  });
  send.disabled = true;

  const close = (): void => {
    socket?.close();
  };
  return {
    composer: section(form, say("message"), select, place, send),
    log: create(
      "section",
      { class: "playground-panel playground-answer", "aria-label": say("messages") },
      head,
      empty,
      list,
    ),
    isOpen: () => socket !== undefined,
    close,
    open({ url, protocols }) {
      start = performance.now();
      let opened: WebSocket;
      try {
        opened = protocols.length > 0 ? new WebSocket(url, [...protocols]) : new WebSocket(url);
      } catch (error) {
        note("note", sayWith("browserRefuses", error instanceof Error ? error.message : String(error)));
        return;
      }
      socket = opened;
      opened.binaryType = "arraybuffer";
      setState("connecting");
      let wasOpen = false;
      opened.onopen = () => {
        wasOpen = true;
        setState("open");
        note("note", `${say("connected")}: ${hidden(url)}`);
      };
      opened.onmessage = ({ data }: MessageEvent<unknown>) => {
        note("received", typeof data === "string" ? data : `${(data as ArrayBuffer).byteLength} B`);
      };
      opened.onclose = ({ code, reason }) => {
        const why = reason === "" ? String(code) : `${code} ${reason}`;
        note("note", wasOpen ? sayWith("connectionClosed", why) : sayWith("connectionFailed", urlOf(url).host));
        socket = undefined;
        setState("closed");
      };
    },
  };
}

function messageView(text: string): HTMLElement {
  const parsed = text.length > maxShownLength ? { reason: "" } : parseJson(text);
  if ("value" in parsed && typeof parsed.value === "object" && parsed.value !== null) return jsonView(parsed.value);
  return create("pre", { dir: "auto" }, text.slice(0, maxShownLength));
}

/** Without a query, in which there may be a key. */
const hidden = (url: string): string => url.split("?")[0]!;

function composerFor(
  form: FormContext,
  { schema, example }: FormMessage,
): { readonly element: HTMLElement; text(): string | undefined } {
  if (schema < 0) {
    const area = create("textarea", {
      class: "playground-input playground-code",
      dir: "ltr",
      rows: "4",
      spellcheck: "false",
    });
    return {
      element: createField(form, { required: true, depth: 0 }, say("freeText"), area).element,
      text: () => area.value,
    };
  }
  const editor = jsonEditor(form, { type: "application/json", schema }, true);
  if (example !== undefined) editor.fill?.(example);
  const bar = create("div", { class: "playground-tools" }, ...(editor.switch ? [editor.switch] : []));
  return {
    element: create("div", { class: "playground-items" }, bar, editor.element),
    text() {
      const [fault] = editor.check(true);
      fault?.focus();
      const draft = editor.draft();
      return fault === undefined && draft?.kind === "json" ? draft.text : undefined;
    },
  };
}
