import type { PhrasingContent, RootContent } from "mdast";
import * as json from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { isSentence } from "../../lib/plain-text.js";
import { readBadges } from "../../site/specs/index.js";
import type { Describer } from "../pages/describe.js";
import * as md from "../pages/nodes.js";
import { printJson } from "../samples/print-json.js";
import { type FlatSchema, valueKey } from "./flat-schema.js";
import { hasExtensions } from "./reader-view.js";
import { hasWords } from "./schema-inside.js";
import type { SchemaNode } from "./schema-outline.js";
import { isFile } from "./type-label.js";

/** Further options are one text, so that a page with thousands stays light. */
const maxOptions = 400;
/** Longer values are blocks of code. */
const maxLineLength = 200;
const maxExampleLength = 160;
/** Longer examples have no colours: each would be hundreds of elements. */
const maxColoredLength = 600;

/** The constraints of a value, one line each: options, range, length, pattern, example. */
export function fieldNotes(
  { flat, core, layers, inside }: SchemaNode,
  messages: Messages,
  examples = exampleNotes(flat.const === undefined ? flat.examples : [], messages),
): RootContent[] {
  const isClosed = core.additional === false && core.properties.size > 0;
  const unions = inside?.kind === "open" ? inside.unions : [];
  const isInOptions = (name: string): boolean =>
    unions.some((options) => options.every(({ node: option }) => option.core.required.has(name)));
  const missing = namesWithoutProperty(core).filter((name) => !isInOptions(name));
  // The options of an array's items are shown with the array.
  const values = core === flat ? [flat] : [flat, core];
  return [
    ...values.flatMap((schema) => optionNotes(schema, messages)),
    ...md.valueNote(messages.range, rangeOf(core)),
    ...md.valueNote(messages.multipleOf, core.limits.multipleOf),
    ...md.valueNote(messages.stringLength, between(core.limits.minLength, core.limits.maxLength)),
    ...md.valueNote(messages.itemCount, itemCount(layers)),
    ...md.valueNote(messages.propertyCount, between(core.limits.minProperties, core.limits.maxProperties)),
    ...(core.pattern === undefined ? [] : md.codesNote(messages.pattern, patternsOf(core), messages.options)),
    ...md.valueNote(messages.content, isAnyFile(core) ? undefined : core.contentMediaType),
    ...sentenceNote(
      layers.some(({ uniqueItems }) => uniqueItems),
      messages.uniqueItems,
    ),
    ...sentenceNote(isClosed, messages.noMoreProperties),
    ...sentenceNote(core.noMoreItems || flat.noMoreItems, messages.noMoreItems),
    ...(core.required.size > 0 ? md.codesNote(messages.required, missing, messages.attributes) : []),
    ...oneRequired(core, messages),
    ...layers.slice(1).flatMap((items) => itemNotes(items, messages)),
    ...examples,
    // Those of objects are in the samples.
    ...(core === flat || inside ? [] : exampleNotes(core.examples, messages)),
    ...layers.flatMap(({ externalDocs }) =>
      md.fieldNote(undefined, md.docsLink(externalDocs, messages.moreInformation)),
    ),
  ];
}

const isAnyFile = (flat: FlatSchema): boolean => isFile(flat) && flat.contentMediaType === "application/octet-stream";

/** What the line of a field says of a list, said of its items: `items: deprecated, default: jib`. */
function itemNotes(flat: FlatSchema, messages: Messages): RootContent[] {
  const { default: written } = flat;
  const facts = [
    ...stateFacts(flat, messages),
    ...(written === undefined ? [] : [[md.text(`${messages.defaultValue} `), md.inlineCode(valueText(written.value))]]),
  ];
  return md.fieldNote("items", md.joined(facts));
}

/** Whether a value is deprecated, only read or only written, and its badges. */
function stateFacts({ deprecated, readOnly, writeOnly, parts }: FlatSchema, messages: Messages): PhrasingContent[][] {
  const extended = parts.filter(hasExtensions);
  const states = [
    deprecated || hasEnd(extended) ? messages.deprecatedField : [],
    readOnly ? messages.readOnly : [],
    writeOnly ? messages.writeOnly : [],
    pillsOf(extended, "pre") ?? [],
    pillsOf(extended, "post") ?? [],
    extended.flatMap(readBadges).map(({ name }) => name),
  ];
  return states.flat().map((state) => [md.text(state)]);
}

export const maxPills = 12;
const maxPillLength = 80;

/** The texts of pills, shortened. */
export const shortened = (texts: readonly string[]): string[] | undefined =>
  texts.length > 0 ? texts.slice(0, maxPills).map((each) => md.clip(each, maxPillLength)) : undefined;

