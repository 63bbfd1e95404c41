import { parseExpression } from "../../../lib/arazzo/expression.js";
import {
  entriesAt,
  isObject,
  type JsonObject,
  listAt,
  member,
  pathOf,
  pointerTo,
  textAt,
} from "../../../lib/json/index.js";
import type { ApiSpec } from "../../api-spec.js";
import type { SpecEntry } from "../entry-reader.js";

/** A document that the steps of workflows refer to. */
export interface SourceSpec {
  readonly spec: ApiSpec;
  readonly entries: readonly SpecEntry[];
}
/** By their names; the document itself is `""`. */
export type Sources = ReadonlyMap<string, SourceSpec>;

export interface SourceDescription {
  readonly name: string;
  readonly url: string;
  readonly format: ApiSpec["format"];
  readonly pointer: string;
}

export const sourceDescriptions = (document: JsonObject): SourceDescription[] =>
  listAt(document, "sourceDescriptions").flatMap((each, i): SourceDescription[] => {
    const name = textAt(each, "name");
    const url = textAt(each, "url");
    const type = textAt(each, "type") ?? "openapi";
    const format = (["openapi", "asyncapi", "arazzo"] as const).find((known) => known === type);
    if (name === undefined || url === undefined || format === undefined) return [];
    return [{ name, url, format, pointer: pointerTo("sourceDescriptions", i) }];
  });

/** How a step names what it calls. */
export const callKeys = ["operationId", "operationPath", "channelPath", "workflowId"] as const;

/** What a step calls. */
export interface Call {
  /** Name of the source; empty for the document of the step. */
  readonly source: string;
  readonly entry: SpecEntry;
}

/** Finds what a step or an action calls; undefined if no source has it. */
export function findCall(written: JsonObject, sources: Sources): Call | undefined {
  const key = callKeys.find((each) => textAt(written, each) !== undefined);
  const text = key === undefined ? undefined : textAt(written, key);
  if (key === undefined || text === undefined) return undefined;
  if (key === "workflowId") return findWorkflow(text, sources);
  return key === "operationId" ? findById(text, sources) : findByPath(text, sources);
}

/** @param text the id of a workflow, or `$sourceDescriptions.other.id`. */
export function findWorkflow(text: string, sources: Sources): Call | undefined {
  const expression = parseExpression(text);
  if (expression !== undefined && expression.kind !== "sourceDescriptions") return undefined;
  const [source, id] = expression === undefined ? ["", text] : [expression.source, expression.id];
  const entry = indexOf(sources.get(source)).workflows.get(id);
  return entry && { source, entry };
}

/** A step that another one names. */
export interface StepReference {
  readonly id: string;
  /** As `findWorkflow` takes it; absent: the step is in the same workflow. */
  readonly workflow?: string;
}

/** @param text the id of a step, `$workflows.other.steps.id`, or `$sourceDescriptions.name.other.steps.id`. */
export function parseStepReference(text: string): StepReference {
  const [, holder, id] = /^\$(workflows\.[\w-]+|sourceDescriptions\.[\w-]+\.[\w-]+)\.steps\.([\w-]+)$/.exec(text) ?? [];
  if (holder === undefined || id === undefined) return { id: text };
  return { id, workflow: holder.startsWith("w") ? holder.slice("workflows.".length) : `$${holder}` };
}

function findById(text: string, sources: Sources): Call | undefined {
  const expression = parseExpression(text);
  if (expression !== undefined && expression.kind !== "sourceDescriptions") return undefined;
  const id = expression?.id ?? text;
  for (const [source, described] of sources) {
    if (source === "" || (expression !== undefined && source !== expression.source)) continue;
    const entry = indexOf(described).ids.get(id) ?? channelOf(described, id);
    if (entry !== undefined) return { source, entry };
  }
  return undefined;
}

/** The channel of an operation of AsyncAPI. */
function channelOf(described: SourceSpec, id: string): SpecEntry | undefined {
  const { spec } = described;
  if (spec.format !== "asyncapi") return undefined;
  const reference = textAt(member(member(member(spec.document, "operations"), id), "channel"), "$ref");
  return reference === undefined ? undefined : indexOf(described).pointers.get(reference);
}

/** @param text `{$sourceDescriptions.shop.url}#/paths/~1orders/post` */
function findByPath(text: string, sources: Sources): Call | undefined {
  const hash = text.indexOf("#/");
  if (hash < 0) return findById(text, sources);
  const expression = parseExpression(text.slice(0, hash).replace(/^\{|\}$/g, ""));
  if (expression?.kind !== "sourceDescriptions") return undefined;
  const pointer = pointerTo(...pathOf(text.slice(hash)));
  const entry = indexOf(sources.get(expression.source)).pointers.get(pointer);
  return entry && { source: expression.source, entry };
}

/** Ids that a step can name, for a suggestion. */
export const idsIn = (sources: Sources): string[] =>
  [...sources].flatMap(([, { spec, entries }]) => [
    ...entries.flatMap(({ operationId }) => operationId ?? []),
    ...(spec.format === "asyncapi" ? entriesAt(spec.document, "operations").map(([name]) => name) : []),
  ]);

/** The names that the inputs of a workflow have; undefined if others may be given too. */
export function inputNames(spec: ApiSpec, workflow: JsonObject): readonly string[] | undefined {
  const written = workflow["inputs"];
  const reference = textAt(written, "$ref");
  const inputs = reference === undefined ? written : spec.resolve(reference);
  const isPlain = isObject(inputs) && !["$ref", "allOf", "anyOf", "oneOf", "if"].some((key) => key in inputs);
  return isPlain ? entriesAt(inputs, "properties").map(([name]) => name) : undefined;
}

interface EntryIndex {
  readonly workflows: ReadonlyMap<string, SpecEntry>;
  readonly ids: ReadonlyMap<string, SpecEntry>;
  readonly pointers: ReadonlyMap<string, SpecEntry>;
}
const indexes = new WeakMap<readonly SpecEntry[], EntryIndex>();

/** The entries of a source by what steps call them; of two with one name the first. */
function indexOf(source: SourceSpec | undefined): EntryIndex {
  const { entries = [] } = source ?? {};
  const known = indexes.get(entries);
  if (known) return known;
  const by = (keyOf: (entry: SpecEntry) => string | undefined): Map<string, SpecEntry> => {
    const byKey = new Map<string, SpecEntry>();
    for (const entry of entries) {
      const key = keyOf(entry);
      if (key !== undefined && !byKey.has(key)) byKey.set(key, entry);
    }
    return byKey;
  };
  const index = {
    workflows: by(({ kind, name }) => (kind === "workflow" ? name : undefined)),
    ids: by(({ operationId }) => operationId),
    pointers: by(({ pointer }) => pointer),
  };
  indexes.set(entries, index);
  return index;
}
