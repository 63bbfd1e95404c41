import type { Locale, Messages, PlaygroundMessages } from "./messages.js";

/** Messages that the playground shares with the page. */
const sharedKeys = [
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

export type PlaygroundKey = (typeof sharedKeys)[number] | keyof PlaygroundMessages;

/** The texts of all `PlaygroundKey`s, as JSON. */
export const playgroundMessages = ({ page, playground }: Locale): string =>
  JSON.stringify({ ...playground, ...Object.fromEntries(sharedKeys.map((key) => [key, page[key]])) });
