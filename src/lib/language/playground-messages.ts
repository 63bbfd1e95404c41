import type { Locale, Messages, PlaygroundMessages } from "./messages.js";
import playgroundOnly from "./playground-keys.json" with { type: "json" };

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

/** Messages that only the playground has: all of `PlaygroundMessages`. */
const ownKeys = playgroundOnly as readonly (keyof PlaygroundMessages)[];

export const playgroundKeys = [...sharedKeys, ...ownKeys] as const;
export type PlaygroundKey = (typeof playgroundKeys)[number];

/** The texts of all `playgroundKeys`, in their order, separated by `|`. */
export const playgroundMessages = ({ page, playground }: Locale): string =>
  [...sharedKeys.map((key) => page[key]), ...ownKeys.map((key) => playground[key])].join("|");
