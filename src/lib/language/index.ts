/**
 * In:  a language code of docs.json.
 * Out: its BCP 47 tag, its own name, its direction, and the messages of the page. Each locale is a file in `locales/`.
 */

export { fill } from "./fill.js";
export type { Messages } from "./messages.js";
export { directionOf, languageName, languageTag } from "./messages.js";
export { messagesFor, messagesOfAnswers, nearestLocale, readLocale } from "./read-locale.js";
export { type AssistantTexts, assistantTexts, clientMessages, playgroundMessages } from "./reader-texts.js";
