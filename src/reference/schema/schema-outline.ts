import { isObject, type Json } from "../../lib/json/index.js";
import type { ModelPage } from "../../page/content/index.js";
import { type FlatSchema, type RuleSchema, ruleSchemas, type SchemaReader } from "./flat-schema.js";
import type { OutlineModels } from "./models.js";
import {
  coreOf,
  type Direction,
  type FieldOrder,
  fieldsOf,
  hasInside,
  isScalarUnion,
  layersOf,
  weightOf,
} from "./schema-inside.js";

/** A schema at one place of a page, with its fields and options. */
export interface SchemaNode {
  readonly flat: FlatSchema;
  /** The innermost items of an array; for other schemas `flat` itself. */
  readonly core: FlatSchema;
  /** From `flat` to `core`. */
  readonly layers: readonly FlatSchema[];
  /** Undefined if there is nothing below. */
  readonly inside?: SchemaInside;
  /** Its rules, and those of a list's items. */
  readonly rules?: readonly RuleNode[];
}
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
      readonly rest?: ModelPage;
      /** Whether fields or options are left out that no other page has. */
      readonly isCut: boolean;
    }
  /** An ancestor, `as`, has the same structure. */
  | { readonly kind: "same"; readonly as: SchemaNode }
  /** Shown on a page of its own. */
  | { readonly kind: "model"; readonly model: ModelPage }
  /** Left out, because the page would grow too large and there are no pages of models. */
  | { readonly kind: "cut" };

export interface SchemaField {
  /** `id`; `{key}` for other properties, `/^x-/` for a pattern, `[0]` for tuple items. */
  readonly name: string;
  readonly required: boolean;
  readonly node: SchemaNode;
}
export interface SchemaOption {
  readonly title: string | undefined;
  /** Property and values that select the option; without a value, it has all values that select no other one. */
  readonly discriminator?: { readonly property: string; readonly values: readonly string[] };
  readonly node: SchemaNode;
}

/** Limit of fields on a page, if no other page can show them. A long description counts as several. */
export const maxFields = 700;
export const maxDepth = 14;
/** A page with no more fields than this shows them all; in a large API, where most pages repeat structures, fewer. */
const smallPageFields = 100;
const smallPageFieldsOfLarge = 60;
/** The page of a model shows more: pages refer to it for what they do not show. */
const modelPageFields = 300;
/** On a larger page, a nested structure of several operations with more fields than this moves to a model's page. */
const maxInnerFields = 5;
/** A page that would still show more fields than this shows `largePageFields` and moves others to models' pages. */
const fullPageFields = 260;
const largePageFields = 120;
/** On such a page, a structure that takes more room than this is shown once. */
const maxSmallWeight = 8;
/** Limit of attempts to lay out a page. Each moves more of its structures to pages of their own. */
const maxPasses = 4;

export type SchemaOutline = ReturnType<typeof createSchemaOutline>;

/** A node under construction. */
interface Growing extends SchemaNode {
  inside?: SchemaInside;
  rules?: readonly RuleNode[];
  /** As written: they all apply. */
  readonly schemas: readonly Json[];
  readonly direction: Direction;
  readonly up?: Growing;
  readonly depth: number;
  /** It is the body itself, or one of its options. */
  readonly isOuter: boolean;
  /** Fields and options of `core` that another page shows. */
  readonly skip: number;
  /** Another place links here. */
  isTarget?: boolean;
}

/**
 * Decides what a page shows of its schemas. All schemas are opened level by level, so that a full page lacks its
 * deepest fields and not its last response. A structure inside itself is named and not opened.
 *
 * @param models absent: there are no pages of models.
 */
