import * as json from "../../lib/json/index.js";
import { isSentence } from "../../lib/plain-text.js";
import {
  type FlatSchema,
  hasStructure,
  type RequiredGroup,
  rulesOf,
  type SchemaReader,
  type SchemaRule,
  type Union,
  valueKey,
} from "./flat-schema.js";
import * as merging from "./merge-parts.js";
import { hasExtensions, isShown, isValueShown } from "./reader-view.js";
import { nameOfRef, plainRefOf, type References, refOf } from "./references.js";

/** One reader for each specification: it resolves each schema once. */
export function createSchemaReader(references: References): SchemaReader {
  const flatSchemas = new WeakMap<object, FlatSchema>();
  /** Schemas by plain reference, since one reference occurs in many places. */
  const referred = new Map<string, FlatSchema>();
  const identityOf = merging.createIdentities(references);
  const merge = (schemas: readonly json.Json[]): FlatSchema => {
    const merger = new SchemaMerger(references);
    // Of several schemas of one property, a later one refines those before it.
    if (schemas.length > 1) for (const schema of schemas.toReversed()) merger.prefer(flatten(schema));
    for (const schema of schemas) merger.absorb(schema, 0);
    return merger.done(identityOf(schemas));
  };
  const flattenOne = (schema: json.JsonObject): FlatSchema => {
    const ref = plainRefOf(schema);
    const flat = (ref !== undefined && referred.get(ref)) || merge([schema]);
    if (ref !== undefined) referred.set(ref, flat);
    return flat;
  };
  const flatten = (...schemas: readonly json.Json[]): FlatSchema => {
    const [only] = schemas;
    if (schemas.length !== 1 || !json.isObject(only)) return merge(schemas);
    const cached = flatSchemas.get(only);
    if (cached) return cached;
    const flat = flattenOne(only);
    flatSchemas.set(only, flat);
    return flat;
  };
  return { flatten };
}

/** Limit of schemas merged into one; real schemas have fewer than fifty. */
const maxParts = 400;
const maxMergeDepth = 60;

const textKeywords = ["title", "description", "format", "pattern", "contentMediaType", "contentEncoding"] as const;
type TextKeyword = (typeof textKeywords)[number];
const isTextKeyword = (name: string): name is TextKeyword => (textKeywords as readonly string[]).includes(name);

/** Merges schemas, outermost first. Of texts the outermost one wins, of limits the tightest. */
class SchemaMerger {
  private readonly seen = new Set<object>();
  private readonly parts: json.JsonObject[] = [];
  private types: string[] | undefined;
  private acceptsNull: boolean | undefined;
  private never = false;
  private refName: string | undefined;
  private values: json.Json[] | undefined;
  private notes: Map<string, string> | undefined;
  private readonly texts: { [keyword in TextKeyword]?: string | undefined } = {};
  private readonly flags = { readOnly: false, writeOnly: false, deprecated: false, uniqueItems: false };
  private constant: { readonly value: json.Json } | undefined;
  private fallback: { readonly value: json.Json } | undefined;
  private readonly examples: json.Json[] = [];
  private readonly limits: merging.GrowingLimits = {};
  private properties: Map<string, json.Json[]> | undefined;
  /** References on the way to each schema of a property. */
  private readonly refDepths = new Map<string, number[]>();
  private refDepth = 0;
  private required: Set<string> | undefined;
  /** Properties that only some groups of readers may see. */
  private readonly restricted: string[] = [];
  private patternProperties: Map<string, json.Json[]> | undefined;
  private additional: json.Json | undefined;
  private readonly items: json.Json[] = [];
  private prefixItems: readonly json.Json[] = [];
  private noMoreItems = false;
  private rules: SchemaRule[] | undefined;
  private readonly unions: Union[] = [];
  private readonly requiredGroups: RequiredGroup[] = [];
  private externalDocs: json.JsonObject | undefined;

  constructor(private readonly references: References) {}

  /** Takes the title, description and default of a schema before any others. The schema itself is absorbed later. */
  prefer({ title, description, default: fallback }: FlatSchema): void {
    this.texts.title ??= title;
    this.texts.description ??= description;
    this.fallback ??= fallback;
  }

  absorb(written: json.Json, depth: number): void {
    if (written === false) this.never = true;
    if (!json.isObject(written) || depth > maxMergeDepth || this.parts.length >= maxParts || this.seen.has(written))
      return;
    this.seen.add(written);
    const ref = refOf(written);
    if (ref !== undefined) {
      // In 3.1 a reference can have other keywords next to it.
      if (Object.keys(written).length > 1) this.takeWords(written);
      const target = this.references.followPlain(written);
      if (this.parts.length === 0) this.refName ??= nameOfRef(ref);
      if (Object.keys(written).length > 1) this.takeStructure(written, depth);
      this.refDepth++;
      if (target !== undefined) this.absorb(target, depth + 1);
      this.refDepth--;
      return;
    }
    this.takeWords(written);
    this.takeStructure(written, depth);
  }

