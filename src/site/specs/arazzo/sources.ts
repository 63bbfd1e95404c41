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
import { rememberedFor } from "../../../lib/memo.js";
import type { ApiSpec } from "../../api-spec.js";
import type { SpecEntry } from "../entry-reader.js";

/** A document to which the steps of workflows refer. */
export interface SourceSpec {
  readonly spec: ApiSpec;
  readonly entries: readonly SpecEntry[];
}
/** The sources by their names; `""` is the document itself. */
export type Sources = ReadonlyMap<string, SourceSpec>;

export const sourceDescriptions = (document: JsonObject) =>
  listAt(document, "sourceDescriptions").flatMap((source, i) => {
    const name = textAt(source, "name");
    const url = textAt(source, "url");
    const type = textAt(source, "type") ?? "openapi";
    const format = (["openapi", "asyncapi", "arazzo"] as const).find((valid) => valid === type);
    if (name === undefined || url === undefined || format === undefined) return [];
    return [{ name, url, format, pointer: pointerTo("sourceDescriptions", i) }];
  });

/** The keys of a step that refer to what it calls. */
export const callKeys = ["operationId", "operationPath", "channelPath", "workflowId"] as const;

/** The operation, channel or workflow that a step calls. */
export interface Call {
  /** Name of the source; empty for the document of the step. */
  readonly source: string;
  readonly entry: SpecEntry;
}

/** Finds the entry that a step or an action calls; undefined if no source has it. */
export function findCall(written: JsonObject, sources: Sources): Call | undefined {
  const key = callKeys.find((name) => textAt(written, name) !== undefined);
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

/**
 * Returns the id of a step, and its workflow in the form that `findWorkflow` accepts, unless the step is in the same one.
 *
 * @param text the id of a step, `$workflows.other.steps.id`, or `$sourceDescriptions.name.other.steps.id`.
 */
export function parseStepReference(text: string): { readonly id: string; readonly workflow?: string } {
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

/** Ids that a step can call, for a suggestion. */
export const idsIn = (sources: Sources): string[] =>
  [...sources].flatMap(([, { spec, entries }]) => [
    ...entries.flatMap(({ operationId }) => operationId ?? []),
    ...(spec.format === "asyncapi" ? entriesAt(spec.document, "operations").map(([name]) => name) : []),
  ]);

/** The names of the inputs of a workflow; undefined if it accepts others, too. */
export function inputNames(spec: ApiSpec, workflow: JsonObject): readonly string[] | undefined {
  const written = workflow["inputs"];
  const reference = textAt(written, "$ref");
  const inputs = reference === undefined ? written : spec.resolve(reference);
  const isPlain = isObject(inputs) && !["$ref", "allOf", "anyOf", "oneOf", "if"].some((key) => key in inputs);
  return isPlain ? entriesAt(inputs, "properties").map(([name]) => name) : undefined;
}

/** The entries of a source by the names that steps use; if two have the same name, the first one. */
const indexEntries = rememberedFor((entries: readonly SpecEntry[]) => {
  const by = (keyOf: (entry: SpecEntry) => string | undefined): Map<string, SpecEntry> => {
    const byKey = new Map<string, SpecEntry>();
    for (const entry of entries) {
      const key = keyOf(entry);
      if (key !== undefined && !byKey.has(key)) byKey.set(key, entry);
    }
    return byKey;
  };
  return {
    workflows: by(({ kind, name }) => (kind === "workflow" ? name : undefined)),
    ids: by(({ operationId }) => operationId),
    pointers: by(({ pointer }) => pointer),
  };
});
const none: readonly SpecEntry[] = [];
const indexOf = (source: SourceSpec | undefined) => indexEntries(source?.entries ?? none);
