import type { Question } from "../answer.js";

/** A question of fewer words of its own relies on what was asked before, or on what the reader has selected. */
const fewWords = 4;
const mostContext = 400;

/** What is searched for: a short question with the words of the one before and of the reader's selection. */
export function queryOf({ text, turns, quoted, context }: Question): string {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu) ?? [];
  const says = words.filter((word) => word.length > 3 || /\p{Lo}/u.test(word)).length;
  if (says >= fewWords) return text;
  const selected = context.map(({ value }) => value.slice(0, mostContext));
  const before = turns.at(-1)?.question ?? quoted.findLast(({ role }) => role === "user")?.text;
  // A selection is what "this" means, rather than the question before.
  const more = selected.length > 0 ? selected.slice(0, 2) : before === undefined ? [] : [before.slice(0, mostContext)];
  return [text, ...more].join("\n");
}