export const pillsOf = (parts: Parts, name: "pre" | "post"): string[] | undefined =>
  shortened(parts.flatMap((part) => json.textsAt(json.member(part, "x-mint"), name)));

/**
 * Further texts about a value: titles, descriptions and reasons for its end, of the schemas that it refers to or combines,
 * and of a list's items. None if another place shows the structure, because they are shown there.
 *
 * @param shown what the page says before.
 */
export function furtherTexts(shown: string, { layers, inside }: Pick<SchemaNode, "layers" | "inside">): string[] {
  if (inside?.kind === "model" || inside?.kind === "same") return [];
  const texts = layers.flatMap(({ title, parts }) => [
    hasWords(title) ? title : undefined,
    ...parts.flatMap((part) => [sentenceOf(part), json.textAt(part, "description"), endReason([part])]),
  ]);
  return [...new Set(texts.map((each) => each?.trim() ?? ""))].filter((each) => !shown.includes(each));
}

/** A title that says more than a name. Another title may have taken its place. */
const sentenceOf = (part: json.Json): string | undefined => {
  const title = json.textAt(part, "title");
  return title !== undefined && (isSentence(title) || title.trim().split(/\s+/, 4).length === 4) ? title : undefined;
};

/** Formats that the type does not name: of several schemas that apply together, or of a list or an object. */
export const formatNote = ({ layers }: SchemaNode, type: string): RootContent[] => {
  const formats = layers.flatMap(({ parts }) => parts).flatMap((part) => json.textAt(part, "format") ?? []);
  return md.codesNote(
    "format",
    [...new Set(formats)].filter((format) => format !== "binary" && !type.includes(format)),
    "",
  );
};

/** Required names that no property describes. */
export const namesWithoutProperty = ({ required, properties }: FlatSchema): string[] =>
  [...required].filter((name) => !properties.has(name));

/** All patterns that apply: schemas that are combined may each have one. */
const patternsOf = ({ parts }: FlatSchema): string[] => [
  ...new Set(parts.flatMap((part) => json.textAt(part, "pattern") ?? [])),
];

function oneRequired({ requiredGroups }: FlatSchema, messages: Messages): RootContent[] {
  const items = requiredGroups.map(({ names, about }) => [
    ...md.codeList(names, " + "),
    ...(about === "" ? [] : [md.text(`: ${about}`)]),
  ]);
  return requiredGroups.some(({ about }) => about !== "")
    ? md.linesNote(messages.oneRequired, items, messages.options)
    : md.fieldNote(messages.oneRequired, md.joined(items));
}

const sentenceNote = (isTrue: boolean, sentence: string): RootContent[] =>
  isTrue ? md.fieldNote(undefined, [md.text(`${sentence}.`)]) : [];

function optionNotes(flat: FlatSchema, messages: Messages): RootContent[] {
  if (flat.const !== undefined) {
    const { value } = flat.const;
    const isShort = json.shortJson(value, maxLineLength) !== undefined;
    return md.fieldNote(messages.allowedValue, [isShort ? md.inlineCode(valueText(value)) : longValue(value)]);
  }
  const values = flat.enum ?? [];
  if (values.length === 0) return [];
  const codes = values.map(valueText);
  const more = codes.length > maxOptions ? [md.text(`, ${codes.slice(maxOptions).join(", ")}`)] : [];
  const explanations = values.map((value) => flat.enumNotes.get(valueKey(value)));
  if (explanations.some((about) => about !== undefined)) {
    const items = codes.map((code, i) => {
      const about = explanations[i];
      return [md.inlineCode(code), ...(about === undefined ? [] : [md.text(`: ${about}`)])];
    });
    return md.linesNote(messages.availableOptions, items, messages.options);
  }
  return md.codesNote(messages.availableOptions, codes.slice(0, maxOptions), messages.options, more);
}

/** A value on one line: strings without quotes, other values as JSON. */
export const valueText = (value: json.Json): string =>
  typeof value === "string" && value.trim() !== "" && value.trim() === value ? value : json.stringify(value);

const longValue = (value: json.Json): RootContent => {
  const printed = typeof value === "string" ? value : printJson(value, Number.POSITIVE_INFINITY);
  return md.fence(typeof value === "string" || printed.length > maxColoredLength ? "text" : "json", printed);
};

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
  const written = parts
    .map((part) => json.numberAt(part, name) === limits[name] && json.member(part, name))
    .find(json.isRawNumber);
  return JSON.stringify(written ?? limits[name]);
}

function boundOf(closed: string | undefined, open: string | undefined) {
  if (open !== undefined) return { value: open, sign: "<" };
  return closed === undefined ? undefined : { value: closed, sign: "<=" };
}

