import { type PlaygroundKey, playgroundKeys } from "../../lib/language/playground-messages.js";

let words: readonly string[] = [];

/** @param text all words in the order of their keys, with `|` between. */
export function setWords(text: string): void {
  words = text.split("|");
}

export const say = (key: PlaygroundKey): string => words[playgroundKeys.indexOf(key)] ?? "";
/** With a value in the gap of the phrase. */
export const sayWith = (key: PlaygroundKey, value: string | number): string =>
  say(key).replace("%", () => String(value));
