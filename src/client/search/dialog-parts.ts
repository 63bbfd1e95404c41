import { create, drawing } from "../dom.js";
import * as outlines from "../icon-outlines.js";
import { pageMessage } from "../page-message.js";

/** The elements of the dialog, empty and closed. */
export function createParts(prompt: string) {
  const label = pageMessage("search");
  const field = create("input", {
    id: document.getElementById("search-input") ? "search-field" : "search-input",
    class: "search-field",
    type: "text",
    role: "combobox",
    "aria-label": label,
    "aria-autocomplete": "list",
    "aria-controls": "search-list",
    "aria-expanded": "false",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    enterkeyhint: "search",
    placeholder: prompt,
    autofocus: "",
  });
  const clear = create(
    "button",
    { type: "button", class: "search-clear", "aria-label": pageMessage("clear") },
    drawing(outlines.close),
  );
  const close = create("button", { type: "button", class: "search-close", "aria-label": pageMessage("close") });
  close.append(create("span", {}, "Esc"), create("span", {}, pageMessage("close")));
  const bar = create("div", { class: "search-bar" }, drawing(outlines.search), field, clear, close);
  const forget = create("button", { type: "button", class: "search-forget" }, pageMessage("clear"));
  const heading = create("div", { class: "search-heading" }, create("span", {}, pageMessage("recentSearches")), forget);
  const list = create("div", { id: "search-list", class: "search-list", role: "listbox", "aria-label": label });
  const message = create("p", { class: "search-message" });
  const status = create("div", { class: "visually-hidden", role: "status" });
  const hint = (keys: string, text: string): HTMLElement => create("span", {}, create("kbd", {}, keys), ` ${text}`);
  const hints = create("div", { class: "search-hints", "aria-hidden": "true" });
  hints.append(
    hint("↑ ↓", pageMessage("toMove")),
    hint("↵", pageMessage("toOpen")),
    hint("Esc", pageMessage("toClose")),
  );
  clear.hidden = heading.hidden = list.hidden = message.hidden = true;
  const dialog = create("dialog", { id: "search-dialog", class: "search-dialog", "aria-label": label });
  dialog.append(create("div", { class: "search-box" }, bar, heading, list, message, hints, status));
  return { dialog, field, clear, close, list, heading, forget, message, status };
}
