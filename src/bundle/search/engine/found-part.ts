import { lazy, remembered } from "../../../lib/memo.js";
import type { PageEntry, PagePart } from "../index-format.js";
import { cutWords } from "../words.js";
import { isName } from "./query.js";
import { baseOf, isCommonWord, rootOf, simplified, type Variants } from "./vocabulary.js";

/** A part of a page as results show and compare it. */
export interface FoundPart {
  /** Relative to the bundle's root. */
  readonly href: string;
  /** The href of its page. */
  readonly page: string;
  readonly title: string;
  /** Text of the pill next to the title of its page; empty for none. */
  readonly marker: string;
  /** Of the page of an API operation: its method with each path that its text has after the method; else empty. */
  readonly endpoint: string;
  /** Names of the groups around it, outermost first. */
  readonly trail: readonly string[];
  readonly text: string;
  readonly code: string;
  readonly isPage: boolean;
  /** Address and groups of its page in lower case. */
  readonly place: string;
  /** What the words of the title of its page, and of its heading, share with related ones. */
  readonly subject: readonly string[];
  readonly subsection: readonly string[];
  /** The same of the address of its page and the groups around it. */
  readonly around: () => readonly string[];
  readonly cut: CutPart;
  readonly roots: () => Roots;
  /** The first words as they are written. */
  readonly words: () => ReadonlySet<string>;
}

/** What the first words of the heading and text of a part share with related ones. */
interface Roots {
  readonly count: number;
  /** Where each of them is, ascending from 0. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** The words of a part in their order, as a phrase is compared with them. */
export interface CutPart {
  readonly title: string;
  readonly joined: string | undefined;
  readonly text: () => string;
  /** The text in lower case; undefined with letters that may have accents, which words do not have. */
  readonly lower: () => string | undefined;
}

/** Only the first words of two texts are compared. */
const maxWords = 300;

/** Characters of a part of which the words are compared with a sentence. */
const maxCompared = 6000;

/** Kept as long as the part is: the next query often finds the same parts. */
const partCache = new WeakMap<PagePart, FoundPart>();

/** @param number of the part in its page. */
export function foundPart(page: PageEntry, part: PagePart, number: number): FoundPart {
  let found = partCache.get(part);
  if (found === undefined) {
    found = createFoundPart(page, part, number === 0);
    partCache.set(part, found);
  }
  return found;
}

function createFoundPart(entry: PageEntry, [id, heading, text, code = ""]: PagePart, isPage: boolean): FoundPart {
  const [page, pageTitle, trail, marker] = entry;
  const title = isPage ? pageTitle : heading;
  return {
    href: id === "" ? page : `${page}#${encodeURIComponent(id)}`,
    page: page.split("#")[0]!,
    title,
    marker,
    endpoint: isPage && isOperation(marker) ? endpointOf(marker, text) : "",
    trail: isPage ? trail : [...trail, pageTitle],
    text,
    code,
    isPage,
    place: `${page} ${trail.join(" ").replaceAll("/", " ")}`.toLowerCase(),
    subject: subjectOf(pageTitle),
    subsection: isPage ? [] : subjectOf(heading),
    around: lazy(() => phraseOf(`${page} ${trail.join(" ")}`.replace(/[/._-]/g, " ")).map(rootOf)),
    cut: cutPart(title, text, noVariants),
    roots: lazy(() => rootsOf(`${title} ${text}`.slice(0, maxCompared))),
    words: lazy(() => new Set(`${text} ${code}`.split(/\s+/, maxWords).filter((word) => word !== ""))),
  };
}

function rootsOf(text: string): Roots {
  const words = phraseOf(text);
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries()) {
    const root = rootOf(word);
    const known = places.get(root);
    if (known) known.push(at);
    else places.set(root, [at]);
  }
  return { count: words.length, places };
}

/** Whether the pill of a page is the method of an API operation, or that of a webhook. */
export const isOperation = (marker: string): boolean =>
  /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|WEBHOOK)$/.test(marker);

const endpointOf = (marker: string, text: string): string =>
  Array.from(text.matchAll(/\b([A-Z]+) (?:https?:\/)?\/\S*/g), ([whole, method]) =>
    method === marker ? whole : "",
  ).join(" ");

export const noVariants: Variants = new Map();

export function cutPart(title: string, text: string, variants: Variants): CutPart {
  const inOrder = (of: string): string => spaced(phraseOf(simplified(of, variants)));
  return {
    title: inOrder(title),
    joined: joinedOf(title),
    text: lazy(() => inOrder(text)),
    lower: lazy(() => (/[^\0-\x7f\u2010-\u2027\u2190-\u21ff]/.test(text) ? undefined : text.toLowerCase())),
  };
}

/** The words of a text without those of a question, in their base forms. A name is one word. */
export function phraseOf(text: string): string[] {
  const words: string[] = [];
  cutWords(text, (word, parts) => {
    if (isName(word, parts)) words.splice(-parts);
    if (parts === 0 || isName(word, parts)) words.push(word);
  });
  const own = words.filter((word) => !isCommonWord(word));
  return (own.length > 0 ? own : words).map(baseOf);
}

/** All words as one: "Response fields" and `ResponseField` are equal. Undefined with a name, which beats its parts. */
export function joinedOf(text: string): string | undefined {
  let joined = "";
  let hasName = false;
  cutWords(text, (word, parts) => {
    hasName ||= parts > 0;
    joined += word;
  });
  return hasName ? undefined : baseOf(joined);
}

const subjectOf = remembered((title: string): readonly string[] => phraseOf(title).map(rootOf));

/** With a space before and after each word. */
export const spaced = (words: readonly string[]): string => ` ${words.join(" ")} `;
