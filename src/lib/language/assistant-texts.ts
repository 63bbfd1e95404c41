import type { AssistantMessages, Locale, Messages } from "./messages.js";

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

/** All texts of the panel. */
export const assistantTexts = ({ page, assistant }: Locale): AssistantTexts => ({
  ...(Object.fromEntries(sharedKeys.map((key) => [key, page[key]])) as Pick<Messages, (typeof sharedKeys)[number]>),
  ...assistant,
});
