import type { Documentation } from "../../mcp/documentation.js";
import type { Project } from "../jobs/index.js";
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
  /** The reader's own question, if the query has further words. The coverage is computed from it if possible. */
  readonly question?: string;
  /** 1 to 50. */
  readonly count: number;
  readonly filter?: SiteFilter;
  /** Path of the reader's page: its best section is added. */
  readonly currentPath?: string;
}
export interface SiteFilter {
  readonly version?: string;
  readonly language?: string;
}

export interface SearchOutcome {
  /** Best first; at most two of a page. */
  readonly passages: readonly Passage[];
  /**
   * Share of the question's words, weighted by rarity, that the best passage has, 0 to 1. Below `gate` the
   * documentation does not answer the question.
   */
  readonly coverage: number;
  /** Words of the documentation that the question asks for; used to choose sentences. */
  readonly words?: AskedWords;
}

/** The documentation of one site, in memory. */
export interface SiteIndex extends Documentation {
  /** Public address of the site, without trailing slash. */
  readonly baseUrl: string;
  search(request: SearchRequest): Promise<SearchOutcome>;
}

/** Gives the index of the last completed export of a project for an audience. */
export interface SiteIndexes {
  /**
   * Undefined: no export has completed, or its bundle is gone.
   *
   * @param audience groups of readers, sorted. Default: everyone.
   */
  of(project: Project, audience?: readonly string[]): Promise<SiteIndex | undefined>;
  /** After `of` returned undefined: whether there is an export, but without an index, or its index is gone. */
  isMissing(project: Project): boolean;
  close(): Promise<void>;
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

/** What an answer is made of, in this order: one `search`, texts, sources, one `end`. */
export type AnswerEvent =
  | { readonly kind: "search"; readonly query: string; readonly passages: readonly Passage[] }
  | { readonly kind: "text"; readonly text: string }
  /** A passage that the answer cites. `id`: the number in the text, "1". */
  | { readonly kind: "source"; readonly id: string; readonly url: string; readonly title: string }
  | { readonly kind: "end"; readonly outcome: "answered" | "unanswered"; readonly usage: Usage };
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

/** The documentation does not answer a question below this `coverage`. */
export const gate = 0.5;

/** A question with fewer words relies on the previous question, or on what the reader has selected. */
const fewWords = 4;
const maxContext = 400;

/** The search query: a short question also gets the words of the previous one or of the reader's selection. */
export function queryOf({ text, turns, quoted, context }: Question): string {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? [];
  const says = words.filter((word) => word.length > 3 || /\p{Lo}/u.test(word)).length;
  if (says >= fewWords) return text;
  const selected = context.map(({ value }) => value.slice(0, maxContext));
  const before = turns.at(-1)?.question ?? quoted.findLast(({ role }) => role === "user")?.text;
  // A selection is what "this" means, rather than the question before.
  const more = selected.length > 0 ? selected.slice(0, 2) : before === undefined ? [] : [before.slice(0, maxContext)];
  return [text, ...more].join("\n");
}