  private takeText(part: json.Json, name: TextKeyword): void {
    const written = json.textAt(part, name);
    if (name !== "title" || written === undefined || !isSentence(written)) {
      this.texts[name] ??= written;
      return;
    }
    const description = json.textAt(part, "description");
    this.texts.description ??= description;
    if (this.texts.description === description)
      this.texts.description = [written, description].filter(Boolean).join("\n\n");
  }

  private takeWords(schema: json.JsonObject): void {
    this.parts.push(schema);
    for (const name in schema) {
      const written = schema[name]!;
      if (isTextKeyword(name)) this.takeText(schema, name);
      else if (Object.hasOwn(this.flags, name)) this.flags[name as keyof typeof this.flags] ||= written === true;
      else if (name === "const") this.constant ??= { value: written };
      else if (name === "externalDocs" && json.isObject(written)) this.externalDocs ??= written;
      else if (name === "default") {
        // A reference is invalid here, but some documents have one.
        const value = this.references.follow(written);
        if (value !== undefined) this.fallback ??= { value };
      }
    }
    if (Object.hasOwn(schema, "example")) this.examples.push(schema["example"]!);
    this.examples.push(...json.listAt(schema, "examples"));
    for (const [, example] of json.entriesAt(schema, "x-examples"))
      this.examples.push(json.member(example, "value") ?? example);
  }

  private takeStructure(schema: json.JsonObject, depth: number): void {
    this.takeTypes(schema);
    merging.tightenLimits(this.limits, schema);
    if (!hasStructure(schema)) return;
    const parts = json.listAt(schema, "allOf");
    // Keywords next to a reference to a base schema describe the derived schema, and a later part refines those before it.
    for (const part of parts.toReversed()) {
      if (refOf(part) !== undefined) continue;
      this.takeText(part, "title");
      this.takeText(part, "description");
    }
    for (const part of parts) this.absorb(part, depth + 1);
    for (const [name, property] of json.entriesAt(schema, "properties"))
      if (isShown(property, this.references)) this.takeProperty(name, property);
      else this.restricted.push(name);
    for (const [name, property] of json.entriesAt(schema, "patternProperties"))
      this.patternProperties = merging.pushed(this.patternProperties, name, property);
    for (const name of json.textsAt(schema, "required")) this.required = (this.required ?? new Set()).add(name);
    const additional = json.member(schema, "additionalProperties") ?? json.member(schema, "unevaluatedProperties");
    if (additional !== undefined) this.additional ??= additional;
    this.takeItems(schema);
    const rules = rulesOf(schema);
    if (rules.length > 0) this.rules = [...(this.rules ?? []), ...rules];
    this.takeUnion(schema, "oneOf", depth);
    this.takeUnion(schema, "anyOf", depth);
    if (!("oneOf" in schema) && !("anyOf" in schema)) this.takeMapping(schema);
  }

  /** A part refines the parts that it refers to, so its schema comes after theirs, whatever the source order. */
  private takeProperty(name: string, property: json.Json): void {
    const schemas = this.properties?.get(name);
    const depths = this.refDepths.get(name) ?? [];
    const at = depths.findIndex((depth) => depth < this.refDepth);
    this.refDepths.set(name, at < 0 ? [...depths, this.refDepth] : depths.toSpliced(at, 0, this.refDepth));
    if (schemas && at >= 0) schemas.splice(at, 0, property);
    else this.properties = merging.pushed(this.properties, name, property);
  }

  private takeItems(schema: json.JsonObject): void {
    const items = json.member(schema, "items");
    // A list of schemas is the older form of prefixItems.
    if (Array.isArray(items)) this.prefixItems = items;
    else if (items !== undefined && items !== false) this.items.push(items);
    if (this.prefixItems.length === 0) this.prefixItems = json.listAt(schema, "prefixItems");
    const older = Array.isArray(items) ? json.member(schema, "additionalItems") : undefined;
    const more = items === false ? items : (older ?? json.member(schema, "unevaluatedItems"));
    if (more === false) this.noMoreItems = true;
    else if (more !== undefined && (items === undefined || Array.isArray(items))) this.items.push(more);
  }

  private takeTypes(schema: json.JsonObject): void {
    const written = schema["type"];
    const all = typeof written === "string" ? [written] : Array.isArray(written) ? json.textsAt(schema, "type") : [];
    const types = all.filter((type) => type !== "null");
    if (all.length > types.length || schema["nullable"] === true) this.acceptsNull = true;
    else if (all.length > 0) this.acceptsNull ??= false;
    if (all.length > 0) {
      const distinct = types.length > 1 ? [...new Set(types)] : types;
      this.types = this.types === undefined ? distinct : merging.bothTypes(this.types, types);
    }

    const values = schema["enum"];
    if (!Array.isArray(values)) return;
    this.takeValues(values, json.member(schema, "x-mint-enum"));
    if (hasExtensions(schema))
      merging.enumNotes(schema, values).forEach((note, i) => {
        if (note !== undefined) this.takeNote(values[i]!, note);
      });
  }

