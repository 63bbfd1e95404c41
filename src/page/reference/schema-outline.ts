import type { Json } from "../../lib/json/index.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import type { Model, ReferToModel } from "./models.js";
import { coreOf, type Direction, fieldsOf, hasInside, isScalarUnion, layersOf } from "./schema-inside.js";
import { type RuleSchema, ruleSchemas } from "./schema-rules.js";

/** A schema at one place of a page, with what is below it. */
export interface SchemaNode {
  readonly flat: FlatSchema;
  /** Of an array its innermost items; else `flat` itself. */
  readonly core: FlatSchema;
  /** Undefined if nothing is below. */
  readonly inside?: SchemaInside;
  /** What its rules say, those of a list's items included. */
  readonly rules?: readonly RuleNode[];
}
/** A schema of a rule with what is below it. */
export interface RuleNode {
  readonly rule: RuleSchema;
  readonly node: SchemaNode;
}

export type SchemaInside =
  | {
      readonly kind: "open";
      readonly fields: readonly SchemaField[];
      readonly unions: readonly (readonly SchemaOption[])[];
      /** Fields left out because the page would grow too large. */
      readonly omitted: number;
      /** Has the fields and options left out; undefined if there are none, or no pages of models. */
      readonly rest?: Model;
    }
  /** The same structure is an ancestor, `as`. */
  | { readonly kind: "same"; readonly as: SchemaNode }
  /** Shown on a page of its own because this page would grow too large. */
  | { readonly kind: "model"; readonly model: Model }
  /** Left out for the same reason, where there are no pages of models. */
  | { readonly kind: "cut" };

export interface SchemaField {
  /** `id`; `{key}` for other properties, `/^x-/` for a pattern, `[0]` for tuple items. */
  readonly name: string;
  readonly required: boolean;
  readonly node: SchemaNode;
}
export interface SchemaOption {
  readonly title: string | undefined;
  /** Property and value that select the option. */
  readonly discriminator?: { readonly property: string; readonly value: string };
  readonly node: SchemaNode;
}

/** Fields of all schemas of a page together, if it is the only page that can show them. A long description counts more. */
export const maxFields = 700;
export const maxDepth = 14;
/** A page that would show more than this shows only `largePageFields`; the others are on pages of models. */
const fullPageFields = 300;
const largePageFields = 120;
/** On such a page, a structure with more fields than this is shown once; on that of a model, only the model itself. */
const maxSmallFields = 8;

export type SchemaOutline = ReturnType<typeof createSchemaOutline>;

/** A node under construction. */
interface Growing extends SchemaNode {
  inside?: SchemaInside;
  rules?: readonly RuleNode[];
  readonly direction: Direction;
  readonly up?: Growing;
  readonly depth: number;
  /** Fields and options of `core` that another page shows. */
  readonly skip: number;
}

/**
 * Decides what a page shows of its schemas. All schemas are opened level by level, so that a full page lacks its
 * deepest fields and not its last response. A structure inside itself is named and not opened.
 *
 * @param referTo absent: there are no pages of models.
 */
