import type { Passage } from "../answer.js";

export type Output = ReturnType<typeof createOutput>;

/** The filtered answer. Two pieces never form Markdown together that neither of them is. */
export function createOutput() {
  let taken = "";
  /** The last characters. */
  let before = "";
  let hasSkipped = false;
  let line: "empty" | "blank" | "rule" | "text" = "empty";
  let isBracketOpen = false;

  function write(text: string): void {
    taken += text;
    before = (before + text).slice(-3);
    const end = text.lastIndexOf("\n");
    if (end >= 0) line = "empty";
    const added = text.slice(end + 1);
    if (/[^ \t>|:-]/.test(added)) line = "text";
    else if (/[^ \t]/.test(added)) line = line === "text" ? line : "rule";
    else if (added !== "" && line === "empty") line = "blank";
  }

  return {
    /** Text that was checked, and links and code of the filter's own; a line break by itself. */
    put(text: string): void {
      if (text === "") return;
      if (isJoined(before, text) || (hasSkipped && isContinued(before, text))) write(" ");
      hasSkipped = false;
      isBracketOpen = text === "[" || (isBracketOpen && text !== "]");
      write(text);
      if (text.endsWith("\\<")) before = "";
    },
    /** Lines of code. */
    putCode: write,
    /** Something of the input is left out here: what comes next must not join what came before. */
    skip(): void {
      hasSkipped = true;
    },
    take(): string {
      const text = taken;
      taken = "";
      return text;
    },
    /** The current line: empty, only spaces, what could be the rule under the head of a table, or text. */
    get line() {
      return line;
    },
    /** Whether the last bracket of the text is `[`: a `]:` could make a definition of what follows, even in code. */
    get isBracketOpen() {
      return isBracketOpen;
    },
  };
}

/** Links, references and definitions begin with `](`, `][`, `]:`, images with `![`, tags with `<a`. */
function isJoined(before: string, text: string): boolean {
  const last = before.at(-1);
  if (last === "]") return /^[([:]/.test(text);
  if (last === "!") return text.startsWith("[");
  if (last === "<") return /^[a-z/!?]/i.test(text);
  return last === "`" && text.startsWith("`");
}

/** Whether a word, an address or a character reference would continue. */
const isContinued = (before: string, text: string): boolean =>
  /[\w.@:/+&#-]$/.test(before) && /^(?:[\w@:/#;]|[.+-]+\w)/.test(/www$/i.test(before) ? text.replace(".", "@") : text);

export type Citations = ReturnType<typeof createCitations>;

/** What the answer may link to: the sections that the model has read. @param passages may grow later. */
export function createCitations(passages: readonly Passage[], baseUrl: string) {
  const cited = new Set<number>();
  const isShown = (href: string, written: string): boolean =>
    passages.some(({ url }) => pageOf(url) === pageOf(href)) ||
    (!written.startsWith("/") && passages.some(({ text }) => text.includes(written)));
  let saysNothing = false;
  return {
    /** Numbers of the cited passages, in the order of the text. */
    cited,
    /** The answer has the number 0, by which the model says that the documentation does not answer the question. */
    get saysNothing() {
      return saysNothing;
    },
    /** The link of a passage by its number, from 1. Undefined: there is none. */
    linkTo(number: number): string | undefined {
      saysNothing ||= number === 0;
      const passage = passages[number - 1];
      const href = passage && hrefOf(passage.url);
      if (href === undefined) return undefined;
      cited.add(number);
      return `[${number}](${href})`;
    },
    /** The address for a link that the model wrote itself. Undefined: the text stays without a link. */
    addressOf(written: string): string | undefined {
      const href = hrefOf(/^\/(?!\/)/.test(written) ? baseUrl + written : written);
      const base = hrefOf(baseUrl)?.replace(/\/$/, "");
      if (href === undefined || base === undefined) return undefined;
      const isOfSite = href.startsWith(base) && /^(?:$|[/?#])/.test(href.slice(base.length));
      // A query could leak something, or name a redirect target.
      return isOfSite && !href.includes("?") && isShown(href, written) ? href : undefined;
    },
  };
}

/** As it may be written in Markdown, in a table too. */
function hrefOf(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { href, username, password } = new URL(url);
  if (username !== "" || password !== "") return undefined;
  return href.replace(/[()[\]<>|\\`"'\s*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const pageOf = (url: string): string => url.replace(/#.*$/s, "").replace(/\/$/, "");

const opening = "<think>";
const closing = "</think>";

/** Leaves out the thoughts that some models write before their answer, between `<think>` and `</think>`. */
export function createThoughtFilter(): (text: string) => string {
  let held = "";
  let state: "start" | "thinking" | "answer" = "start";
  return (text) => {
    if (state === "answer") return text;
    held += text;
    if (state === "start") {
      const start = held.trimStart();
      if (opening.startsWith(start)) return "";
      state = start.startsWith(opening) ? "thinking" : "answer";
    }
    if (state === "thinking") {
      const end = held.indexOf(closing);
      if (end < 0) {
        held = held.slice(-closing.length);
        return "";
      }
      held = held.slice(end + closing.length).trimStart();
      state = "answer";
    }
    return held;
  };
}
