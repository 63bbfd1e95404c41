import { fill } from "../../lib/language/fill.js";
import { type PlaygroundKey, playgroundKeys } from "../../lib/language/playground-messages.js";

let messages: readonly string[] = [];

/** @param text all messages in the order of `playgroundKeys`, separated by `|`. */
export function setMessages(text: string): void {
  messages = text.split("|");
}

/** A message of the playground in the language of the page. */
export const say = (key: PlaygroundKey): string => messages[playgroundKeys.indexOf(key)] ?? "";
/** The same with a value in place of its `%`. */
export const sayWith = (key: PlaygroundKey, value: string | number): string => fill(say(key), value);
