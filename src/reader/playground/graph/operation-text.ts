import type {
  DocumentNode,
  FieldNode,
  InlineFragmentNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  TypeNode,
} from "graphql";
import type { GraphField } from "../../../reference/forms/playground-form.js";
import { coreOf, type GraphSchema } from "./schema.js";

/** A field, or the name of a type that a union or interface can be. */
export type Step = { readonly field: string } | { readonly on: string };

export const operationsIn = ({ definitions }: DocumentNode): OperationDefinitionNode[] =>
  definitions.filter((each) => each.kind === "OperationDefinition");

/** What a set selects of this name; with an alias too, but without one if there are both. */
export function findIn(set: SelectionSetNode | undefined, step: Step): FieldNode | InlineFragmentNode | undefined {
  const isIt = (each: SelectionNode): each is FieldNode | InlineFragmentNode =>
    "field" in step
      ? each.kind === "Field" && each.name.value === step.field
      : each.kind === "InlineFragment" && each.typeCondition?.name.value === step.on;
  const found = set?.selections.filter(isIt) ?? [];
  return found.find((each) => each.kind === "Field" && !each.alias) ?? found[0];
}

export const typeText = (type: TypeNode): string =>
  type.kind === "NonNullType"
    ? `${typeText(type.type)}!`
    : type.kind === "ListType"
      ? `[${typeText(type.type)}]`
      : type.name.value;

/** A place of the text and what to write there. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export const applied = (text: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((done, { from, to, text: added }) => done.slice(0, from) + added + done.slice(to), text);

interface Place {
  readonly operation: OperationDefinitionNode;
  readonly set: SelectionSetNode;
  /** The selection that has the set. */
  readonly owner: SelectionNode;
  readonly type: string;
}

/**
 * The text with a field, and those that lead to it, added to a selection. Arguments that it needs become variables.
 *
 * @param steps from the place to the field; none of them is selected.
 */
export function withSelection(
  text: string,
  { operation, owner, type }: Pick<Place, "operation" | "owner" | "type">,
  steps: readonly Step[],
  schema: GraphSchema,
): string {
  const set = (owner as FieldNode).selectionSet;
  const variables = createVariables(operation);
  const written = (level: number, of: string, at: string): string => {
    const step = steps[level];
    if (step === undefined) return (schema.leavesOf(of) ?? ["__typename"]).map((leaf) => `${at}${leaf}`).join("\n");
    if ("on" in step) return `${at}... on ${step.on} {\n${written(level + 1, step.on, `${at}  `)}\n${at}}`;
    const field = schema.fieldOf(of, step.field);
    const head = `${at}${step.field}${field ? argumentsOf(step.field, field, variables.add) : ""}`;
    const inner = coreOf(field?.type ?? "");
    return schema.isLeaf(inner) || step.field === "__typename"
      ? head
      : `${head} {\n${written(level + 1, inner, `${at}  `)}\n${at}}`;
  };
  const indent = `${indentAt(text, owner.loc!.start)}  `;
  const last = set?.selections.at(-1);
  const lines = written(0, type, indent);
  const at = (last ?? owner).loc!.end;
  const added = set ? `\n${lines}` : ` {\n${lines}\n${indent.slice(2)}}`;
  return applied(text, [{ from: at, to: at, text: added }, ...variables.edits()]);
}

/** The text without a selection, without those around it that would be empty, and without the variables of them. */
export function withoutSelection(
  text: string,
  operation: OperationDefinitionNode,
  path: readonly SelectionNode[],
): string {
  let at = path.length - 1;
  const isAlone = (index: number): boolean =>
    (path[index - 1] as FieldNode | undefined)?.selectionSet?.selections.length === 1;
  while (at > 1 && isAlone(at)) at--;
  const { start, end } = path[at]!.loc!;
  const from = text.slice(0, start).trimEnd().length;
  const edit = isAlone(at) ? { from: start, to: end, text: "__typename" } : { from, to: end, text: "" };
  const removed = variablesIn(text.slice(start, end));
  const rest = variablesIn(text.slice(0, start) + text.slice(end));
  const definitions = operation.variableDefinitions ?? [];
  const kept = definitions.filter(({ variable: { name } }) => {
    const count = rest.filter((each) => each === name.value).length;
    return !(removed.includes(name.value) && count === 1);
  });
  return applied(text, [edit, ...(kept.length < definitions.length ? [definitionsEdit(operation, text, kept)] : [])]);
}

const variablesIn = (text: string): string[] => [...text.matchAll(/\$(\w+)/g)].map(([, name]) => name!);

function definitionsEdit(
  { variableDefinitions: all = [] }: OperationDefinitionNode,
  text: string,
  kept: OperationDefinitionNode["variableDefinitions"] & object,
): Edit {
  const from = text.lastIndexOf("(", all[0]!.loc!.start);
  const to = text.indexOf(")", all.at(-1)!.loc!.end) + 1;
  const written = kept.map(({ loc }) => text.slice(loc!.start, loc!.end)).join(", ");
  return { from, to, text: kept.length > 0 ? `(${written})` : "" };
}

/** New variables of an operation. */
function createVariables({
  variableDefinitions: known = [],
  name,
  operation,
  loc,
  selectionSet,
}: OperationDefinitionNode) {
  const taken = new Set(known.map(({ variable }) => variable.name.value));
  const added: string[] = [];
  return {
    add(field: string, arg: string, type: string): string {
      const long = `${field}${arg[0]!.toUpperCase()}${arg.slice(1)}`;
      let free = taken.has(arg) ? long : arg;
      for (let count = 2; taken.has(free); count++) free = `${long}${count}`;
      taken.add(free);
      added.push(`$${free}: ${type}`);
      return free;
    },
    edits(): Edit[] {
      if (added.length === 0) return [];
      const list = added.join(", ");
      const last = known.at(-1);
      if (last) return [{ from: last.loc!.end, to: last.loc!.end, text: `, ${list}` }];
      const at = name ? name.loc!.end : loc!.start;
      const isShort = loc!.start === selectionSet.loc!.start;
      return [{ from: at, to: at, text: isShort ? `${operation} (${list}) ` : `(${list})` }];
    },
  };
}

function argumentsOf(
  field: string,
  { args = {} }: GraphField,
  add: (field: string, arg: string, type: string) => string,
): string {
  const needed = Object.entries(args).filter(([, each]) => each.type.endsWith("!") && each.default === undefined);
  const given = needed.map(([arg, { type }]) => `${arg}: $${add(field, arg, type)}`);
  return given.length === 0 ? "" : `(${given.join(", ")})`;
}

/** The blanks at the start of the line of a position. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))![0];
