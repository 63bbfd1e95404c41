import type { PlaygroundKey } from "../../lib/language/reader-texts.js";
import { fill } from "../../lib/language/reader-texts.js";

let messages: Partial<Record<PlaygroundKey, string>> = {};

/** @param text JSON of all messages by key. */
export function setMessages(text: string): void {
  messages = JSON.parse(text);
}

/** A message of the playground in the language of the page. */
export const say = (key: PlaygroundKey): string => messages[key] ?? "";
/** A message with a value in place of `%`. */
export const sayWith = (key: PlaygroundKey, value: string | number): string => fill(say(key), value);
