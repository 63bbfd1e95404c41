/** The editor of GraphQL operations, loaded with the playground on their pages. */
import { type DocumentNode, GraphQLError, type OperationDefinitionNode, parse } from "graphql";
import type { Json } from "../../../lib/json/json.js";
import type { FormGraph, GraphField, GraphTypes } from "../../../reference/forms/playground-form.js";
import type { DraftBody } from "../build-request.js";
import type { PartTools } from "../dialog-frame.js";
import type { FormContext, Missing } from "../form/control.js";
import type { PastRequest } from "../history.js";
import { createFieldTree } from "./field-tree.js";
import { operationsIn, typeText } from "./operation-text.js";
import { createInputSchemas, createSchema, type GraphSchema } from "./schema.js";

export type CreateGraphEditor = typeof createGraphEditor;

window.offprintGraph = createGraphEditor;

const parseLimits = { maxTokens: 20_000 };

/** A form for the variables, the text of the operation, and a tree of the fields that it can select. */
function createGraphEditor(tools: PartTools, form: FormContext, graph: FormGraph, types: GraphTypes) {
  const { box, button, codeArea, create, createField, indexSelect, valueEditor, parseJson, say, sayWith, section } =
    tools;
  const schema = createSchema(types);
  const area = codeArea(12);
  area.value = graph.text;
  const field = createField(form, { required: true, depth: 0 }, "GraphQL", area);
  const tree = createFieldTree(tools, schema, (text) => {
    area.value = text;
    update();
  });
  const chooser = box("playground-tools");
  const operations = section(form, say("graphOperation"), field.element, tree.element);
  operations.querySelector(".playground-section-head")!.append(chooser);

  let parsedDocument: DocumentNode | undefined;
  let fault: string | undefined;
  let chosen = 0;
  const current = (): OperationDefinitionNode | undefined => {
    const all = parsedDocument ? operationsIn(parsedDocument) : [];
    return all[chosen] ?? all[0];
  };

  const fields = box("playground-section-body");
  const variables = section(form, say("graphVariables"), fields);
  const heading = variables.querySelector(".playground-section-head")!;
  const head = box("playground-tools");
  heading.append(head);
  let editor: ReturnType<typeof valueEditor> | undefined;
  let shownDefinitions = "";
  const showVariables = (fill?: Json): void => {
    const definitions = variablesOf(current(), schema);
    const value = fill ?? readDraft(editor?.draft());
    const inputs = createInputSchemas(schema);
    const media = { type: "application/json", schema: inputs.objectOf(definitions) };
    editor = definitions.length > 0 ? valueEditor({ ...form, schemas: inputs.schemas }, media, false) : undefined;
    if (value !== undefined) editor?.fill?.(value);
    const example = graph.variables;
    const use = button("playground-quiet", say("useExample"), () => {
      editor!.fill!(example!);
      form.changed();
    });
    variables.hidden = editor === undefined;
    fields.replaceChildren(...(editor ? [editor.element] : []));
    head.replaceChildren(...(editor && example !== undefined ? [use] : []), ...(editor?.switch ? [editor.switch] : []));
  };
  const readDraft = (draft: DraftBody | undefined): Json | undefined => {
    const parsed = draft?.kind === "json" ? parseJson(draft.text) : { reason: "" };
    return "value" in parsed ? parsed.value : undefined;
  };

  const read = (): void => {
    try {
      parsedDocument = parse(area.value, parseLimits);
      fault = undefined;
    } catch (error) {
      parsedDocument = undefined;
      const [at] = error instanceof GraphQLError ? (error.locations ?? []) : [];
      const reason = (error as Error).message.replace(/^Syntax Error: /, "");
      fault = sayWith("graphFault", at ? `${at.line}:${at.column}: ${reason}` : reason);
    }
  };
  const update = (fill?: Json): void => {
    read();
    field.showFault(fault);
    const operation = current();
    tree.update(area.value, operation);
    const all = parsedDocument ? operationsIn(parsedDocument) : [];
    const names = all.map(({ name, operation: kind }) => name?.value ?? kind);
    if (parsedDocument) {
      const attributes = { class: "playground-choice", "aria-label": say("graphOperation") };
      const select = indexSelect(attributes, names, Math.min(chosen, names.length - 1), (index) => {
        chosen = index;
        update();
      });
      chooser.replaceChildren(...(names.length > 1 ? [select] : []));
      const definitions = JSON.stringify(variablesOf(operation, schema));
      if (definitions !== shownDefinitions || fill !== undefined) showVariables(fill);
      shownDefinitions = definitions;
    }
    form.changed();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(update, 150);
    form.changed();
  });
  update(form.prefill ? graph.variables : undefined);

  return {
    elements: [variables, operations],
    draft(): DraftBody {
      const variablesDraft = editor?.draft();
      const variablesText = variablesDraft?.kind === "json" ? variablesDraft.text.replaceAll("\n", "\n  ") : undefined;
      const members = [
        `"query": ${JSON.stringify(area.value)}`,
        ...(variablesText === undefined || variablesText === "{}" ? [] : [`"variables": ${variablesText}`]),
        ...(current()?.name ? [`"operationName": ${JSON.stringify(current()!.name!.value)}`] : []),
      ];
      return { kind: "json", type: "application/json", text: `{\n  ${members.join(",\n  ")}\n}` };
    },
    check(missing: Missing): readonly HTMLElement[] {
      if (missing === "all") {
        clearTimeout(timer);
        update();
      }
      return [...(editor?.check(missing) ?? []), ...(fault === undefined ? [] : [area])];
    },
    /** Fills in a request that was sent before. */
    restore({ text }: NonNullable<PastRequest["body"]>): void {
      const parsed = parseJson(text);
      if (!("value" in parsed)) return;
      const { query, variables: sentVariables = {} } = parsed.value as {
        readonly query?: string;
        readonly variables?: Json;
      };
      area.value = query ?? graph.text;
      update(sentVariables);
    },
    /** The errors in a response, which GraphQL sends with status 200. */
    errorsIn(answer: Json): HTMLElement[] {
      const { errors } = (answer ?? {}) as { readonly errors?: Json };
      if (!Array.isArray(errors) || errors.length === 0) return [];
      const lines = errors.slice(0, 20).map((error: Json) => {
        const { message, path } = (error ?? {}) as { readonly message?: Json; readonly path?: Json };
        const at = Array.isArray(path) ? ` (${path.join(".")})` : "";
        return create("p", {}, `${typeof message === "string" ? message : JSON.stringify(error)}${at}`);
      });
      const title = create("p", "playground-failure-title", sayWith("graphErrors", errors.length));
      return [box("playground-failure", title, ...lines)];
    },
  };
}

/** The variables of an operation. A variable passed to an argument gets the argument's description. */
function variablesOf(
  operation: OperationDefinitionNode | undefined,
  schema: GraphSchema,
): (readonly [string, GraphField])[] {
  const root = operation ? schema.rootOf(operation.operation) : "";
  const described = new Map<string, GraphField>();
  for (const selection of operation?.selectionSet.selections ?? [])
    for (const { name, value } of (selection.kind === "Field" && selection.arguments) || []) {
      const { args = {} } = (selection.kind === "Field" && schema.fieldOf(root, selection.name.value)) || {};
      if (value.kind === "Variable" && Object.hasOwn(args, name.value))
        described.set(value.name.value, args[name.value]!);
    }
  return (operation?.variableDefinitions ?? []).map(({ variable: { name }, type, defaultValue }) => {
    const { description, deprecated, default: fallback } = described.get(name.value) ?? {};
    const ownDefault = defaultValue && "value" in defaultValue ? String(defaultValue.value) : defaultValue && "…";
    return [
      name.value,
      {
        type: typeText(type),
        ...((ownDefault ?? fallback) !== undefined && { default: ownDefault ?? fallback }),
        ...(description !== undefined && { description }),
        ...(deprecated && { deprecated }),
      },
    ];
  });
}