/** How many items a list has; of lists inside a list each in brackets: `[>= 3][<= 31]`. */
function itemCount(layers: readonly FlatSchema[]): string | undefined {
  const counts = layers.map(({ limits, items, prefixItems }, i) =>
    i === 0 || items.length + prefixItems.length > 0 ? between(limits.minItems, limits.maxItems) : undefined,
  );
  const end = counts.findLastIndex((count) => count !== undefined) + 1;
  return end < 2
    ? counts[0]
    : counts
        .slice(0, end)
        .map((count = "") => `[${count}]`)
        .join("");
}

function between(low: number | undefined, high: number | undefined): string | undefined {
  if (low === undefined || (low === 0 && high !== undefined)) return high === undefined ? undefined : `<= ${high}`;
  if (high === undefined) return low === 0 ? undefined : `>= ${low}`;
  return low === high ? String(low) : `${low} - ${high}`;
}

/** The examples of a value: short ones on a line, the others folded. Of several that are equal, the first. */
export function exampleNotes(values: readonly json.Json[], messages: Messages): RootContent[] {
  const isTelling = (value: json.Json): boolean =>
    value !== null && !(typeof value === "object" && Object.keys(value).length === 0);
  const examples = [...new Map(values.filter(isTelling).map((value) => [json.stringify(value), value])).values()];
  const [short, long] = [examples.filter(isShort), examples.filter((value) => !isShort(value))];
  return [
    ...(short.length === 0 ? [] : md.codesNote(messages.example, short.map(valueText), messages.examples)),
    ...md.expandable(messages.example, long.map(longValue)),
  ];
}

const defaultLabel = ({ defaultValue }: Messages): string => defaultValue.replace(/[:：\s]+$/u, "");

const isShort = (value: json.Json): boolean => json.shortJson(value, maxExampleLength) !== undefined;

/** A default that is too long for the line of its field. */
export const longDefault = ({ default: written }: FlatSchema, messages: Messages): RootContent[] =>
  written === undefined || isShort(written.value)
    ? []
    : md.expandable(defaultLabel(messages), [longValue(written.value)]);

/** What the line of a field says, for a value that is no field. @param type undefined if it is shown elsewhere. */
export function headNotes(flat: FlatSchema, type: string | undefined, messages: Messages): RootContent[] {
  const { default: written } = flat;
  const facts = [...(type === undefined ? [] : [[md.inlineCode(type)]]), ...stateFacts(flat, messages)];
  return [
    ...md.fieldNote(undefined, md.joined(facts)),
    ...(written && isShort(written.value) ? md.valueNote(defaultLabel(messages), valueText(written.value)) : []),
    ...longDefault(flat, messages),
  ];
}

type Parts = readonly (json.Json | undefined)[];

const dates = [
  { key: "x-deprecated-at", label: "deprecatedSince" },
  { key: "x-deprecatedInVersion", label: "deprecatedSince" },
  { key: "x-sunset", label: "availableUntil" },
] as const;

/** `x-deprecated-at` and `x-sunset`: dates as written, with their labels. */
const datesOf = (parts: Parts, messages: Messages) =>
  dates.flatMap(({ key, label }) => {
    const date = parts.map((part) => json.textAt(part, key)?.trim()).find(Boolean);
    return date === undefined ? [] : [{ label: messages[label], date: md.clip(date, 60) }];
  });

const reasons = ["", "speakeasy-", "stainless-"]
  .map((vendor) => `x-${vendor}deprecation-message`)
  .concat("x-deprecatedMessage", "x-deprecated-message", "x-deprecated");

/** Why something is deprecated, or what replaces it: Markdown of an extension. */
export const endReason = (parts: Parts): string | undefined =>
  reasons.flatMap((key) => parts.map((part) => json.textAt(part, key)?.trim())).find(Boolean);

/** Whether an extension says that something is deprecated. */
export const hasEnd = (parts: Parts): boolean =>
  ["x-deprecated-at", "x-deprecatedInVersion"].some((key) =>
    parts.some((part) => json.textAt(part, key) !== undefined),
  ) || endReason(parts) !== undefined;

export const endNotes = (parts: Parts, messages: Messages): RootContent[] =>
  datesOf(parts, messages).flatMap(({ label, date }) => md.valueNote(label, date));

/** A notice above an operation. */
export function endNotice(operation: json.Json, messages: Messages, describe: Describer["field"]): RootContent[] {
  const lines = datesOf([operation], messages).map(({ label, date }) =>
    md.paragraph(md.text(`${label}: `), md.inlineCode(date)),
  );
  return md.componentWith("Warning", {}, [...lines, ...describe(endReason([operation]))]);
}
