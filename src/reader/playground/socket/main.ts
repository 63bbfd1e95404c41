/** The connection to a channel, loaded with the playground on the pages of channels. */
import { createMemo } from "../../../lib/memo.js";
import type { FormMessage } from "../../../reference/forms/playground-form.js";
import type { PartTools } from "../dialog-frame.js";
import type { FormContext } from "../form/control.js";

export type CreateSocketPanel = typeof createSocketPanel;

window.offprintSocket = createSocketPanel;

/** The URL of a WebSocket and the subprotocols of its handshake. */
export interface SocketTarget {
  readonly url: string;
  readonly protocols: readonly string[];
}

/** Older entries are removed, to keep the page fast. */
const maxEntries = 500;
const maxShownLength = 50_000;

/** The messages of a channel: composer and log. @param onState called when the connection changes. */
function createSocketPanel(
  tools: PartTools,
  form: FormContext,
  messages: readonly FormMessage[],
  onState: (state: "connecting" | "open" | "closed") => void,
) {
  const { box, button, create, errorMessage, indexSelect, panel, resolveUrl, say, sayWith, section } = tools;
  let socket: WebSocket | undefined;
  let start = 0;
  const list = create("div", { class: "playground-log", role: "log", "aria-label": say("messages"), tabindex: "0" });
  const empty = create("p", "playground-empty", say("notConnected"));
  const state = create("span", { class: "playground-status", role: "status" }, say("notConnected"));
  const clear = button("playground-quiet", say("clear"), () => {
    list.replaceChildren();
    empty.hidden = false;
  });

  const setState = (kind: "connecting" | "open" | "closed"): void => {
    state.textContent = say(kind === "open" ? "connected" : kind === "connecting" ? "connecting" : "notConnected");
    state.dataset.status = kind === "open" ? "2" : kind === "connecting" ? "3" : "";
    send.disabled = kind !== "open";
    onState(kind);
  };
  const note = (kind: "sent" | "received" | "note", text: string): void => {
    empty.hidden = true;
    const time = `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const label = kind === "note" ? text : say(kind);
    const about = box("playground-log-about", create("span", {}, label), create("span", {}, time));
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    list.append(create("div", { "data-kind": kind }, about, ...(kind === "note" ? [] : [messageView(tools, text)])));
    while (list.children.length > maxEntries) list.firstElementChild!.remove();
    if (atEnd) list.scrollTop = list.scrollHeight;
  };

  const choices = [...messages, { title: say("freeText"), schema: -1 } as FormMessage];
  const editors = createMemo<ReturnType<typeof composerFor>>();
  let chosen = 0;
  const content = box("playground-items");
  const editor = () => editors(chosen, () => composerFor(tools, form, choices[chosen]!));
  const titles = choices.map(({ title }) => title);
  const select = indexSelect({ class: "playground-input", "aria-label": say("message") }, titles, 0, (index) => {
    chosen = index;
    content.replaceChildren(editor().element);
  });
  content.replaceChildren(editor().element);
  const send = button("playground-send", say("send"), () => {
    const text = editor().text();
    if (text === undefined || socket?.readyState !== WebSocket.OPEN) return;
    socket.send(text);
    note("sent", text);
  });
  send.disabled = true;

  return {
    composer: section(form, say("message"), select, content, send),
    log: panel("playground-panel playground-answer", say("messages"), [state, clear], empty, list),
    /** Shows the errors of the message. */
    check: () => editor().check(),
    isOpen: () => socket !== undefined,
    close: () => socket?.close(),
    open({ url, protocols }: SocketTarget): void {
      start = performance.now();
      let opened: WebSocket;
      try {
        opened = protocols.length > 0 ? new WebSocket(url, [...protocols]) : new WebSocket(url);
      } catch (error) {
        note("note", sayWith("browserRefuses", errorMessage(error)));
        return;
      }
      socket = opened;
      opened.binaryType = "arraybuffer";
      setState("connecting");
      let wasOpen = false;
      opened.onopen = () => {
        wasOpen = true;
        setState("open");
        note("note", `${say("connected")}: ${withoutQuery(url)}`);
      };
      opened.onmessage = ({ data }: MessageEvent<unknown>) => {
        note("received", typeof data === "string" ? data : `${(data as ArrayBuffer).byteLength} B`);
      };
      opened.onclose = ({ code, reason }) => {
        const why = reason === "" ? String(code) : `${code} ${reason}`;
        note("note", wasOpen ? sayWith("connectionClosed", why) : sayWith("connectionFailed", resolveUrl(url).host));
        socket = undefined;
        setState("closed");
      };
    },
  };
}

function messageView({ create, jsonView, parseJson }: PartTools, text: string): HTMLElement {
  const parsed = text.length > maxShownLength ? { reason: "" } : parseJson(text);
  if ("value" in parsed && typeof parsed.value === "object" && parsed.value !== null) return jsonView(parsed.value);
  return create("pre", { dir: "auto" }, text.slice(0, maxShownLength));
}

/** Removes the query, which may contain a key. */
const withoutQuery = (url: string): string => url.split("?")[0]!;

function composerFor(
  { box, codeArea, createField, say, valueEditor }: PartTools,
  form: FormContext,
  { schema, example }: FormMessage,
): { readonly element: HTMLElement; check(): void; text(): string | undefined } {
  if (schema < 0) {
    const area = codeArea(4);
    return {
      element: createField(form, { required: true, depth: 0 }, say("freeText"), area).element,
      check: () => {},
      text: () => area.value,
    };
  }
  const editor = valueEditor(form, { type: "application/json", schema }, true);
  if (example !== undefined) editor.fill?.(example);
  const bar = box("playground-tools", ...(editor.switch ? [editor.switch] : []));
  return {
    element: box("playground-items", bar, editor.element),
    check: () => void editor.check("visited"),
    text() {
      const [fault] = editor.check("all");
      fault?.focus();
      const draft = editor.draft();
      return fault === undefined && draft?.kind === "json" ? draft.text : undefined;
    },
  };
}
