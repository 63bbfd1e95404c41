import { lazy } from "../../../lib/lazy.js";
import { firstPart, type PagePart } from "../index-format.js";
import { cutWords } from "../words.js";
import { isCommonWord } from "./common-words.js";
import { foldTwins } from "./fold-twins.js";
import type { IndexFiles } from "./index-files.js";
import { isName } from "./query.js";
import { hasHan, simplified, type Variants } from "./spellings.js";
import { baseOf, remembered, rootOf } from "./word-forms.js";

/** An entry that may be shown. */
export interface Candidate {
  readonly index: IndexFiles;
  readonly page: number;
  /** Index among the parts of its page. */
  readonly part: number;
  readonly score: number;
  /** Entries with equal scores are sorted by this. */
  readonly order: number;
  /** The lower, the nearer to the reader. */
  readonly distance: number;
}

/** An entry to be shown. */
export interface Hit {
  /** Relative to the bundle's root. */
  readonly href: string;
  readonly title: string;
  /** Text of the pill next to the title; empty for none. */
  readonly marker: string;
  /** Names of the groups around it, outermost first. */
  readonly trail: readonly string[];
  readonly text: string;
  readonly code: string;
  readonly isPage: boolean;
  readonly score: number;
  readonly distance: number;
}

/** Factors for matches of the whole query: a page's title, a heading, within either, within the text. */
const isPageTitle = 3;
const isHeading = 1.7;
const inTitle = 1.25;
const inText = 1.3;
/** Factor for marks as typed: `--strict`, `/api/v1`. */
const asTyped = 1.6;
/** Factors if a question has all words of the page's title, of the heading. */
const ofSubject = 1.5;
const ofSubsection = 1.2;
/** Factors for the second and third result of one page: other pages should be seen too. */
const ofSamePage = [1, 0.7, 0.5];

/** Factor for pages of API operations, unless the query names one: guides answer most questions. */
const ofOperation = 0.7;
const isOperation = (marker: string): boolean => /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$/.test(marker);
const namesOperation = (query: string): boolean =>
  /\b(?:api|rest|http|endpoints?|requests?|get|post|put|patch|delete|list)\b|[/_]/i.test(query) ||
  /[a-z][A-Z]/.test(query);

/**
 * Loads the texts of the candidates and returns the best, best first.
 *
 * @param isQuestion a sentence: what it asks about may be the title of a page, among other words.
 */
export async function orderHits(
  candidates: readonly Candidate[],
  query: string,
  maxCount: number,
  isQuestion = false,
): Promise<Hit[]> {
  const asked = createAsked(query, isQuestion);
  const isHan = hasHan(query);
  const hits = await Promise.all(
    candidates.map(async ({ index, page, part, score, distance }): Promise<Hit> => {
      // Destructuring would copy all parts of the page, and make an object for each element.
      const entry = await index.page(page);
      const href = entry[0];
      const title = entry[1];
      const trail = entry[2];
      const marker = entry[3];
      const shown = entry[firstPart + part] as PagePart;
      const id = shown[0];
      const heading = shown[1];
      const text = shown[2];
      const code = shown[3] ?? "";
      const isPage = part === 0;
      const own = isPage ? title : heading;
      const variants = isHan ? await index.variants() : noVariants;
      const cut = variants.size > 0 ? cutPart(own, text, variants) : keptCut(shown, own, text);
      return {
        href: id === "" ? href : `${href}#${encodeURIComponent(id)}`,
        title: own,
        marker: isPage ? marker : "",
        trail: isPage ? trail : [...trail, title],
        text,
        code,
        isPage,
        score:
          score *
          factorOf(asked, { title: own, text, code, isPage, marker }, cut, variants) *
          subjectFactor(asked, keptSubject(title), isPage ? noSubject : keptSubject(heading)),
        distance,
      };
    }),
  );
  return spread(foldTwins(hits.sort((a, b) => b.score - a.score))).slice(0, maxCount);
}

const noVariants: Variants = new Map();

