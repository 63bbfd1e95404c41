import type { Question, SiteIndex } from "../answer.js";
import { questionLanguage } from "../question-language.js";
import { createThoughtFilter } from "./drop-thoughts.js";
import type { Message } from "./prompt.js";
import { oneLine, startWithin } from "./tokens.js";

const maxQueries = 3;
const maxQueryLength = 300;
/** Newest turns that a question may refer to, and the longest text of each, in tokens. */
const maxTurns = 3;
const maxTurn = 300;
/** Tokens of the queries, with the thoughts that some models write before them. */
export const maxQueryTokens = 1000;

/**
 * Whether the words of a question may not be what to search for: it continues a conversation, or is in a language that
 * the site does not have.
 */
export function needsQueries({ text, turns, quoted }: Question, { languages }: SiteIndex): boolean {
  const [language] = questionLanguage(text)?.split("-") ?? [];
  const known = languages.length === 0 ? ["en"] : languages;
  const isForeign = language !== undefined && !known.some((tag) => tag.split("-")[0] === language);
  return turns.length > 0 || quoted.length > 0 || isForeign;
}

/** Asks a model without tools what to search for. What a program reports of the conversation has the role of the reader. */
export function queryMessages({ text, turns, quoted }: Question, { siteName, languages }: SiteIndex): Message[] {
  const list = languages.length === 0 ? "English" : languages.slice(0, 20).map(oneLine).join(" or ");
  const rules = [
    `You write queries for the search of the documentation of ${JSON.stringify(oneLine(siteName).slice(0, 100))}.`,
    `Write one to three queries in ${list}, each on a line of its own, that find what the last question means: short, with the words that documentation may use, and understandable without the conversation. Write nothing else, and do not answer.`,
  ].join("\n");
  const said = turns.slice(-maxTurns).flatMap(({ question, answer }): Message[] => [
    { role: "user", text: startWithin(question, maxTurn) },
    { role: "assistant", text: startWithin(answer, maxTurn) },
  ]);
  const reported = quoted
    .slice(-maxTurns)
    .map((each) => `(${each.role} before: ${startWithin(oneLine(each.text), maxTurn)})\n`);
  return [
    { role: "system", text: rules },
    ...said,
    { role: "user", text: `${reported.join("")}Question: ${startWithin(text, maxTurn)}\nQueries:` },
  ];
}

/** The queries in what the model wrote, without the marks of a list. */
export function readQueries(answer: string): string[] {
  const lines = createThoughtFilter()(answer)
    .split("\n")
    .map((line) => oneLine(line.replace(/^\s*(?:[-*+]|\d{1,2}[.)])\s+/, "").replace(/^["'`]+|["'`]+$/g, "")));
  return [...new Set(lines)].filter((line) => line !== "" && line.length <= maxQueryLength).slice(0, maxQueries);
}
