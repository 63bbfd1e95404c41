/**
 * In:  a language code as docs.json writes it.
 * Out: its BCP 47 tag, its own name, the direction it is written in, and every word that a page says by itself.
 */
export { clientWords } from "./client-strings.js";
export { directionOf, languageName, languageTag } from "./language.js";
export { playgroundLanguage, playgroundWords } from "./playground-strings.js";
export { fill, type Messages, messagesFor } from "./strings.js";
