import { readFileSync } from "node:fs";
import type { Certainty, SiteIndex } from "../../../src/service/assistant/answer.js";

/** A question that someone wrote from a page, with the pages that answer it. */
export interface JudgedQuestion {
  readonly question: string;
  readonly pages: readonly string[];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`questions/${name}.json`, import.meta.url), "utf8"));

export const questionsOf = (site: string): readonly JudgedQuestion[] => read(site) as JudgedQuestion[];
/** Questions that no site of ours answers. */
export const foreignQuestions = read("foreign") as readonly string[];
export const judgedSites: readonly string[] = ["mcp", "trigger", "mintlify"];

/** How many of the questions have a page that answers them among the first five passages. */
export async function hitsIn(index: SiteIndex, questions: readonly JudgedQuestion[]) {
  const misses: string[] = [];
  let first = 0;
  for (const { question, pages } of questions) {
    const { passages } = await index.search({ query: question, count: 5 });
    const at = passages.findIndex(({ path }) => pages.includes(path));
    if (at === 0) first++;
    if (at < 0) misses.push(`${question} ${passages.map(({ path }) => path).join(" ")}`);
  }
  return { share: 1 - misses.length / questions.length, first: first / questions.length, misses };
}

/** The questions of each state. */
export async function statesOf(index: SiteIndex, questions: readonly string[]): Promise<Record<Certainty, string[]>> {
  const states: Record<Certainty, string[]> = { sure: [], unsure: [], nothing: [] };
  for (const query of questions) states[(await index.search({ query, count: 5 })).certainty].push(query);
  return states;
}
