/** On every page of a site with an assistant: the buttons, keys and addresses that open it. Its panel is loaded then. */
import { bundleRoot, closestTo, onClick } from "../dom.js";
import { loadScript, loadStyle } from "../load-script.js";
import type { AssistantHost, AssistantStart, OpenRequest } from "./assistant-host.js";
import { isOpenInSession } from "./session.js";
import { wireCodeButtons, wireSelection } from "./subjects.js";

/** Loads the search of the bundle, for questions that the assistant cannot answer. */
function searchOf(root: string): AssistantHost["search"] {
  const { search, product = 0, script } = document.querySelector<HTMLElement>("#navbar [data-search]")?.dataset ?? {};
  if (search === undefined) return undefined;
  let loading: Promise<void> | undefined;
  return async () => {
    loading ??= loadScript(root + script);
    await loading;
    return {
      load: (path) => loadScript(root + path),
      root,
      indexes: search.split(" "),
      product: Number(product),
      prompt: "",
    };
  };
}

const entry = document.querySelector<HTMLElement>("#navbar .assistant-entry");
if (entry) wireEntry(entry);

function wireEntry(entry: HTMLElement): void {
  const root = bundleRoot();
  const { assistant = "", version, language } = entry.dataset;
  const files = assistant.split(" ");
  const buttons = [...entry.querySelectorAll<HTMLElement>("button")];
  let start: AssistantStart | undefined;
  let loading: Promise<unknown> | undefined;
  const load = (): Promise<unknown> => {
    window.offprintAssistant = (given) => {
      start = given;
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
        window.offprintOpenAssistant!({ ...start!, root, filter, opener, search: searchOf(root) }, request);
      })
      .catch(() => {})
      .finally(() => opener.removeAttribute("aria-busy"));
  };

  onClick(".assistant-button", () => open({ toggle: true }));
  onClick("[data-ask-page]", () => {
    const title = document.getElementById("page-title")?.textContent?.trim() || document.title;
    const description = document.querySelector(".page-description")?.textContent?.trim();
    open({ subject: { kind: "page", text: description ? `${title}: ${description}` : title } });
  });
  for (const kind of ["pointerenter", "focusin"]) entry.addEventListener(kind, () => void load().catch(() => {}));
  document.addEventListener("keydown", (event) => {
    const isShortcut =
      event.key.toLowerCase() === "i" && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey;
    // In a field of formatted text it makes letters italic.
    if (!isShortcut || closestTo(event, "[contenteditable]")) return;
    event.preventDefault();
    open({ toggle: true });
  });
  wireCodeButtons((text) => open({ subject: { kind: "code", text } }), buttons[1]!.ariaLabel ?? "");
  wireSelection((text) => open({ subject: { kind: "selection", text } }), buttons[0]!.textContent!);

  const asked = new URLSearchParams(location.search).get("assistant");
  if (asked !== null) open(asked.trim() === "" ? {} : { question: asked.trim() });
  else if (isOpenInSession(root)) open({ again: true });
}