export function createSchemaOutline(reader: SchemaReader, referTo?: ReferToModel) {
  const roots: Growing[] = [];
  let waiting: Growing[] = [];
  let left = 0;
  let isCut = false;
  /** Set while a page refers to pages of models. */
  let large: ReferToModel | undefined;
  let isModel = false;
  const opened = new Set<object>();

  const grow = (schemas: readonly Json[], direction: Direction, up: Growing | undefined, skip = 0) => {
    const flat = reader.flatten(...schemas);
    const depth = up === undefined ? 0 : up.depth + 1;
    const node: Growing = { flat, core: coreOf(flat, reader), direction, depth, skip, ...(up ? { up } : {}) };
    (up ? waiting : roots).push(node);
    return node;
  };

  const openNode = (node: Growing): void => {
    const { core } = node;
    const { identity } = core;
    const same = ancestorLike(node);
    if (!hasInside(core, reader)) {
      if (!same) openRules(node);
      return;
    }
    if (same) {
      node.inside = { kind: "same", as: same };
      return;
    }
    const isBig = core.properties.size > maxSmallFields;
    const isElsewhere =
      large && isBig && ((identity !== undefined && opened.has(identity)) || (isModel && node.up && core.refName));
    // What is small and has no name stays where it is, so that it needs no page.
    const isFull = left <= (large && !isBig && !core.refName ? -largePageFields : 0);
    // The page of a model shows all of it, not what is left of it on one of many pages.
    const isTooBig = large && isBig && node.up && core.properties.size > left;
    if (node.depth >= maxDepth || isFull || isElsewhere || isTooBig) {
      const model = modelOf(node, node.skip);
      isCut ||= !large || !model;
      node.inside = model ? { kind: "model", model } : { kind: "cut" };
      // A combination of schemas has no page, so a page that refers to others shows more of these.
      if (model || !large || node.depth >= maxDepth || left <= -largePageFields) return;
    }
    if (identity !== undefined) opened.add(identity);
    const { shown, omitted, seen, weight } = fieldsOf(node, reader, left);
    left -= weight;
    const fields = shown.map(({ name, required, schemas }) => ({
      name,
      required,
      node: grow(schemas, node.direction, node),
    }));
    const { unions, missing } = openUnions(node, large && omitted > 0 ? 0 : Number.POSITIVE_INFINITY, seen + omitted);
    const from = omitted > 0 ? seen : missing;
    const rest = from === undefined ? undefined : modelOf(node, from);
    isCut ||= from !== undefined && rest === undefined;
    node.inside = { kind: "open", fields, unions, omitted, ...(rest && { rest }) };
    if (node.skip === 0) openRules(node);
  };

  const openRules = (node: Growing): void => {
    const all = layersOf(node.flat, reader).flatMap(({ rules }) => rules);
    if (all.length === 0) return;
    const hasRoom = node.depth < maxDepth && left > -largePageFields;
    isCut ||= !hasRoom;
    if (!hasRoom) return;
    node.rules = ruleSchemas(all).map((rule) => ({ rule, node: grow([rule.schema], node.direction, node) }));
    left -= node.rules.length;
  };

  /**
   * @param room for options.
   * @param first number of the first option among the fields and options of the object.
   * @returns the tabs, and the number of the first option that is left out.
   */
  const openUnions = (node: Growing, room: number, first: number) => {
    const unions: SchemaOption[][] = [];
    let number = first;
    let missing: number | undefined;
    for (const { options, discriminator } of node.core.unions) {
      if (isScalarUnion(options, reader)) continue;
      const start = Math.min(options.length, Math.max(0, node.skip - number));
      const most = large && missing !== undefined ? 0 : Math.min(room, Math.max(2, Math.min(maxOptions, left)));
      const shownOptions = options.slice(start, start + most);
      left -= shownOptions.length;
      if (start + most < options.length) missing ??= number + start + shownOptions.length;
      number += options.length;
      if (shownOptions.length === 0) continue;
      unions.push(
        shownOptions.map((option): SchemaOption => {
          const { value } = option;
          const inner = grow([option.schema], node.direction, node);
          return {
            title: titleOf(inner.flat, value),
            ...(discriminator === undefined || value === undefined
              ? {}
              : { discriminator: { property: discriminator, value } }),
            node: inner,
          };
        }),
      );
    }
    return { unions, missing };
  };

  /** Undefined if there is no page that shows the same fields. */
  const modelOf = ({ core }: Growing, skip: number): Model | undefined => {
    const { identity, properties } = core;
    if (!large || identity === undefined) return undefined;
    const own = coreOf(reader.flatten(identity as Json), reader);
    return own.properties.size >= properties.size ? large(identity, skip) : undefined;
  };

  /** Opens all added schemas, from the start. */
  const openAll = (fieldCount: number): void => {
    left = fieldCount;
    isCut = false;
    opened.clear();
    waiting = [...roots];
    for (const root of roots) {
      delete root.inside;
      delete root.rules;
    }
    while (waiting.length > 0) {
      const level = waiting;
      waiting = [];
      for (const node of level) openNode(node);
    }
  };

  return {
    /** @param skip number of fields and options at its start that are left out. */
    add: (schema: Json, direction: Direction, skip = 0): SchemaNode =>
      grow(Array.isArray(schema) ? schema : [schema], direction, undefined, skip),
    /** Opens all added schemas. @param ofModel the page is that of a model. */
    open(ofModel = false): void {
      isModel = ofModel;
      if (isModel) large = referTo;
      openAll(isModel ? largePageFields : referTo ? fullPageFields : maxFields);
      if (!isCut || !referTo || large) return;
      large = referTo;
      openAll(largePageFields);
    },
    /** After `open`: whether something is left out that no other page has. */
    isCut: (): boolean => isCut,
    /** After `open`: whether the page refers to models. */
    isLarge: (): boolean => large !== undefined,
  };
}

/** More tabs than anyone reads. */
const maxOptions = 30;

function ancestorLike(node: Growing): Growing | undefined {
  const { identity } = node.core;
  if (identity === undefined) return undefined;
  for (let up = node.up; up !== undefined; up = up.up) if (up.core.identity === identity) return up;
  return undefined;
}

const titleOf = ({ title, refName }: FlatSchema, value: string | undefined): string | undefined =>
  title?.trim() ?? refName ?? value;
