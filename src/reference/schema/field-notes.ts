import type { RootContent } from "mdast";
import { isRawNumber, type Json, member, numberAt, shortJson, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { Describer } from "../pages/describe.js";
import {
  bulletList,
  clip,
  codeList,
  component,
  docsLink,
  fence,
  fieldNote,
  inlineCode,
  joined,
  paragraph,
  text,
  valueNote,
} from "../pages/nodes.js";
import { printJson } from "../samples/print-json.js";
import { type FlatSchema, valueKey } from "./flat-schema.js";
import { isFile } from "./type-label.js";

/** Options of an enumeration shown on a page; the rest is only counted. */
const maxOptions = 400;

/** If there are more than `most` options, all but the `first` are folded. */
const inSight = { most: 16, first: 10 } as const;
const maxOptionLength = 200;
const maxLongValue = 8_000;
const maxPatternLength = 300;
const maxExampleLength = 160;

/** The constraints of a value, one line each: options, range, length, pattern, example. */
export function fieldNotes(flat: FlatSchema, core: FlatSchema, messages: Messages): RootContent[] {
  const { limits } = flat;
  const isClosed = core.additional === false && core.properties.size > 0;
  // The options of an array's items are shown with the array.
  const values = core === flat ? [flat] : [flat, core];
  return [
    ...values.flatMap((schema) => optionNotes(schema, messages)),
    ...valueNote(messages.range, rangeOf(core)),
    ...valueNote(messages.multipleOf, core.limits.multipleOf),
    ...valueNote(messages.stringLength, between(core.limits.minLength, core.limits.maxLength)),
    ...valueNote(messages.itemCount, between(limits.minItems, limits.maxItems)),
    ...valueNote(messages.propertyCount, between(core.limits.minProperties, core.limits.maxProperties)),
    ...valueNote(messages.pattern, core.pattern && clip(core.pattern, maxPatternLength)),
    ...valueNote(messages.content, isFile(core) ? undefined : core.contentMediaType),
    ...sentenceNote(flat.uniqueItems, messages.uniqueItems),
    ...sentenceNote(isClosed, messages.noMoreProperties),
    ...sentenceNote(core.noMoreItems || flat.noMoreItems, messages.noMoreItems),
    ...fieldNote(
      messages.oneRequired,
      joined(core.requiredGroups.slice(0, maxOptions).map((group) => codeList(group, " + "))),
    ),
    ...valueNote(messages.example, exampleOf(flat)),
    ...docsNote(flat, messages),
  ];
}

const sentenceNote = (isTrue: boolean, sentence: string): RootContent[] =>
  isTrue ? fieldNote(undefined, [text(`${sentence}.`)]) : [];

function optionNotes(flat: FlatSchema, messages: Messages): RootContent[] {
  if (flat.const !== undefined) {
    const { value } = flat.const;
    const isShort = shortJson(value, maxOptionLength) !== undefined;
    return fieldNote(messages.allowedValue, [
      isShort ? inlineCode(valueText(value)) : fence("json", printJson(value, maxLongValue)),
    ]);
  }
  const values = flat.enum ?? [];
  if (values.length === 0) return [];
  const codes = values.slice(0, maxOptions).map(valueText);
  const isFolded = codes.length > inSight.most;
  const rest = isFolded ? `${codes.length - inSight.first} ${messages.options}` : undefined;
  const note = (shown: number, children: readonly RootContent[]): RootContent[] => {
    const props = { label: messages.availableOptions, shown: isFolded ? shown : undefined, rest };
    return [component("FieldNote", props, children)];
  };
  const explanations = values.map((value) => flat.enumNotes.get(valueKey(value)));
  if (explanations.slice(0, maxOptions).some((about) => about !== undefined)) {
    const items = codes.map((code, i) => {
      const about = explanations[i];
      return [inlineCode(code), ...(about === undefined ? [] : [text(`: ${clip(about, 500)}`)])];
    });
    const lists = isFolded ? [items.slice(0, inSight.first), items.slice(inSight.first)] : [items];
    return note(1, lists.map(bulletList));
  }
  const more = values.length > maxOptions ? [text(`, … (${values.length})`)] : [];
  // Every option but the first has a comma node before it.
  return note(inSight.first * 2, [...codeList(codes), ...more]);
}

/** A value on one line, cut to a limit. */
export const valueText = (value: Json): string =>
  plain(
    value,
    shortJson(value, maxOptionLength) ?? clip(printJson(value, maxOptionLength).replace(/\s+/g, " "), maxOptionLength),
  );

/** Strings of an enumeration are shown without quotes, other values as JSON. */
const plain = (value: Json, json: string): string =>
  typeof value === "string" && value.trim() !== "" && value.trim() === value ? value : json;

function rangeOf(flat: FlatSchema): string | undefined {
  const low = boundOf(digitsOf(flat, "minimum"), digitsOf(flat, "exclusiveMinimum"));
  const high = boundOf(digitsOf(flat, "maximum"), digitsOf(flat, "exclusiveMaximum"));
  if (low && high) return `${low.value} ${low.sign} x ${high.sign} ${high.value}`;
  if (low) return `x ${low.sign.replace("<", ">")} ${low.value}`;
  return high && `x ${high.sign} ${high.value}`;
}

/** A limit as it is written. */
function digitsOf(
  { limits, parts }: FlatSchema,
  name: "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum",
) {
  if (limits[name] === undefined) return undefined;
  const written = parts.map((part) => numberAt(part, name) === limits[name] && member(part, name)).find(isRawNumber);
  return JSON.stringify(written ?? limits[name]);
}

function boundOf(closed: string | undefined, open: string | undefined) {
  if (open !== undefined) return { value: open, sign: "<" };
  return closed === undefined ? undefined : { value: closed, sign: "<=" };
}

function between(low: number | undefined, high: number | undefined): string | undefined {
  if (low === undefined || (low === 0 && high !== undefined)) return high === undefined ? undefined : `<= ${high}`;
  if (high === undefined) return low === 0 ? undefined : `>= ${low}`;
  return low === high ? String(low) : `${low} - ${high}`;
}

/** An example on one line; undefined if it is too long. */
export function exampleText(value: Json): string | undefined {
  const json = shortJson(value, maxExampleLength);
  return json && plain(value, json);
}

/** A short example; long ones are in the samples. */
function exampleOf(flat: FlatSchema): string | undefined {
  const [value] = flat.examples;
  if (value === undefined || value === null || flat.const !== undefined) return undefined;
  if (typeof value === "object" && Object.keys(value).length === 0) return undefined;
  return exampleText(value);
}

const docsNote = ({ externalDocs }: FlatSchema, { moreInformation }: Messages): RootContent[] => {
  const shown = docsLink(externalDocs, moreInformation);
  return shown.length === 0 ? [] : fieldNote(undefined, shown);
};

type Parts = readonly (Json | undefined)[];

const dates = [
  { key: "x-deprecated-at", label: "deprecatedSince" },
  { key: "x-deprecatedInVersion", label: "deprecatedSince" },
  { key: "x-sunset", label: "availableUntil" },
] as const;

/** `x-deprecated-at` and `x-sunset`: dates as written, with what they say. */
const datesOf = (parts: Parts, messages: Messages) =>
  dates.flatMap(({ key, label }) => {
    const date = parts.map((part) => textAt(part, key)?.trim()).find((each) => each !== undefined && each !== "");
    return date === undefined ? [] : [{ label: messages[label], date: clip(date, 60) }];
  });

const reasons = ["x-deprecatedMessage", "x-deprecated-message", "x-deprecation-message", "x-deprecated"];

/** Why something is deprecated, or what replaces it: Markdown of an extension. */
export const endReason = (parts: Parts): string | undefined =>
  reasons.flatMap((key) => parts.map((part) => textAt(part, key)?.trim())).find(Boolean);

/** Whether an extension says that something is deprecated. */
export const hasEnd = (parts: Parts): boolean =>
  ["x-deprecated-at", "x-deprecatedInVersion"].some((key) => parts.some((part) => textAt(part, key) !== undefined)) ||
  endReason(parts) !== undefined;

/** Lines below a field. */
export const endNotes = (parts: Parts, messages: Messages): RootContent[] =>
  datesOf(parts, messages).flatMap(({ label, date }) => valueNote(label, date));

/** A notice above an operation. */
export function endNotice(operation: Json, messages: Messages, describe: Describer["field"]): RootContent[] {
  const lines = datesOf([operation], messages).map(({ label, date }) =>
    paragraph(text(`${label}: `), inlineCode(date)),
  );
  const notice = [...lines, ...describe(endReason([operation]))];
  return notice.length === 0 ? [] : [component("Warning", {}, notice)];
}
