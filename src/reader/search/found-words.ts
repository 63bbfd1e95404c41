import type { Marks } from "../../bundle/search/engine/expand-term.js";
import { all } from "../dom.js";
import { recallInTab, rememberInTab } from "../storage.js";
import { findMatches } from "./excerpt.js";

/** The name of the highlight in the style sheet, and of what the tab remembers until the next page has loaded. */
const name = "offprint-found";
const maxMarks = 500;

/** What a result leaves for the page to which it leads. */
interface FoundWords {
  readonly page: string;
  readonly words: readonly string[];
  readonly prefixes: readonly string[];
}

const withoutFragment = (address: string): string => address.replace(/#.*$/, "");

/** To be called when the reader opens a result: its page marks the words of the query. */
export function leaveMarks({ words, prefixes }: Marks, href: string): void {
  const found: FoundWords = { page: withoutFragment(href), words: [...words], prefixes };
  rememberInTab("found", found);
  // A result of the same page loads nothing.
  if (found.page === withoutFragment(location.href)) markFoundWords();
}

/**
 * Marks what a search found on this page, until the reader presses Escape. The elements stay as they are, so that scripts of the
 * page do not notice. Browsers without highlights mark nothing.
 */
export function markFoundWords(): void {
  const found = recallInTab("found") as FoundWords | null;
  rememberInTab("found", null);
  if (found?.page !== withoutFragment(location.href) || !("highlights" in CSS)) return;
  const marks: Marks = { words: new Set(found.words), prefixes: found.prefixes };
  const highlight = new Highlight();
  for (const content of all("#content")) {
    const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null && highlight.size < maxMarks; node = texts.nextNode())
      for (const { from, to } of findMatches(node.nodeValue ?? "", marks)) {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, to);
        highlight.add(range);
      }
  }
  CSS.highlights.set(name, highlight);
  const end = ({ key }: KeyboardEvent): void => {
    if (key !== "Escape") return;
    CSS.highlights.delete(name);
    document.removeEventListener("keydown", end);
  };
  document.addEventListener("keydown", end);
}
