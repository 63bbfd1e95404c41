import type { Link, RootContent } from "mdast";
import { isObject, type Json, member, shortJson, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { rememberedFor } from "../../lib/memo.js";
import type { ModelPage, PropValue } from "../../page/content/index.js";
import type { ApiConfig } from "../../site/config/index.js";
import { readBadges } from "../../site/specs/index.js";
import type { Anchors } from "../pages/anchors.js";
import type { Describer } from "../pages/describe.js";
import * as md from "../pages/nodes.js";
import * as fieldTexts from "./field-notes.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import { hasExtensions } from "./reader-view.js";
import { refOf } from "./references.js";
import { ruleNotes } from "./rule-notes.js";
import { hasWords } from "./schema-inside.js";
import type { SchemaNode, SchemaOption } from "./schema-outline.js";
import { typeLabel } from "./type-label.js";

export interface FieldWriterOptions {
  readonly messages: Messages;
  readonly anchors: Anchors;
  readonly reader: SchemaReader;
  /** Renders a Markdown description as blocks. */
  readonly describe: Describer["field"];
  readonly params: ApiConfig["params"];
  /** The address of a model's page, relative to this page. */
  readonly hrefOf: (model: ModelPage) => string;
}

/** The place of a field on the page. */
export interface FieldSite {
  /** Id of the parent field. */
  readonly parent?: string;
  /** Id of the section. */
  readonly section: string;
  /** Distinguishes fields of one name: `body`, `404`. */
  readonly qualifier: string;
  /** Inside an option of a union. */
  readonly isOption?: boolean;
  /** The number of closed parts around it that a reader opens first. */
  readonly folds?: number;
}

export interface FieldFacts {
  readonly name: string;
  readonly required: boolean;
  /** The parameter's location, shown if the section does not say it. */
  readonly location?: "header" | "query" | "cookie";
  readonly description?: string;
  readonly deprecated?: boolean;
  /** Lines about examples, in place of those about the examples of the schema. */
  readonly examples?: RootContent[] | undefined;
  /** Lines below those of the schema. */
  readonly notes?: readonly RootContent[];
  /** Object whose extensions may hold pills. */
  readonly beside?: Json;
}

const maxNameLength = 200;
/** A reader sees every field after opening at most this many parts; following a link to another page counts as one. */
export const maxFolds = 2;
/** Above this many options, and for nested options, a menu replaces the tabs. */
const maxTabs = 6;
const maxDefaultLength = 160;

export type FieldWriter = ReturnType<typeof createFieldWriter>;

export function createFieldWriter({ messages, anchors, reader, describe, params, hrefOf }: FieldWriterOptions) {
  /** Structures on the page, for links from fields that repeat them. */
  const places = new Map<SchemaNode, { readonly id: string; readonly name: string }>();
  /** Links to structures that are further down. */
  const unplaced = new Map<SchemaNode, Link[]>();
  const place = (node: SchemaNode, at: { readonly id: string; readonly name: string }): void => {
    places.set(node, at);
    for (const unplacedLink of unplaced.get(node) ?? []) Object.assign(unplacedLink, placeLink(at));
    unplaced.delete(node);
  };
  const linkTo = (node: SchemaNode, { parent, section }: FieldSite): Link => {
    const at = places.get(node);
    if (at) return placeLink(at);
    const later = md.link(`#${parent ?? section}`, md.text("…"));
    unplaced.set(node, [...(unplaced.get(node) ?? []), later]);
    return later;
  };

  /** A parameter or property with everything below it. */
  const field = (facts: FieldFacts, node: SchemaNode, site: FieldSite): RootContent => {
    const { flat, core } = node;
    const name = md.clip(facts.name, maxNameLength);
    const id = anchors.claim(facts.name, site.parent, site.qualifier);
    place(node, { id, name });
    const written = facts.description ?? flat.description ?? core.description;
    // Generators describe `child_name` as "child name".
    const isName = (written?.length ?? 0) <= facts.name.length && lettersOf(written ?? "") === lettersOf(facts.name);
    const description = isName ? undefined : written;
    const type = typeLabel(flat, reader);
    const title = tellingTitle(flat, facts.name, `${type} ${description}`);
    const above = site.folds ?? 0;
    const isOpen = params.expanded === "all" || above + (isContinued(node) ? 1 : 0) >= maxFolds;
    const folds = above + (node.inside?.kind === "open" && !isOpen ? 1 : 0);
    const parts = [facts.beside, ...flat.parts];
    const extended = parts.filter(hasExtensions);
    const reason = fieldTexts.endReason(extended);
    const further = fieldTexts.furtherTexts([flat.title, type, written, reason].join(" "), node).flatMap(describe);
    const inside = content(node, { ...site, parent: id, folds });
    return md.component(
      "ParamField",
      {
        [facts.location ?? "name"]: name,
        id,
        type,
        default: defaultOf(flat),
        required: facts.required || undefined,
        deprecated: facts.deprecated || flat.deprecated || fieldTexts.hasEnd(extended) || undefined,
        readOnly: flat.readOnly || undefined,
        writeOnly: flat.writeOnly || undefined,
        pre: fieldTexts.pillsOf(extended, "pre"),
        post: postPills(parts, extended, params.post),
      },
      [
        ...(title === undefined ? [] : [md.paragraph(description === undefined ? md.text(title) : md.strong(title))]),
        ...describe(description),
        ...(node.inside?.kind === "open" ? [] : further),
        ...fieldTexts.endNotes(extended, messages),
        ...describe(reason),
        ...fieldTexts.formatNote(node, type),
        ...fieldTexts.fieldNotes(node, messages, facts.examples),
        ...fieldTexts.longDefault(flat, messages),
        ...(facts.notes ?? []),
        ...folded(node, [...(node.inside?.kind === "open" ? further : []), ...inside], isOpen),
        ...rules(node, { ...site, parent: id }),
      ],
    );
  };

  /** Whether something inside is on a page that only this page links to. */
  const isContinued = rememberedFor(({ inside, rules = [] }: SchemaNode): boolean => {
    const page = inside?.kind === "model" ? inside.model : inside?.kind === "open" ? inside.rest : undefined;
    const nodes = inside?.kind === "open" ? [...inside.fields, ...inside.unions.flat(), ...rules] : rules;
    return (page !== undefined && !page.isPlanned) || nodes.some((inner) => isContinued(inner.node));
  });

  /** The rules of a schema, with the fields that they add. */
  const rules = (node: SchemaNode, site: FieldSite, around?: SchemaNode): RootContent[] => {
    const above = new Set(around?.rules?.map((rule) => rule.node.flat));
    const added = (node.rules ?? []).filter((rule) => !above.has(rule.node.flat));
    return ruleNotes(added, { reader, messages, describe }, (inner, qualifier) => {
      const ruleSite = { ...site, qualifier, isOption: true };
      return [...content(inner, ruleSite), ...rules(inner, ruleSite)];
    });
  };

  const folded = ({ inside }: SchemaNode, children: readonly RootContent[], isOpen: boolean): RootContent[] => {
    if (inside?.kind !== "open") return [...children];
    const title = inside.fields.length === 0 ? messages.options : undefined;
    return [md.component("Expandable", { title, defaultOpen: isOpen || undefined }, children)];
  };

  /**
   * The fields of an object and the tabs of its options.
   * @param at id and name of the object, for links from fields below that repeat it.
   * @param notesOf extra lines below fields.
   * @param around the object of which it is an option: fields that both have are above the tabs.
   */
  const content = (
    node: SchemaNode,
    site: FieldSite,
    at?: { readonly id: string; readonly name: string },
    notesOf?: (name: string) => readonly RootContent[],
    around?: SchemaNode,
  ): RootContent[] => {
    const { inside } = node;
    const above = around?.inside?.kind === "open" ? around.inside.fields : [];
    const isAbove = (inner: (typeof above)[number]): boolean =>
      above.some(
        ({ name, required, node: outer }) =>
          name === inner.name && required === inner.required && outer.flat === inner.node.flat,
      );
    if (at !== undefined) place(node, at);
    if (inside === undefined) return [];
    if (inside.kind === "cut") return omittedNote();
    if (inside.kind === "model") return [modelNode(inside.model, site)];
    if (inside.kind === "same")
      return md.fieldNote(undefined, md.phraseWith(messages.sameAttributes, linkTo(inside.as, site)));
    return [
      ...inside.fields
        .filter((inner) => !isAbove(inner))
        .map(({ name, required, node: inner }) =>
          field({ name, required, ...(notesOf && { notes: notesOf(name) }) }, inner, site),
        ),
      ...inside.unions.map((union) => tabs(union, site, node)),
      ...(inside.rest ? [modelNode(inside.rest, site, inside.omitted)] : inside.isCut ? omittedNote() : []),
    ];
  };

  /**
   * A closed part with a link to the page of a model. When a reader opens it, a script shows the fields instead.
   *
   * @param omitted number of fields that are left out here.
   */
  const modelNode = (model: ModelPage, { parent, qualifier }: FieldSite, omitted = 0): RootContent =>
    md.component(
      "Expandable",
      {
        title: omitted > 0 ? `${messages.attributes} (${omitted})` : undefined,
        source: hrefOf(model),
        prefix: anchors.prefix(parent, qualifier),
      },
      [md.text(md.clip(model.title, maxNameLength))],
    );

  const tabs = (union: readonly SchemaOption[], site: FieldSite, around: SchemaNode): RootContent =>
    md.component(
      "Tabs",
      { sync: false, className: "api-options", dropdown: union.length > maxTabs || site.isOption || undefined },
      union.map((option, i) => {
        const title = titleOf(option, i, union);
        const id = anchors.claim(title, site.parent ?? site.section, site.qualifier);
        return md.tab(title, optionContent(option, title, site, around), id);
      }),
    );

  /** The title of an option, else its type or the only value of one of its properties if that is unique, else its number. */
  const titleOf = (option: SchemaOption, at: number, union: readonly SchemaOption[]): string => {
    if (option.title !== undefined) return md.clip(option.title, maxNameLength);
    const types = union.map(({ node }) => typeLabel(node.flat, reader));
    if (isAlone(types, at)) return types[at]!;
    for (const name of option.node.core.properties.keys()) {
      const value = onlyValue(option.node.core, name);
      if (typeof value !== "string" || value === "") continue;
      const values = union.map(({ node }) => onlyValue(node.core, name));
      if (isAlone(values, at)) return md.clip(value, maxNameLength);
    }
    return messages.option.replace("%", String(at + 1));
  };

  const optionContent = (
    { node, discriminator }: SchemaOption,
    title: string,
    site: FieldSite,
    around: SchemaNode,
  ): RootContent[] => {
    const { flat, core, inside } = node;
    const inner = { ...site, qualifier: title, isOption: true };
    const selector =
      discriminator && onlyValue(flat, discriminator.property) === undefined
        ? md.fieldNote(undefined, [
            md.inlineCode(discriminator.property),
            ...(discriminator.values.length === 0
              ? [md.text(`: ${messages.otherwise}`)]
              : [md.text(" = "), ...md.codeList(discriminator.values, " | ")]),
          ])
        : [];
    // An option that is not an object shows its type; an object shows its fields.
    const type = typeLabel(flat, reader);
    const isTypeShown = (inside?.kind === "open" && flat === core) || type === title;
    const description = flat.description ?? core.description;
    return [
      ...fieldTexts.headNotes(flat, isTypeShown ? undefined : type, messages),
      ...fieldTexts.formatNote(node, type),
      ...describe(description),
      ...fieldTexts.furtherTexts(`${title} ${type} ${description}`, node).flatMap(describe),
      ...selector,
      ...fieldTexts.fieldNotes(node, messages),
      ...content(node, inner, { id: site.parent ?? site.section, name: title }, undefined, around),
      ...rules(node, inner, around),
    ];
  };

  /** The value of a property if a schema allows only one. */
  const onlyValue = ({ properties }: FlatSchema, name: string): Json | undefined => {
    const schemas = properties.get(name);
    const { const: fixed, enum: values } = (schemas && reader.flatten(...schemas)) ?? {};
    return fixed === undefined ? (values?.length === 1 ? values[0] : undefined) : fixed.value;
  };

  const omittedNote = (): RootContent[] => md.fieldNote(undefined, md.phrase(messages.attributesOmitted));

  return { field, content, rules };
}

/** The schema's title, unless it repeats the name (as generators do), is the name of a type, or is shown already. */
function tellingTitle({ title, refName, parts }: FlatSchema, name: string, shown: string): string | undefined {
  // The title of a component names its type.
  const isOwn = textAt(parts[0], "title") === title && (refName === undefined || refOf(parts[0]) !== undefined);
  if (title === undefined || !(isOwn || hasWords(title)) || shown.includes(title.trim())) return undefined;
  return lettersOf(title) === lettersOf(name) ? undefined : title.trim();
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const placeLink = ({ id, name }: { readonly id: string; readonly name: string }): Link =>
  md.link(`#${id}`, md.inlineCode(name));

/** The default as text; a long one is below the field. */
function defaultOf(flat: FlatSchema): PropValue {
  const value = flat.default?.value;
  if (value === undefined) return undefined;
  const json = shortJson(value, maxDefaultLength);
  return typeof value === "string" && json !== undefined ? value : json;
}

/** Pills of the keywords that the site configures, then the schema's own. */
function postPills(
  parts: readonly (Json | undefined)[],
  extended: readonly (Json | undefined)[],
  keywords: readonly string[],
): string[] | undefined {
  const asked = keywords.flatMap((keyword) => {
    const holder = parts.find((part) => isObject(part) && Object.hasOwn(part, keyword));
    return pillOf(keyword, member(holder, keyword));
  });
  const badges = extended.flatMap(readBadges).map(({ name }) => name);
  return fieldTexts.shortened([...asked, ...(fieldTexts.pillsOf(extended, "post") ?? []), ...badges]);
}

function pillOf(keyword: string, value: Json | undefined): string[] {
  if (value === true) return [keyword];
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number") return [String(value)];
  return Array.isArray(value)
    ? value.slice(0, fieldTexts.maxPills).flatMap((item) => (isObject(item) ? [] : pillOf(keyword, item as Json)))
    : [];
}

/** Whether no other item of a list is like the one at an index. */
const isAlone = (list: readonly unknown[], at: number): boolean =>
  list.every((item, i) => i === at || item !== list[at]);
