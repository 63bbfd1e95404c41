/** Runs on every page of a site with an assistant: the buttons, keys and URLs that load and open its panel. */
import { all, bundleRoot, closestTo, create, drawing, onClick } from "../dom.js";
import { ask } from "../icon-outlines.js";
import { loadScript, loadStyle } from "../load-script.js";
import type { AssistantHost, AssistantStart, OpenRequest } from "./assistant-host.js";
import { isOpenInSession } from "./session.js";

/** The bundle's search, for questions that the assistant cannot answer. */
function loaderOfSearch(root: string): AssistantHost["search"] {
  const {
    search,
    product = 0,
    script,
  } = document.querySelector<HTMLElement>(".site-header [data-search]")?.dataset ?? {};
  if (search === undefined) return undefined;
  let loading: Promise<void> | undefined;
  return async () => {
    loading ??= loadScript(root + script);
    await loading;
    const indexes = search.split(" ");
    return { load: (path) => loadScript(root + path), root, indexes, product: Number(product), prompt: "" };
  };
}

const entry = document.querySelector<HTMLElement>(".site-header .assistant-entry");

/** Space between the selection and the button, in pixels. */
const gap = 8;
if (entry) wireEntry(entry);

function wireEntry(entry: HTMLElement): void {
  const root = bundleRoot();
  const { assistant = "", version, language } = entry.dataset;
  const files = assistant.split(" ");
  const buttons = [...entry.querySelectorAll<HTMLElement>("button")];
  let start: AssistantStart | undefined;
  let loading: Promise<unknown> | undefined;
  const load = (): Promise<unknown> => {
    window.offprintAssistant = (received) => {
      start = received;
    };
    loading ??= Promise.all(files.map((path) => (path.endsWith(".css") ? loadStyle : loadScript)(root + path)));
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const open = (request: OpenRequest = {}): void => {
    const opener = buttons.find((button) => button.checkVisibility()) ?? buttons[0]!;
    opener.setAttribute("aria-busy", "true");
    load()
      .then(() => {
        const filter = { ...(version && { version }), ...(language && { language }) };
        window.offprintOpenAssistant!({ ...start!, root, filter, opener, search: loaderOfSearch(root) }, request);
      })
      .catch(() => {})
      .finally(() => opener.removeAttribute("aria-busy"));
  };

  onClick(".assistant-button", () => open({ toggle: true }));
  onClick("[data-ask-page]", () => {
    const title = document.querySelector(".page-title")?.textContent?.trim() || document.title;
    const description = document.querySelector(".page-description")?.textContent?.trim();
    open({ subject: { kind: "page", text: description ? `${title}: ${description}` : title } });
  });
  for (const kind of ["pointerenter", "focusin"]) entry.addEventListener(kind, () => void load().catch(() => {}));
  document.addEventListener("keydown", (event) => {
    const isShortcut =
      event.key.toLowerCase() === "i" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;
    // In a rich text field, the shortcut makes text italic.
    if (!isShortcut || closestTo(event, "[contenteditable]")) return;
    event.preventDefault();
    open({ toggle: true });
  });
  wireCodeButtons((text) => open({ subject: { kind: "code", text } }), buttons[1]!.ariaLabel ?? "");
  wireSelection((text) => open({ subject: { kind: "selection", text } }), buttons[0]!.textContent!);

  const asked = new URLSearchParams(location.search).get("assistant");
  if (asked !== null) open(asked.trim() === "" ? {} : { question: asked.trim() });
  else if (isOpenInSession(root)) open({ isReopened: true });
}

/** Adds a button next to each button that copies code. */
function wireCodeButtons(open: (code: string) => void, label: string): void {
  for (const copy of all(".code-block-copy-button")) {
    const attributes = { type: "button", class: "code-block-ask-button", "aria-label": label, title: label };
    copy.after(create("button", attributes, drawing(ask)));
  }
  onClick(".code-block-ask-button", (button) => {
    const code = button.closest(".code-block")?.querySelector("code")?.textContent?.trim();
    if (code) open(code);
  });
}

/** Adds a button that floats above selected text. */
function wireSelection(open: (text: string) => void, label: string): void {
  const button = create(
    "button",
    { type: "button", id: "text-selection-tooltip", class: "assistant-selection" },
    drawing(ask),
    label,
  );
  button.hidden = true;
  document.body.append(button);
  let text = "";
  const update = (): void => {
    const selection = getSelection();
    const range = selection && selection.rangeCount > 0 && !selection.isCollapsed ? selection.getRangeAt(0) : undefined;
    const content = document.querySelector(".content-area");
    text = range && content?.contains(range.commonAncestorContainer) ? selection!.toString().trim() : "";
    button.hidden = text.length < 2;
    if (button.hidden) return;
    const box = range!.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = button;
    const top = box.top - offsetHeight - gap;
    const left = box.left + box.width / 2 - offsetWidth / 2;
    const isBelow = top < (document.querySelector(".site-header")?.getBoundingClientRect().bottom ?? 0);
    button.style.top = `${scrollY + (isBelow ? box.bottom + gap : top)}px`;
    button.style.left = `${scrollX + Math.max(gap, Math.min(left, document.documentElement.clientWidth - offsetWidth - gap))}px`;
  };
  // Shown on release, since it would cover a selection in progress.
  document.addEventListener("pointerup", (event) => {
    if (!closestTo(event, "#text-selection-tooltip")) setTimeout(update);
  });
  document.addEventListener("keyup", (event) => event.shiftKey && update());
  document.addEventListener("selectionchange", () => {
    if (getSelection()?.isCollapsed) button.hidden = true;
  });
  // Keep the press from clearing the selection.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    button.hidden = true;
    open(text);
  });
}
