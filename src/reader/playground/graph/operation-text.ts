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
import { coreOf, type GraphSchema, isRequired } from "./schema.js";

/** A field, or a fragment on a type of a union or interface. */
export type Step = { readonly field: string } | { readonly on: string };

export const operationsIn = ({ definitions }: DocumentNode): OperationDefinitionNode[] =>
  definitions.filter((definition) => definition.kind === "OperationDefinition");

/** The selection of this step in a set, preferably without an alias. */
export function findIn(set: SelectionSetNode | undefined, step: Step): FieldNode | InlineFragmentNode | undefined {
  const isStep = (node: SelectionNode): node is FieldNode | InlineFragmentNode =>
    "field" in step
      ? node.kind === "Field" && node.name.value === step.field
      : node.kind === "InlineFragment" && node.typeCondition?.name.value === step.on;
  const nodes = set?.selections.filter(isStep) ?? [];
  return nodes.find((node) => node.kind === "Field" && !node.alias) ?? nodes[0];
}

export const typeText = (type: TypeNode): string =>
  type.kind === "NonNullType"
    ? `${typeText(type.type)}!`
    : type.kind === "ListType"
      ? `[${typeText(type.type)}]`
      : type.name.value;

/** A range of the text and its replacement. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const applyEdits = (text: string, edits: readonly Edit[]): string =>
  [...edits]
    .sort((a, b) => b.from - a.from)
    .reduce((edited, { from, to, text: added }) => edited.slice(0, from) + added + edited.slice(to), text);

interface Place {
  readonly operation: OperationDefinitionNode;
  readonly set: SelectionSetNode;
  /** The selection that has the set. */
  readonly owner: SelectionNode;
  readonly type: string;
}

/**
 * Adds a field, and the fields that lead to it, to a selection. Required arguments become variables.
 *
 * @param steps from the place to the field; none of them is selected yet.
 */
export function withSelection(
  text: string,
  { operation, owner, type }: Pick<Place, "operation" | "owner" | "type">,
  steps: readonly Step[],
  schema: GraphSchema,
): string {
  const set = (owner as FieldNode).selectionSet;
  const variables = createVariables(operation);
  const write = (level: number, parentType: string, indent: string): string => {
    const step = steps[level];
    if (step === undefined)
      return (schema.leavesOf(parentType) ?? ["__typename"]).map((leaf) => `${indent}${leaf}`).join("\n");
    if ("on" in step) return `${indent}... on ${step.on} {\n${write(level + 1, step.on, `${indent}  `)}\n${indent}}`;
    const field = schema.fieldOf(parentType, step.field);
    const head = `${indent}${step.field}${field ? argumentsOf(step.field, field, variables.add) : ""}`;
    const inner = coreOf(field?.type ?? "");
    return schema.isLeaf(inner) || step.field === "__typename"
      ? head
      : `${head} {\n${write(level + 1, inner, `${indent}  `)}\n${indent}}`;
  };
  const innerIndent = `${indentAt(text, owner.loc!.start)}  `;
  const last = set?.selections.at(-1);
  const lines = write(0, type, innerIndent);
  const at = (last ?? owner).loc!.end;
  const added = set ? `\n${lines}` : ` {\n${lines}\n${innerIndent.slice(2)}}`;
  return applyEdits(text, [{ from: at, to: at, text: added }, ...variables.edits()]);
}

/** Removes a selection, the selections around it that would be empty, and the variables that only they use. */
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
  const remaining = definitions.filter(({ variable: { name } }) => {
    const count = rest.filter((variable) => variable === name.value).length;
    return !(removed.includes(name.value) && count === 1);
  });
  return applyEdits(text, [
    edit,
    ...(remaining.length < definitions.length ? [definitionsEdit(operation, text, remaining)] : []),
  ]);
}

const variablesIn = (text: string): string[] => [...text.matchAll(/\$(\w+)/g)].map(([, name]) => name!);

function definitionsEdit(
  { variableDefinitions: all = [] }: OperationDefinitionNode,
  text: string,
  remaining: OperationDefinitionNode["variableDefinitions"] & object,
): Edit {
  const from = text.lastIndexOf("(", all[0]!.loc!.start);
  const to = text.indexOf(")", all.at(-1)!.loc!.end) + 1;
  const list = remaining.map(({ loc }) => text.slice(loc!.start, loc!.end)).join(", ");
  return { from, to, text: remaining.length > 0 ? `(${list})` : "" };
}

/** Collects new variables of an operation. */
function createVariables({
  variableDefinitions: definitions = [],
  name,
  operation,
  loc,
  selectionSet,
}: OperationDefinitionNode) {
  const taken = new Set(definitions.map(({ variable }) => variable.name.value));
  const added: string[] = [];
  return {
    add(field: string, arg: string, type: string): string {
      const long = `${field}${arg[0]!.toUpperCase()}${arg.slice(1)}`;
      let name = taken.has(arg) ? long : arg;
      for (let count = 2; taken.has(name); count++) name = `${long}${count}`;
      taken.add(name);
      added.push(`$${name}: ${type}`);
      return name;
    },
    edits(): Edit[] {
      if (added.length === 0) return [];
      const list = added.join(", ");
      const last = definitions.at(-1);
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
  const required = Object.entries(args).filter(([, arg]) => isRequired(arg));
  const passed = required.map(([arg, { type }]) => `${arg}: $${add(field, arg, type)}`);
  return passed.length === 0 ? "" : `(${passed.join(", ")})`;
}

/** The indentation of the line at a position. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))![0];