/** Lowers the further results of a page. */
function spread(hits: readonly Hit[]): Hit[] {
  const ofPage = new Map<string, number>();
  const lowered = hits.map((hit) => {
    const page = hit.href.split("#")[0]!;
    const count = ofPage.get(page) ?? 0;
    ofPage.set(page, count + 1);
    return { hit, score: hit.score * (ofSamePage[count] ?? ofSamePage.at(-1)!) };
  });
  return lowered.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

/** The query as it is compared with titles and texts. */
interface Asked {
  readonly query: string;
  readonly phrase: readonly string[];
  /** Of a question: what its words share with related ones. */
  readonly roots: ReadonlySet<string> | undefined;
  readonly joined: string | undefined;
  /** The part of the query with marks between or before the letters, in lower case. */
  readonly typed: string | undefined;
  readonly namesOperation: boolean;
}

function createAsked(query: string, isQuestion: boolean): Asked {
  const typed = query.trim().toLowerCase();
  const phrase = phraseOf(query);
  return {
    query,
    phrase,
    roots: isQuestion ? new Set(phrase.map(rootOf)) : undefined,
    joined: joinedOf(query),
    typed: /[^\p{L}\p{M}\p{N}\s?!,]/u.test(typed) ? typed : undefined,
    namesOperation: namesOperation(query),
  };
}

/** The words of a text without those of a question, in their base forms. A name is one word. */
function phraseOf(text: string): string[] {
  const words: string[] = [];
  cutWords(text, (word, parts) => {
    if (isName(word, parts)) words.splice(-parts);
    if (parts === 0 || isName(word, parts)) words.push(word);
  });
  const own = words.filter((word) => !isCommonWord(word));
  return (own.length > 0 ? own : words).map(baseOf);
}

/** All words as one: "Response fields" and `ResponseField` are equal. Undefined with a name, which beats its parts. */
function joinedOf(text: string): string | undefined {
  let joined = "";
  let hasName = false;
  cutWords(text, (word, parts) => {
    hasName ||= parts > 0;
    joined += word;
  });
  return hasName ? undefined : baseOf(joined);
}

/** `marker` is that of the page. */
interface Shown extends Pick<Hit, "title" | "text" | "code" | "isPage" | "marker"> {}

function factorOf(asked: Asked, shown: Shown, cut: CutPart, variants: Variants): number {
  const { title, text, code, marker } = shown;
  const typed =
    asked.typed !== undefined && [title, text, code].some((each) => each.toLowerCase().includes(asked.typed!));
  const operation = isOperation(marker) && !asked.namesOperation ? ofOperation : 1;
  return operation * (typed ? asTyped : 1) * phraseFactor(asked, shown, cut, variants);
}

function subjectFactor({ roots }: Asked, title: readonly string[], heading: readonly string[]): number {
  if (roots === undefined) return 1;
  const isAsked = (words: readonly string[], least: number): boolean =>
    words.length >= least && words.every((word) => roots.has(word));
  // Many headings are one word, such as "Options".
  return (isAsked(title, 1) ? ofSubject : 1) * (isAsked(heading, 2) ? ofSubsection : 1);
}

function phraseFactor({ query, phrase, joined }: Asked, { isPage }: Shown, cut: CutPart, variants: Variants): number {
  const wanted = spaced(variants.size === 0 ? phrase : phraseOf(simplified(query, variants)));
  const isTitle = cut.title === wanted || (joined !== undefined && cut.joined === joined);
  if (isTitle) return isPage ? isPageTitle : isHeading;
  // The last word may be unfinished.
  const unfinished = wanted.slice(0, -1);
  if (cut.title.includes(unfinished)) return inTitle;
  const isPhrase = wanted.indexOf(" ", 1) < wanted.length - 1;
  return isPhrase && mayHave(cut.lower(), phrase) && cut.text().includes(unfinished) ? inText : 1;
}

/** The words of an entry in their order, as the phrase is compared with them. */
interface CutPart {
  readonly title: string;
  readonly joined: string | undefined;
  readonly text: () => string;
  /** The text in lower case; undefined with letters that may have accents, which words do not have. */
  readonly lower: () => string | undefined;
}

function cutPart(title: string, text: string, variants: Variants): CutPart {
  const inOrder = (of: string): string => spaced(phraseOf(simplified(of, variants)));
  return {
    title: inOrder(title),
    joined: joinedOf(title),
    text: lazy(() => inOrder(text)),
    lower: lazy(() => (/[^\0-\x7f\u2010-\u2027\u2190-\u21ff]/.test(text) ? undefined : text.toLowerCase())),
  };
}

/** Kept as long as the entry is: the next query often finds the same entries. */
const cutParts = new WeakMap<PagePart, CutPart>();

function keptCut(part: PagePart, title: string, text: string): CutPart {
  let cut = cutParts.get(part);
  if (cut === undefined) {
    cut = cutPart(title, text, noVariants);
    cutParts.set(part, cut);
  }
  return cut;
}

const noSubject: readonly string[] = [];

/** What the words of a title share with related ones. */
const keptSubject = remembered((title: string): readonly string[] => phraseOf(title).map(rootOf));

/** False if the text lacks the beginning of a word of the phrase: much faster than to cut the text into words. */
const mayHave = (lower: string | undefined, phrase: readonly string[]): boolean =>
  lower === undefined || phrase.every((word) => lower.includes(word.slice(0, 3)));

/** With a space before and after each word. */
const spaced = (words: readonly string[]): string => ` ${words.join(" ")} `;
