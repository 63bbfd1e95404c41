import type { PhrasingContent } from "mdast";
import { isList, isObject, type Json, type JsonObject } from "../../lib/json/index.js";
import * as md from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { printJson } from "../samples/print-json.js";
import type { FieldSite } from "../schema/schema-fields.js";
import bindingMembers from "./binding-members.json" with { type: "json" };

/** A protocol whose bindings AsyncAPI defines. */
interface Protocol {
  readonly name: string;
  /** By path. A member of several objects may be listed by the end of its path: `retention.ms`. */
  readonly members: Readonly<Record<string, Member>>;
}
/** The labels are terms of the protocols, so they are the same in every language. */
interface Member {
  readonly label: string;
  /** Unit of a number. */
  readonly unit?: string;
  /** Explains the values of an enumeration of numbers. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** An object here is a schema. */
  readonly schema?: boolean;
  /** The value is a map, whose keys the author chooses. */
  readonly map?: boolean;
}
const protocols: Readonly<Record<string, Protocol>> = bindingMembers;
const bindingVersion: Member = { label: "Binding version" };

const maxMembers = 100;
const maxLevels = 5;
const maxLength = 300;

/** The settings for single protocols, a line for each. @param isShown false for those shown elsewhere. */
export function bindingFields(
  context: PageContext,
  written: Json | undefined,
  site: FieldSite,
  isShown: (protocol: string, name: string) => boolean = () => true,
): SectionWriter {
  const { references, outline, fields } = context;
  const writers = Object.entries(references.followObject(written) ?? {})
    .filter(([key]) => key !== "$ref")
    .map(([key, value]): SectionWriter => {
      const binding = references.followObject(value);
      const protocol = Object.hasOwn(protocols, key) ? protocols[key] : undefined;
      if (binding === undefined || protocol === undefined) return () => [md.fence("json", printJson(value), key)];
      const members = Object.entries(binding).filter(([name]) => isShown(key, name));
      if (members.every(([name]) => name === "bindingVersion")) return () => [];
      const isSchema = ([name, value]: (typeof members)[number]): boolean =>
        memberAt(protocol, [name])?.schema === true && isObject(value);
      const nodes = members.filter(isSchema).map(([name, value]) => ({ name, node: outline.add(value, "both") }));
      const others = Object.fromEntries(members.filter((member) => !isSchema(member)));
      const lines: PhrasingContent[][] = [];
      for (const line of linesOf(protocol, others)) if (lines.push(line) === maxMembers) break;
      return () => [
        md.component("FieldNote", { label: protocol.name }, md.listWith(lines)),
        ...nodes.map(({ name, node }) => {
          const description = node.flat.description ?? node.core.description ?? memberAt(protocol, [name])?.label;
          const protocolSite = { ...site, qualifier: `${site.qualifier} ${key}` };
          return fields.field({ name, required: false, description }, node, protocolSite);
        }),
      ];
    });
  return () => writers.flatMap((write) => write());
}

/** Finds a member by its path, or by the end of its path. */
function memberAt({ members }: Protocol, path: readonly string[]): Member | undefined {
  if (path.length === 1 && path[0] === "bindingVersion") return bindingVersion;
  const memberPath = path.map((_, i) => path.slice(i).join(".")).find((candidate) => Object.hasOwn(members, candidate));
  return memberPath === undefined ? undefined : members[memberPath];
}

/** The members of an object, and those of the objects inside it: `Exchange type (exchange.type): topic`. */
function* linesOf(
  protocol: Protocol,
  object: JsonObject,
  path: readonly string[] = [],
  prefix = "",
): Generator<PhrasingContent[]> {
  for (const [name, value] of Object.entries(object)) {
    const inner = [...path, name];
    const member = memberAt(protocol, inner);
    const shown = `${prefix}${name}`;
    const objects = inner.length < maxLevels && member?.map !== true ? objectsIn(value) : [];
    for (const [i, part] of objects.entries())
      yield* linesOf(protocol, part, inner, isList(value) ? `${shown}[${i}].` : `${shown}.`);
    if (objects.length > 0) continue;
    const code = md.inlineCode(md.clip(shown, maxLength));
    const head = member === undefined ? [code] : [md.text(`${member.label} (`), code, md.text(")")];
    yield [...head, md.text(": "), ...valueParts(value, member)];
  }
}

/** The object, or the objects of a list; none if one of them has no members. */
function objectsIn(value: Json): readonly JsonObject[] {
  const items = isList(value) ? value : [value];
  return items.every((item) => isObject(item) && Object.keys(item).length > 0) ? (items as JsonObject[]) : [];
}

function valueParts(value: Json, member: Member | undefined): PhrasingContent[] {
  const shown = (inner: Json): string => md.shortValue(inner, maxLength);
  if (member?.map === true && isObject(value))
    return md.codeList(
      Object.entries(value)
        .slice(0, maxMembers)
        .map(([key, inner]) => md.clip(`${key}: ${shown(inner)}`, maxLength)),
    );
  if (
    isList(value) &&
    value.length > 0 &&
    value.length <= maxMembers &&
    !value.some((item) => isObject(item) || isList(item))
  )
    return md.codeList(value.map(shown));
  const { meanings = {} } = member ?? {};
  const meaning = Object.hasOwn(meanings, shown(value)) ? meanings[shown(value)] : undefined;
  const more = meaning === undefined ? (typeof value === "number" ? member?.unit : undefined) : `(${meaning})`;
  return [md.inlineCode(shown(value)), ...(more === undefined ? [] : [md.text(` ${more}`)])];
}

/** The bindings, folded below a title. */
export function foldedBindings(context: PageContext, written: Json | undefined, site: FieldSite): SectionWriter {
  const write = bindingFields(context, written, site);
  return () => md.expandable(context.messages.bindings, write());
}
