import type { RootContent } from "mdast";
import type { Json } from "../../lib/json/index.js";
import { textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { clip, component, inlineCode, paragraph, text } from "./nodes.js";

type Parts = readonly (Json | undefined)[];

const dates = [
  { key: "x-deprecated-at", label: "deprecatedSince" },
  { key: "x-sunset", label: "availableUntil" },
] as const;

/** `x-deprecated-at` and `x-sunset`: dates as written, with what they say. */
const datesOf = (parts: Parts, messages: Messages) =>
  dates.flatMap(({ key, label }) => {
    const date = parts.map((part) => textAt(part, key)?.trim()).find((each) => each !== undefined && each !== "");
    return date === undefined ? [] : [{ label: messages[label], date: clip(date, 60) }];
  });

/** Whether something is deprecated since a date. */
export const hasEnd = (parts: Parts): boolean => parts.some((part) => textAt(part, "x-deprecated-at") !== undefined);

/** Lines below a field. */
export const endNotes = (parts: Parts, messages: Messages): RootContent[] =>
  datesOf(parts, messages).map(({ label, date }) => component("FieldNote", { label }, [inlineCode(date)]));

/** A notice above an operation. */
export function endNotice(operation: Json, messages: Messages): RootContent[] {
  const found = datesOf([operation], messages);
  if (found.length === 0) return [];
  return [
    component(
      "Warning",
      {},
      found.map(({ label, date }) => paragraph(text(`${label}: `), inlineCode(date))),
    ),
  ];
}
