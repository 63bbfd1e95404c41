import type { AssistantMessages, Locale, Messages, PlaygroundMessages } from "./messages.js";

/** Messages of scripts in the reader's browser. `html[data-words]` has them in this order, separated by `|`. */
export const clientKeys = [
  "copied",
  "copyFailed",
  "wrapLines",
  "enlarge",
  "close",
  "search",
  "noResults",
  "resultCount",
  "recentSearches",
  "clear",
  "searchFailed",
  "toMove",
  "toOpen",
  "toClose",
  "tryOther",
  "pictureMissing",
  "copy",
  "linkTo",
  "notLoaded",
  "pages",
  "language",
  "version",
  "product",
] as const satisfies readonly (keyof Messages)[];

export const clientMessages = (messages: Messages): string => clientKeys.map((key) => messages[key]).join("|");

/** Messages that the panel of the assistant shares with the page. */
const sharedKeys = [
  "assistant",
  "close",
  "copied",
  "copy",
  "copyFailed",
  "send",
] as const satisfies readonly (keyof Messages)[];

export type AssistantTexts = AssistantMessages & Pick<Messages, (typeof sharedKeys)[number]>;

export const assistantTexts = ({ page, assistant }: Locale): AssistantTexts => ({
  ...(Object.fromEntries(sharedKeys.map((key) => [key, page[key]])) as Pick<Messages, (typeof sharedKeys)[number]>),
  ...assistant,
});

/** Messages that the playground shares with the page. */
const playgroundMessagesSharedKeys = [
  "authNone",
  "authorizations",
  "body",
  "clear",
  "close",
  "cookies",
  "copy",
  "defaultValue",
  "deprecatedField",
  "graphVariables",
  "headers",
  "inputs",
  "itemCount",
  "multipleOf",
  "noBody",
  "outputs",
  "pathParameters",
  "pattern",
  "propertyCount",
  "queryParameters",
  "range",
  "required",
  "response",
  "scopes",
  "send",
  "stringLength",
  "successCriteria",
  "uniqueItems",
] as const satisfies readonly (keyof Messages)[];

export type PlaygroundKey = (typeof playgroundMessagesSharedKeys)[number] | keyof PlaygroundMessages;

/** The texts of all `PlaygroundKey`s, as JSON. */
export const playgroundMessages = ({ page, playground }: Locale): string =>
  JSON.stringify({ ...playground, ...Object.fromEntries(playgroundMessagesSharedKeys.map((key) => [key, page[key]])) });

/** Puts a value in place of the `%`: `fill("Link to %", "the end")`. */
export const fill = (message: string, value: string | number): string => message.replace("%", () => String(value));
