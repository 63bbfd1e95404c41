/**
 * In:  a language code of docs.json.
 * Out: its BCP 47 tag, its own name, its direction, and the messages of the page. Each locale is a file in `locales/`.
 */
export { type AssistantTexts, assistantTexts } from "./assistant-texts.js";
export { clientMessages } from "./client-messages.js";
export { fill } from "./fill.js";
export { directionOf, languageName, languageTag } from "./language.js";
export type { Messages } from "./messages.js";
export { playgroundMessages } from "./playground-messages.js";
export { messagesFor, messagesOfAnswers, nearestLocale, readLocale } from "./read-locale.js";
