/**
 * In:  a language code as docs.json has it.
 * Out: its BCP 47 tag, its own name, its direction, and the messages of the page in it. A locale is a file in `locales/`.
 */
export { clientMessages } from "./client-messages.js";
export { fill } from "./fill.js";
export { directionOf, languageName, languageTag } from "./language.js";
export type { Messages } from "./messages.js";
export { playgroundMessages } from "./playground-messages.js";
export { messagesFor, nearestLocale, readLocale } from "./read-locale.js";
