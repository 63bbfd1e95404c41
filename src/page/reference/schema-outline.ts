import type { Json } from "../../lib/json/index.js";
import type { FlatSchema, SchemaReader, UnionOption } from "./flat-schema.js";

/** A schema at one place of a page, with what is below it. */
export interface SchemaNode {
  readonly flat: FlatSchema;
  /** Of an array its innermost items; else `flat` itself. */
  readonly core: FlatSchema;
  /** Undefined if nothing is below. */
  readonly inside?: SchemaInside;
}

export type SchemaInside =
  | {
      readonly kind: "open";
      readonly fields: readonly SchemaField[];
      readonly unions: readonly (readonly SchemaOption[])[];
      /** Fields left out because the page would grow too large. */
      readonly omitted: number;
    }
  /** The same structure is an ancestor, `as`. */
  | { readonly kind: "same"; readonly as: SchemaNode }
  /** Left out because the page would grow too large. */
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

/** Direction of the data: `readOnly` properties are left out of requests, `writeOnly` ones out of responses. */
export type Direction = "request" | "response" | "both";

/** Fields of all schemas of a page together. */
export const maxFields = 700;
export const maxDepth = 14;

export type SchemaOutline = ReturnType<typeof createSchemaOutline>;

/** A node under construction. */
interface Growing extends SchemaNode {
  inside?: SchemaInside;
  readonly direction: Direction;
  readonly up?: Growing;
  readonly depth: number;
}

/**
 * Decides what a page shows of its schemas. All schemas are opened level by level, so that a full page lacks its
 * deepest fields and not its last response. A structure inside itself is named and not opened.
 */
export function createSchemaOutline(reader: SchemaReader) {
  let waiting: Growing[] = [];
  let left = maxFields;
  let isCut = false;

  const grow = (schemas: readonly Json[], direction: Direction, up: Growing | undefined): Growing => {
    const flat = reader.flatten(...schemas);
    const depth = up === undefined ? 0 : up.depth + 1;
    const node: Growing = { flat, core: coreOf(flat, reader), direction, depth, ...(up ? { up } : {}) };
    waiting.push(node);
    return node;
  };

  const openNode = (node: Growing): void => {
    const { core } = node;
    if (!hasInside(core, reader)) return;
    const same = ancestorLike(node);
    if (same) {
      node.inside = { kind: "same", as: same };
      return;
    }
    if (node.depth >= maxDepth || left <= 0) {
      node.inside = { kind: "cut" };
      isCut = true;
      return;
    }
    const { shown, omitted } = fieldsOf(core, node.direction, reader, left);
    left -= shown.length;
    isCut ||= omitted > 0;
    const fields = shown.map(({ name, required, schemas }) => ({
      name,
      required,
      node: grow(schemas, node.direction, node),
    }));
    const unions = core.unions
      .filter((union) => !isScalarUnion(union.options, reader))
      .map(({ options, discriminator }) => {
        const shownOptions = options.slice(0, Math.max(2, Math.min(maxOptions, left)));
        left -= shownOptions.length;
        isCut ||= shownOptions.length < options.length;
        return shownOptions.map((option): SchemaOption => {
          const { value } = option;
          const inner = grow([option.schema], node.direction, node);
          return {
            title: titleOf(inner.flat, value),
            ...(discriminator === undefined || value === undefined
              ? {}
              : { discriminator: { property: discriminator, value } }),
            node: inner,
          };
        });
      });
    node.inside = { kind: "open", fields, unions, omitted };
  };

  return {
    add: (schema: Json, direction: Direction): SchemaNode =>
      grow(Array.isArray(schema) ? schema : [schema], direction, undefined),
    /** Opens all added schemas. */
    open(): void {
      while (waiting.length > 0) {
        const level = waiting;
        waiting = [];
        for (const node of level) openNode(node);
      }
    },
    /** After `open`: whether something was left out. */
    isCut: (): boolean => isCut,
  };
}

/** More tabs than anyone reads. */
const maxOptions = 30;
const maxArrayDepth = 10;

function coreOf(flat: FlatSchema, reader: SchemaReader): FlatSchema {
  let core = flat;
  for (let depth = 0; depth < maxArrayDepth; depth++) {
    if (core.items.length === 0 || core.properties.size > 0 || core.prefixItems.length > 0) return core;
    core = reader.flatten(...core.items);
  }
  return core;
}

const hasInside = (core: FlatSchema, reader: SchemaReader): boolean =>
  core.properties.size > 0 ||
  core.patternProperties.size > 0 ||
  core.prefixItems.length > 0 ||
  saysMore(core.additional) ||
  core.unions.some((union) => !isScalarUnion(union.options, reader));

/** `true` and `{}` only permit other properties. */
const saysMore = (additional: Json | undefined): additional is Json =>
  typeof additional === "object" && additional !== null && Object.keys(additional).length > 0;

function ancestorLike(node: Growing): Growing | undefined {
  const { identity } = node.core;
  if (identity === undefined) return undefined;
  for (let up = node.up; up !== undefined; up = up.up) if (up.core.identity === identity) return up;
  return undefined;
}

interface NamedSchemas {
  readonly name: string;
  readonly required: boolean;
  readonly schemas: readonly Json[];
}

/** The first `room` fields of an object, and how many were left out. */
function fieldsOf(
  core: FlatSchema,
  direction: Direction,
  reader: SchemaReader,
  room: number,
): { readonly shown: readonly NamedSchemas[]; readonly omitted: number } {
  const all: NamedSchemas[] = [];
  for (const [name, schemas] of core.properties) all.push({ name, required: core.required.has(name), schemas });
  for (const [pattern, schemas] of core.patternProperties) all.push({ name: `/${pattern}/`, required: false, schemas });
  core.prefixItems.forEach((schema, index) => {
    all.push({ name: `[${index}]`, required: false, schemas: [schema] });
  });
  if (core.prefixItems.length > 0 && core.items.length > 0)
    all.push({ name: "[…]", required: false, schemas: core.items });
  if (saysMore(core.additional)) all.push({ name: "{key}", required: false, schemas: [core.additional] });

  const shown: NamedSchemas[] = [];
  let seen = 0;
  while (seen < all.length && shown.length < room) {
    const field = all[seen++]!;
    const { readOnly, writeOnly } = reader.flatten(...field.schemas);
    if ((direction === "request" && readOnly) || (direction === "response" && writeOnly)) continue;
    shown.push(field);
  }
  return { shown, omitted: all.length - seen };
}

/** Options that their type describes fully: "a string or a number" needs no tabs. */
function isScalarUnion(options: readonly UnionOption[], reader: SchemaReader): boolean {
  return options.every(({ schema }) => {
    const flat = reader.flatten(schema);
    const core = coreOf(flat, reader);
    return (
      core.properties.size === 0 &&
      core.patternProperties.size === 0 &&
      core.prefixItems.length === 0 &&
      core.unions.length === 0 &&
      !saysMore(core.additional) &&
      core.enum === undefined &&
      flat.const === undefined &&
      flat.description === undefined &&
      flat.pattern === undefined
    );
  });
}

const titleOf = ({ title, refName }: FlatSchema, value: string | undefined): string | undefined =>
  title?.trim() ?? refName ?? value;
