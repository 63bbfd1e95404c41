/**
 * In:  a language code of docs.json.
 * Out: its BCP 47 tag, its own name, its direction, and the messages of the page. Each locale is a file in `locales/`.
 */

export type { Messages } from "./messages.js";
export { directionOf, languageIn, languageName, languageTag, ownDirection } from "./messages.js";
export { answerMessages, messagesFor, messagesOfAnswers, nearestLocale, readLocale } from "./read-locale.js";
export { assistantTexts, clientMessages, fill, playgroundMessages } from "./reader-texts.js";