  private takeValues(values: readonly json.Json[], groups: json.Json | undefined): void {
    const shown = values.filter((value) => value !== null && isValueShown(value, groups, this.references));
    if (values.includes(null)) this.acceptsNull = true;
    if (this.values === undefined) this.values = shown;
    else {
      const keys = new Set(shown.map(valueKey));
      const common = this.values.filter((value) => keys.has(valueKey(value)));
      // If parts contradict each other, the later one wins.
      this.values = common.length > 0 ? common : shown;
    }
  }

  private takeNote(value: json.Json, note: string): void {
    this.notes = (this.notes ?? new Map<string, string>()).set(valueKey(value), note);
  }

  private takeUnion(schema: json.JsonObject, keyword: "oneOf" | "anyOf", depth: number): void {
    const listed = json.listAt(schema, keyword);
    if (listed.length === 0) return;
    const written = merging.plainOptions(listed, this.references);
    const options = written.filter((option) => !merging.isNullSchema(option, this.references));
    if (options.length < written.length) {
      this.acceptsNull = true;
      for (const option of written) if (!options.includes(option)) this.takeNullWords(option);
    } else if (options.length > 0 && this.types === undefined) this.acceptsNull ??= false;
    if (options.length === 0) return;
    if (options.length === 1) {
      this.absorb(options[0]!, depth + 1);
      return;
    }
    if (this.takeConstants(options)) return;
    const groups = merging.requiredGroups(options);
    if (groups !== undefined) {
      this.requiredGroups.push(...groups);
      return;
    }
    const property = merging.discriminatorOf(schema);
    this.unions.push({
      options: options.map((option) => merging.optionOf(option, schema)),
      ...(property === undefined ? {} : { discriminator: property }),
    });
  }

  /** What `null` means. */
  private takeNullWords(option: json.Json): void {
    const description = json.textAt(this.references.follow(option), "description");
    if (description !== undefined) this.parts.push({ description });
  }

  /** Options that are single values become an enumeration with their words. */
  private takeConstants(options: readonly json.Json[]): boolean {
    const targets = options.map((option) => this.references.follow(option));
    const values = targets.map(merging.singleValue);
    if (!values.every((single) => single !== undefined)) return false;
    this.takeValues(
      values.map((single) => single.value),
      undefined,
    );
    targets.forEach((target, i) => {
      const { value } = values[i]!;
      const words = ["title", "description"].flatMap((key) => json.textAt(target, key)?.trim() || []);
      const note = words.filter((word) => word !== String(value)).join(": ");
      if (note !== "") this.takeNote(value, note);
    });
    return true;
  }

  /** Adds the schemas derived from a base schema as its options, except those that are being merged. */
  private takeMapping(schema: json.JsonObject): void {
    const property = merging.discriminatorOf(schema);
    if (property === undefined) return;
    const isBase = this.parts.find((part) => refOf(part) === undefined) === schema;
    if (!isBase) return;
    const options = merging.derivedOptions(schema, this.references).filter(({ target }) => !this.seen.has(target));
    if (options.length > 0) this.unions.push({ options, discriminator: property });
  }

  /** Some generators write an empty string or null where they have no example. */
  private isNoExample(example: json.Json): boolean {
    const isTyped = this.types?.[0] !== undefined;
    if (example === "") return isTyped && !this.types!.includes("string");
    return (
      example === null && !this.acceptsNull && (isTyped || this.properties !== undefined || this.unions.length > 0)
    );
  }

  done(identity: object | undefined): FlatSchema {
    // A list whose items are described has no properties, although some generators write those of its element in XML.
    const isDescribed = this.items.some((item) => json.isObject(item) && Object.keys(item).length > 0);
    const isList = isDescribed && this.types?.join() === "array";
    for (const name of this.restricted) if (!this.properties?.has(name)) this.required?.delete(name);
    return {
      identity,
      types: this.types ?? [],
      nullable: this.acceptsNull ?? false,
      never: this.never,
      ...this.texts,
      refName: this.refName,
      enum: this.values,
      enumNotes: this.notes ?? none.texts,
      const: this.constant,
      default: this.fallback,
      examples: this.examples.filter((example) => !this.isNoExample(example)),
      limits: this.limits,
      ...this.flags,
      properties: (isList ? undefined : this.properties) ?? none.schemas,
      required: this.required ?? none.names,
      patternProperties: this.patternProperties ?? none.schemas,
      additional: this.additional,
      items: this.items,
      prefixItems: this.prefixItems,
      unions: this.unions,
      requiredGroups: this.requiredGroups,
      noMoreItems: this.noMoreItems,
      rules: this.rules ?? none.rules,
      externalDocs: this.externalDocs,
      parts: this.parts,
    };
  }
}

/** Empty collections that most schemas share. */
const none = {
  texts: new Map() as ReadonlyMap<string, string>,
  schemas: new Map() as ReadonlyMap<string, readonly json.Json[]>,
  names: new Set() as ReadonlySet<string>,
  rules: [] as readonly SchemaRule[],
} as const;
