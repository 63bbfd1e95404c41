import type { PhrasingContent, RootContent } from "mdast";
import type { Messages } from "../../lib/language/index.js";
import type { Describer } from "../pages/describe.js";
import { codeList, expandable, fieldNote, inlineCode, joined, phraseWith, text } from "../pages/nodes.js";
import { fieldNotes, furtherTexts, headNotes, valueText } from "./field-notes.js";
import type { FlatSchema, SchemaReader } from "./flat-schema.js";
import type { RuleNode, SchemaNode } from "./schema-outline.js";
import { typeLabel } from "./type-label.js";

const maxFacts = 12;
const maxPathDepth = 4;

/**
 * The rules of a schema: "If `country` = `US`: required: `zip`", with the fields that each adds below it.
 *
 * @param contentOf the fields of a schema and its own rules.
 */
export function ruleNotes(
  rules: readonly RuleNode[],
  {
    reader,
    messages,
    describe,
  }: { readonly reader: SchemaReader; readonly messages: Messages; readonly describe: Describer["field"] },
  contentOf: (node: SchemaNode, rule: string) => readonly RootContent[],
): RootContent[] {
  return rules.flatMap(({ rule, node }, i) => {
    const { kind } = rule;
    const saysIf = (flat: FlatSchema): PhrasingContent[] | undefined => conditionOf(flat, reader, messages);
    // A condition that fits on one line is the title of what depends on it.
    const said = kind === "if" || kind === "not" ? saysIf(node.flat) : undefined;
    const description = furtherTexts("", node).flatMap(describe);
    if (kind === "if" && said) return description;
    const inside = said ? [] : contentOf(node, `${kind} ${i + 1}`);
    const facts = said ?? factsOf(node, reader, messages);
    if (facts.length === 0 && inside.length === 0) return description;
    // The note with the media type is right before it.
    if (kind === "content" && inside.length > 0)
      return [...fieldNote(undefined, facts), ...description, ...expandable(undefined, inside)];
    const colon = text(facts.length > 0 ? ": " : ":");
    return [...fieldNote(undefined, [...titleOf(), colon, ...facts]), ...description, ...expandable(undefined, inside)];

    function titleOf(): PhrasingContent[] {
      switch (rule.kind) {
        case "then":
        case "if": {
          const when = rule.kind === "then" ? saysIf(reader.flatten(rule.when)) : undefined;
          if (when) return phraseWith(messages.ifHolds, ...when);
          return [text(rule.kind === "if" ? messages.condition : messages.conditionHolds)];
        }
        case "else": {
          const isAfter = rules.some(({ rule: other }) => other.kind === "then" && other.when === rule.when);
          const when = isAfter ? undefined : saysIf(reader.flatten(rule.when));
          return when ? phraseWith(messages.ifNot, ...when) : [text(messages.otherwise)];
        }
        case "with":
          return phraseWith(messages.ifHolds, ...phraseWith(messages.isPresent, inlineCode(rule.name)));
        case "not":
          return [text(messages.notAllowed)];
        case "names":
          return [text(messages.propertyNames)];
        case "content":
          return [text(messages.content)];
        case "contains":
          return [text(`${messages.mustContain} (${countOf(rule.least, rule.most)})`)];
      }
    }
  });
}

const countOf = (least: number, max: number | undefined): string =>
  max === undefined ? `>= ${least}` : least === max ? String(least) : `${least} - ${max}`;

/** What a schema requires of a value, without its fields: type, limits, values, required properties. */
function factsOf(node: SchemaNode, reader: SchemaReader, messages: Messages): PhrasingContent[] {
  const { flat } = node;
  const values = flat.enumNotes.size > 0 ? undefined : valuesOf(flat);
  if (values) return codeList(values);
  const type = typeLabel(flat, reader);
  const notes = [...headNotes(flat, undefined, messages), ...fieldNotes(node, messages)].flatMap((note) => {
    if (note.type !== "mdxJsxFlowElement") return [];
    const label = note.data?.props?.["label"];
    return [[...(typeof label === "string" ? [text(`${label}: `)] : []), ...(note.children as PhrasingContent[])]];
  });
  const facts: PhrasingContent[][] = [
    ...(flat.types.length === 0 || type === "object" ? [] : [[inlineCode(type)]]),
    ...notes,
  ];
  return joined(facts, "; ");
}

/** The values that are valid; undefined if there are many. */
function valuesOf({ const: only, enum: several }: FlatSchema): string[] | undefined {
  const values = only ? [only.value] : (several ?? []);
  return values.length > 0 && values.length <= maxFacts ? values.map(valueText) : undefined;
}

/** The keywords of a schema that only says which values are valid. */
const bareKeywords = new Set(["const", "enum", "type"]);

/** A condition on one line: `country` = `"US"` + `zip` is present. Undefined if it needs more. */
function conditionOf(flat: FlatSchema, reader: SchemaReader, messages: Messages): PhrasingContent[] | undefined {
  const facts: PhrasingContent[][] = [];
  const isSaid = addFacts(flat, "");
  return isSaid && facts.length > 0 && facts.length <= maxFacts ? joined(facts, " + ") : undefined;

  function addFacts(schema: FlatSchema, path: string): boolean {
    if (path.split(".").length > maxPathDepth || !isPlain(schema)) return false;
    for (const [name, schemas] of schema.properties) {
      const property = reader.flatten(...schemas);
      const at = `${path}${name}`;
      const isBare = property.parts.every((part) => Object.keys(part).every((key) => bareKeywords.has(key)));
      const values = isBare ? valuesOf(property) : undefined;
      if (values) facts.push([inlineCode(at), text(" = "), ...codeList(values, " | ")]);
      else if (property.properties.size > 0 || property.required.size > 0) {
        if (!addFacts(property, `${at}.`)) return false;
      } else if (property.parts.every((part) => Object.keys(part).length === 0)) facts.push(present(at));
      else return false;
    }
    for (const name of schema.required) if (!schema.properties.has(name)) facts.push(present(path + name));
    return true;
  }
  function present(name: string): PhrasingContent[] {
    return phraseWith(messages.isPresent, inlineCode(name));
  }
}

/** Whether a schema restricts only its properties. */
const isPlain = (flat: FlatSchema): boolean =>
  flat.types.every((type) => type === "object") &&
  flat.unions.length + flat.rules.length + flat.requiredGroups.length + flat.patternProperties.size === 0 &&
  flat.additional === undefined &&
  flat.const === undefined &&
  flat.enum === undefined &&
  flat.pattern === undefined &&
  flat.items.length + flat.prefixItems.length === 0 &&
  Object.keys(flat.limits).length === 0;
