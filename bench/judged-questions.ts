import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

/** How a reader asks. */
export type QuestionKind =
  | "paraphrase"
  | "how-to"
  | "what-is"
  | "error text"
  | "keyword"
  | "identifier"
  | "typo"
  | Language;

/** The language, if the question and its pages are not in English. */
type Language = "de" | "es" | "fr" | "ja" | "ko" | "pt" | "ru" | "zh";

export const isEnglish = (kind: QuestionKind): boolean => !/^[a-z]{2}$/.test(kind);

/** A question that someone wrote from a page, in a reader's words. */
export interface JudgedQuestion {
  readonly kind: QuestionKind;
  readonly query: string;
  /** Addresses of the pages that answer it equally well; none if the site does not answer it. */
  readonly pages: readonly string[];
  /** The page on which the reader asks; by default any. */
  readonly from?: string;
  /** Whether only this product has the subject, so that the documentation of another site does not answer the question. */
  readonly isOnlyHere?: boolean;
  /** Held out: nobody looks at the question while search and answers are changed. */
  readonly isHeld: boolean;
}

/** The format of a set's file. Pages are those of the repository's folder at the commit. */
interface QuestionFile {
  readonly repository: string;
  readonly commit: string;
  readonly folder: string;
  /** Every question of the site is held out; by default half of them. */
  readonly isHeld?: true;
  readonly questions: readonly Omit<JudgedQuestion, "isHeld">[];
}

const read = (path: string): unknown => {
  const url = new URL(path, import.meta.url);
  return existsSync(url) ? JSON.parse(readFileSync(url, "utf8")) : undefined;
};

/** Half of all questions, independent of their order. */
const isHeld = (query: string): boolean => createHash("sha256").update(query).digest()[0]! % 2 === 1;

/** All judged questions of a site, including those of the search; empty if there are none. */
export function judgedQuestions(site: string): readonly JudgedQuestion[] {
  const { questions, ...file } = (read(`./questions/${site}.json`) ?? { questions: [] }) as Pick<
    QuestionFile,
    "questions" | "isHeld"
  >;
  // The older sets: every second query of the search is held out, and all whole questions have been looked at.
  const queries = (read(`./search-queries/${site}.json`) ?? []) as readonly Omit<JudgedQuestion, "kind" | "isHeld">[];
  const whole = (read(`../test/service/assistant/questions/${site}.json`) ?? []) as readonly {
    readonly question: string;
    readonly pages: readonly string[];
  }[];
  return [
    ...questions.map((each) => ({ ...each, isHeld: file.isHeld ?? isHeld(each.query) })),
    ...queries.map((each, at) => ({ ...each, kind: olderKind(each.query), isHeld: at % 2 === 1 })),
    ...whole.map(({ question, pages }): JudgedQuestion => {
      return { kind: olderKind(question), query: question, pages, isHeld: false };
    }),
  ];
}

/** The older sets do not record the kind of a question. */
function olderKind(query: string): QuestionKind {
  if (/^\S*(?:[a-z][A-Z]|[_./])\S*$/.test(query)) return "identifier";
  if (/^how\b/i.test(query)) return "how-to";
  if (/^what\b/i.test(query)) return "what-is";
  return /\?$/.test(query) ? "paraphrase" : "keyword";
}

/** Questions that no product documentation answers. */
export const offTopicQuestions = read("../test/service/assistant/questions/foreign.json") as readonly string[];
