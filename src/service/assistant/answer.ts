import { isCommonWord } from "../../bundle/search/index.js";
import type { Documentation } from "../../mcp/documentation.js";
import type { AskedWords } from "./retrieval/asked-words.js";

/** A part of the documentation that a question found. */
export interface Passage {
  /** Path of the page, as in its address: `/guides/install`; `/` for the start page. */
  readonly path: string;
  /** Id of the heading; empty for the text before the first one. */
  readonly anchor: string;
  /** Absolute URL of the section. */
  readonly url: string;
  /** Title of the page. */
  readonly title: string;
  /** Heading of the section; empty before the first one. */
  readonly heading: string;
  /** The page's place in the navigation, outermost first. */
  readonly trail: readonly string[];
  /** Plain text of the section, at most 1,500 characters. */
  readonly text: string;
  /** Score of the search engine: comparable within one answer only. */
  readonly score: number;
}

/** The title of a passage's section, with that of its page. */
export const sectionTitle = ({ title, heading }: Passage): string =>
  heading === "" || heading === title ? title : `${title} › ${heading}`;

export interface SearchRequest {
  readonly query: string;
  /** What the query may be about, such as the text that the reader has selected. */
  readonly about?: Subject;
  /** 1 to 50. */
  readonly count: number;
  readonly filter?: SiteFilter;
  /** Path of the reader's page: its best section is added. */
  readonly currentPath?: string;
}
export interface Subject {
  readonly text: string;
  /**
   * Highest weight of its words together, as a share of those of the query: it decides between sections that the query
   * finds. "all": the query is about nothing else, so the subject finds and the query decides, as with a query that has
   * no word of the site.
   */
  readonly share: number | "all";
}
export interface SiteFilter {
  readonly version?: string;
  readonly language?: string;
}

/**
 * Whether the passages answer a question: *sure*, the first one does; *unsure*, they may help; *nothing*, the
 * documentation does not seem to have it.
 */
export type Certainty = "sure" | "unsure" | "nothing";

export interface SearchOutcome {
  /** Best first; at most two of a page. */
  readonly passages: readonly Passage[];
  readonly certainty: Certainty;
  /** Share of the question's words, weighted by rarity, that the best passage has, 0 to 1. */
  readonly coverage: number;
  /** Words of the documentation that the question asks for; used to choose sentences. */
  readonly words?: AskedWords;
  /** The language of the question; undefined if nothing tells. */
  readonly language?: string | undefined;
}

/** The documentation of one site, in memory. */
export interface SiteIndex extends Documentation {
  /** Public address of the site, without trailing slash. */
  readonly baseUrl: string;
  search(request: SearchRequest): Promise<SearchOutcome>;
  /** The sections of a page in order, as Markdown, with the score 0. Undefined if there is no such page. */
  readSections(path: string): Promise<readonly Passage[] | undefined>;
}

export interface Question {
  readonly text: string;
  /** Stored turns of the thread, oldest first. */
  readonly turns: readonly { readonly question: string; readonly answer: string }[];
  /** Turns that only the client reports: quoted to the model, never as the assistant's own words. */
  readonly quoted: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  readonly context: readonly {
    readonly type?: "code" | "textSelection";
    readonly value: string;
    readonly path?: string;
  }[];
  readonly currentPath?: string;
  readonly passageCount: number;
  readonly filter?: SiteFilter;
}

/**
 * What an answer is made of, in this order: one `search`, texts, sources, one `end`. A model may search and read further
 * before its text, and between two texts.
 */
export type AnswerEvent =
  | { readonly kind: "search"; readonly query: string; readonly passages: readonly Passage[] }
  /** The model reads sections of a page. */
  | { readonly kind: "read"; readonly path: string; readonly passages: readonly Passage[] }
  | { readonly kind: "text"; readonly text: string }
  /** A passage that the answer cites. `id`: the number in the text, "1". */
  | { readonly kind: "source"; readonly id: string; readonly url: string; readonly title: string }
  /** `unsure`: it lists sections that may help. */
  | { readonly kind: "end"; readonly outcome: "answered" | "unsure" | "unanswered"; readonly usage: Usage };
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export const noUsage: Usage = { promptTokens: 0, completionTokens: 0 };

/** Answers a question from the documentation. */
export interface Answerer {
  /** "none": passages, verbatim. Else the name of the model. */
  readonly model: string;
  /** Fails: with AnswerFailure, whose message the reader may see. Stops: once `signal` aborts, also upstream. */
  answer(question: Question, index: SiteIndex, signal: AbortSignal): AsyncIterable<AnswerEvent>;
}
export class AnswerFailure extends Error {
  override readonly name = "AnswerFailure";
}

/** A question with fewer words relies on what the reader has selected, or on the previous question. */
const fewWords = 4;
const maxAbout = 400;
const refers = /\b(?:this|these|here)\b/i;
/** A program may send code with each question, related or not. A short question continues the one before. */
const shares = { beside: 0.1, continued: 1, selected: "all" } as const;

export function searchOf(question: Question): SearchRequest {
  const { text: query, passageCount: count, filter, currentPath } = question;
  const about = subjectOf(question);
  return { query, count, ...(about && { about }), ...(filter && { filter }), ...(currentPath && { currentPath }) };
}

function subjectOf({ text, turns, quoted, context }: Question): Subject | undefined {
  const words = (text.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? []).filter(
    (word) => word.length > 3 || /\p{Lo}/u.test(word),
  );
  const selected = context.slice(0, 2).map(({ value }) => value.slice(0, maxAbout));
  if (selected.length > 0) {
    const telling = words.filter((word) => !isCommonWord(word.toLowerCase())).length;
    const isAbout = refers.test(text) && telling < fewWords;
    return { text: selected.join("\n"), share: isAbout ? shares.selected : shares.beside };
  }
  const before = turns.at(-1)?.question ?? quoted.findLast(({ role }) => role === "user")?.text;
  return words.length < fewWords && before !== undefined
    ? { text: before.slice(0, maxAbout), share: shares.continued }
    : undefined;
}