export function createSchemaOutline(reader: SchemaReader, order: FieldOrder, models?: OutlineModels) {
  const roots: Growing[] = [];
  let waiting: Growing[] = [];
  let left = 0;
  let isCut = false;
  /** Set when the page runs out of room: then what it shows of a structure depends on its other content. */
  let isFull = false;
  let isModelPage = false;
  /** Structures that move to their pages, since this page has no room for what is inside them. */
  const moved = new Set<object>();
  /** Set while a page refers to pages of models. */
  let large: OutlineModels | undefined;
  /** The first place of each structure. */
  const opened = new Map<object, Growing>();
  const referred = new Map<string, ModelPage>();

  const grow = (schemas: readonly Json[], direction: Direction, up?: Growing, skip = 0, isOuter = up === undefined) => {
    const flat = reader.flatten(...schemas);
    const depth = up === undefined ? 0 : up.depth + 1;
    const layers = layersOf(flat, reader);
    const core = layers.at(-1)!;
    const node: Growing = { flat, core, layers, schemas, direction, depth, isOuter, skip, ...(up ? { up } : {}) };
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
    // Another place shows the rules of the items, but not those of the lists around them.
    const lists = node.layers.slice(0, -1);
    if (same) {
      node.inside = { kind: "same", as: same };
      openRules(node, lists);
      return;
    }
    const isBig = weightOf(core, reader, maxSmallWeight) > maxSmallWeight;
    const isInner =
      !node.isOuter && identity !== undefined && large?.isReused(identity) && sizeOf(core) > maxInnerFields;
    const page = pageOf(node, node.skip);
    // A structure without a page stays in place. So does a small one of an operation, and an unlisted one of an object.
    const isOwn = isModelPage ? !page?.isPlanned : page === undefined || (!isBig && !core.refName);
    const extraRoom = large && isOwn ? largePageFields : 0;
    const room = left + extraRoom;
    const shown = large && isFull && isBig && identity !== undefined ? opened.get(identity) : undefined;
    const elsewhere = shown && isModelPage && isLinked(node) && core.properties.size < room ? undefined : shown;
    const hasNoRoom = room <= 0;
    // Move a structure that does not fit as a whole: a model's page shows all of it, not the rest that this page lacks.
    const isTooBig = large && isBig && node.up && core.properties.size > room;
    isFull ||= hasNoRoom || isTooBig === true;
    const isTooMuch = node.depth >= maxDepth || hasNoRoom || elsewhere !== undefined || isTooBig;
    // A structure shown elsewhere on the page gets a link, unless the reader can open its own page in this place.
    const isShownThere = elsewhere && elsewhere.direction === node.direction && isWhole(elsewhere);
    if (isShownThere && (isModelPage ? !page?.isPlanned : page === undefined)) {
      node.inside = { kind: "same", as: elsewhere };
      elsewhere.isTarget = true;
      openRules(node, lists);
      return;
    }
    const isMoved = node.up !== undefined && identity !== undefined && moved.has(identity);
    // The page of an object shows what the site has no page for.
    if (page && (isTooMuch || isMoved || (isInner && (page.isPlanned || !isModelPage)))) {
      node.inside = { kind: "model", model: refer(page) };
      openRules(node, lists);
      return;
    }
    // A combination of schemas has no page of its own, so show it here as far as possible.
    if (isTooMuch && (!large || node.depth >= maxDepth || left <= -largePageFields)) {
      cut(node);
      node.inside = { kind: "cut" };
      return;
    }
    if (identity !== undefined && !opened.has(identity)) opened.set(identity, node);
    const { shown: fieldsShown, omitted, seen, weight } = fieldsOf(node, reader, room, order);
    left -= weight;
    const fields = fieldsShown.map(({ name, required, schemas }) => ({
      name,
      required,
      node: grow(schemas, node.direction, node),
    }));
    const maxShown = large && omitted > 0 ? 0 : Number.POSITIVE_INFINITY;
    const { unions, missing } = openUnions(node, { maxShown, extraRoom, first: seen + omitted });
    const from = omitted > 0 ? seen : missing;
    isFull ||= from !== undefined;
    const rest = from === undefined ? undefined : pageOf(node, from);
    const lacksRest = from !== undefined && rest === undefined;
    if (lacksRest) cut(node);
    node.inside = { kind: "open", fields, unions, omitted, ...(rest && { rest: refer(rest) }), isCut: lacksRest };
    if (node.skip === 0) openRules(node);
  };

  /** Notes that the page leaves out a part. The nearest structure around it that has a page moves there. */
  const cut = (node: Growing): void => {
    isCut = true;
    let around = node.up;
    while (around?.up && !pageOf(around, around.skip)) around = around.up;
    if (around?.up) moved.add(around.core.identity!);
  };

  const openRules = (node: Growing, layers = node.layers): void => {
    const all = layers.flatMap(({ rules }) => rules);
    if (all.length === 0) return;
    const hasRoom = node.depth < maxDepth && left > -largePageFields;
    if (!hasRoom) {
      cut(node);
      return;
    }
    node.rules = ruleSchemas(all).map((rule) => ({ rule, node: grow([rule.schema], node.direction, node) }));
    left -= node.rules.length;
  };

  /**
   * @param options `maxShown` of each list; `extraRoom` beyond what is left on the page; `first`, the number of the
   *   first option among the fields and options of the object.
   * @returns the tabs, and the number of the first option that is left out.
   */
  const openUnions = (
    node: Growing,
    { maxShown: room, extraRoom, first }: { maxShown: number; extraRoom: number; first: number },
  ) => {
    const unions: SchemaOption[][] = [];
    let number = first;
    let missing: number | undefined;
    for (const { options, discriminator } of node.core.unions) {
      if (isScalarUnion(options, reader)) continue;
      const start = Math.min(options.length, Math.max(0, node.skip - number));
      const maxShown = large && missing !== undefined ? 0 : Math.min(room, Math.max(2, left + extraRoom));
      const shownOptions = options.slice(start, start + maxShown);
      left -= shownOptions.length;
      if (start + maxShown < options.length) missing ??= number + start + shownOptions.length;
      number += options.length;
      if (shownOptions.length === 0) continue;
      unions.push(
        shownOptions.map((option): SchemaOption => {
          const { value, others = [] } = option;
          const inner = grow([option.schema], node.direction, node, 0, node.isOuter);
          return {
            title: titleOf(inner.flat, value),
            ...(discriminator === undefined || (value === undefined && !option.isDefault)
              ? {}
              : { discriminator: { property: discriminator, values: value === undefined ? [] : [value, ...others] } }),
            node: inner,
          };
        }),
      );
    }
    return { unions, missing };
  };

  const sizeOf = ({ properties, unions }: FlatSchema): number =>
    unions
      .flatMap(({ options }) => options)
      .reduce((size, { schema }) => size + reader.flatten(schema).properties.size, properties.size);

  /** Undefined if no page shows the same fields. */
  const pageOf = ({ core, schemas }: Growing, skip: number): ModelPage | undefined => {
    const { identity, properties } = core;
    if (!large || identity === undefined) return undefined;
    const identityCore = coreOf(reader.flatten(identity as Json), reader);
    // A schema that adds fields to another one has a page of its own.
    const [schema, ...others] = identityCore.properties.size >= properties.size ? [identity as Json] : schemas;
    return others.length === 0 && isObject(schema) ? large.pageOf(schema, skip) : undefined;
  };
  const refer = (model: ModelPage): ModelPage => {
    referred.set(model.outputPath, model);
    return model;
  };

  /** Opens all added schemas from the start. @param isEnough stops early, if another attempt will follow anyway. */
  const openAll = (fieldCount: number, isEnough = () => false): void => {
    left = fieldCount;
    isCut = false;
    opened.clear();
    referred.clear();
    waiting = [...roots];
    for (const root of roots) {
      delete root.inside;
      delete root.rules;
    }
    while (waiting.length > 0) {
      const level = waiting;
      waiting = [];
      for (const node of level) {
        openNode(node);
        if (isEnough()) return;
      }
    }
  };

  return {
    /** @param skip number of fields and options at its start that are left out. */
    add: (schema: Json, direction: Direction, skip = 0): SchemaNode =>
      grow(Array.isArray(schema) ? schema : [schema], direction, undefined, skip),
    /** Lists a page among those that this page refers to. */
    refer,
    /** Opens all added schemas. @param ofModel the page is that of a model. */
    open(ofModel = false): void {
      isModelPage = ofModel;
      if (models && !ofModel) {
        openAll(models.isLargeApi() ? smallPageFieldsOfLarge : smallPageFields, () => isCut);
        if (!isCut) return;
        large = models;
        isFull = false;
        openAll(fullPageFields, () => isFull);
        if (!isFull && !isCut) return;
      }
      large = models;
      const room = models ? (ofModel ? modelPageFields : largePageFields) : maxFields;
      moved.clear();
      openAll(room);
      if (models && ofModel && isFull) openAll(room);
      for (let passes = 0, known = 0; isCut && known < moved.size && passes < maxPasses; passes++) {
        known = moved.size;
        openAll(room);
      }
    },
    /** After `open`: whether something is left out that no other page has. */
    isCut: (): boolean => isCut,
    /** After `open`: whether each schema is shown in the same way on any page. */
    isIndependent: (): boolean => !isCut && !(large && isFull),
    /** After `open`: whether the page may refer to models. */
    isLarge: (): boolean => large !== undefined,
    /** After `open`: the models that the page refers to. */
    models: (): readonly ModelPage[] => [...referred.values()],
    /** After `open`: whether the page shows a structure, if only its first fields. */
    isShown: (identity: object): boolean => opened.has(identity),
  };
}

const isWhole = ({ inside, skip }: Growing): boolean =>
  inside?.kind === "open" && inside.rest === undefined && skip === 0;

/** Whether a reader comes here by a link of the page: another link would be one too many. */
function isLinked({ up }: Growing): boolean {
  return up !== undefined && (up.isTarget === true || isLinked(up));
}

function ancestorLike(node: Growing): Growing | undefined {
  const { identity } = node.core;
  if (identity === undefined) return undefined;
  for (let up = node.up; up !== undefined; up = up.up) if (up.core.identity === identity) return up;
  return undefined;
}

const titleOf = ({ title, refName }: FlatSchema, value: string | undefined): string | undefined =>
  title?.trim() ?? refName ?? value;
