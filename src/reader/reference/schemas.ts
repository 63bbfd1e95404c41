/** Runs on pages with schemas: adds a filter for their fields, and a button that expands or collapses all of them. */

import { all, create, fragmentTarget } from "../dom.js";
import { showPanelOf } from "../shell/tabs.js";

/** Shorter sections need no filter. */
const minFields = 6;
/** A search for fewer letters loads no other pages. */
const minLetters = 2;
/** Pages of objects loaded by one click, or by all searches: each can have hundreds of fields. */
const maxLoaded = 30;
const unloaded = "[data-prefix]";

for (const section of all(".api-section[data-fields]")) addTools(section);

function addTools(section: HTMLElement): void {
  const [expandAll = "", collapseAll = "", filterFields = "", noFields = ""] = section.dataset["fields"]!.split("|");
  const folds = all<HTMLDetailsElement>("details.expandable", section);
  const hasFilter = all(".field", section).length >= minFields;
  if (!hasFilter && folds.length === 0) return;
  const tools = create("div", "field-tools");
  if (hasFilter) {
    const input = create("input", { type: "search", placeholder: filterFields, "aria-label": filterFields });
    const none = create("p", { class: "field-none", role: "status" });
    const opened = new Set<HTMLDetailsElement>();
    let canLoad = maxLoaded;
    const apply = (): void => {
      const words = input.value.trim().toLowerCase();
      const isFound = showMatches(section, words, opened);
      setText(none, isFound ? "" : noFields);
      if (isFound || words.length < minLetters) return;
      // The field may be in an object that another page shows: opening one loads its fields.
      for (const fold of all<HTMLDetailsElement>(`details${unloaded}:not([open])`, section).slice(0, canLoad)) {
        canLoad--;
        opened.add(fold);
        fold.open = true;
      }
    };
    input.addEventListener("input", apply);
    new MutationObserver(() => {
      if (input.value.trim() !== "") apply();
    }).observe(section, { childList: true, subtree: true });
    // A link to a hidden field ends the search.
    addEventListener("hashchange", () => {
      if (!fragmentTarget()?.closest(".field[hidden]")) return;
      input.value = "";
      apply();
      fragmentTarget()!.scrollIntoView();
    });
    tools.append(input, none);
  }
  if (folds.length > 0) {
    const button = create("button", { type: "button", class: "field-toggle" }, expandAll);
    const closed = (): HTMLDetailsElement[] => all("details.expandable:not([open])", section);
    const label = (): void => {
      setText(button, closed().length > 0 ? expandAll : collapseAll);
    };
    button.addEventListener("click", () => {
      const waiting = closed();
      const models = new Set(waiting.filter((fold) => fold.matches(unloaded)).slice(0, maxLoaded));
      const isOpening = waiting.length > 0;
      for (const fold of all<HTMLDetailsElement>("details.expandable", section))
        fold.open = isOpening && (fold.open || models.has(fold) || !fold.matches(unloaded));
    });
    section.addEventListener("toggle", label, true);
    label();
    tools.append(button);
  }
  section.querySelector(".api-section-heading")!.after(tools);
}

/** Leaves an equal text unchanged: setting it would trigger the observer again. */
function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Shows the fields whose name, or path such as `customer.id`, contains the words, with those around and inside them.
 *
 * @param opened elements that earlier searches opened; one without a match is closed again.
 * @returns whether any field is shown.
 */
function showMatches(section: HTMLElement, words: string, opened: Set<HTMLDetailsElement>): boolean {
  const fields = all(".field", section);
  const paths = new Map<HTMLElement, string>();
  // An outer field precedes its inner fields.
  for (const field of fields) {
    const around = paths.get(field.parentElement!.closest<HTMLElement>(".field")!);
    const name = (field.querySelector(":scope > .field-header > .field-name")?.textContent ?? "").toLowerCase();
    paths.set(field, around === undefined ? name : `${around}.${name}`);
  }
  const isMatch = (path: string): boolean =>
    (words.includes(".") ? path : path.slice(path.lastIndexOf(".") + 1)).includes(words);
  const matches = fields.filter((field) => isMatch(paths.get(field)!));
  const shown = new Set<Element>();
  for (const match of matches) {
    for (const inner of all(".field", match)) shown.add(inner);
    for (let around: Element | null = match; around && around !== section; around = around.parentElement)
      shown.add(around);
  }
  for (const field of fields) field.hidden = words !== "" && !shown.has(field);
  for (const fold of opened)
    if (words === "" || !shown.has(fold)) {
      fold.open = false;
      opened.delete(fold);
    }
  if (words === "") return true;
  for (const fold of all<HTMLDetailsElement>("details:not([open])", section))
    if (shown.has(fold) && !matches.some((match) => match.contains(fold))) {
      fold.open = true;
      opened.add(fold);
    }
  for (const group of all("[data-tabs]", section)) {
    const panels = all(".tab-panel", group).filter((panel) => panel.closest("[data-tabs]") === group);
    const matchingPanel = panels.find((panel) => shown.has(panel));
    if (matchingPanel && !panels.some((panel) => panel.hasAttribute("data-active") && shown.has(panel)))
      showPanelOf(matchingPanel);
  }
  return matches.length > 0;
}
