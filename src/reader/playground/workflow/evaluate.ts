import { type Expression, parseExpression, templateParts } from "../../../lib/arazzo/expression.js";
import { childOf, isContainer, isObject, type Json, member, stringify, textAt } from "../../../lib/json/json.js";
import { unescapedStep } from "../../../lib/json/json-pointer.js";
import { newEffort, selectPath } from "../../../lib/json-path/json-path.js";

export type Values = Readonly<Record<string, Json>>;

/** A request and its response, as expressions see them. */
export interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly request: Message & { readonly query: Values; readonly path: Values };
  readonly response?: Message & { readonly status: number };
}
interface Message {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON, or a text. */
  readonly body?: Json;
}

/** What the expressions of a workflow can name. */
export interface Scope {
  readonly inputs: Values;
  /** Outputs of each step that has run. */
  readonly steps: Readonly<Record<string, Values>>;
  /** Of the workflow that the step has called. */
  readonly outputs?: Values;
  readonly workflows: Readonly<Record<string, { readonly inputs: Values; readonly outputs: Values }>>;
  /** Addresses of the sources. */
  readonly sources: Readonly<Record<string, string>>;
  readonly exchange?: Exchange;
}

/** Values visited for one path. */
const maxVisited = 200_000;
export const pathEffort = (): ReturnType<typeof newEffort> => ({ ...newEffort(), left: maxVisited });

/** The value of an expression; undefined if there is none. */
export function evaluate(expression: Expression, scope: Scope): Json | undefined {
  const { exchange } = scope;
  switch (expression.kind) {
    case "url":
    case "method":
      return exchange?.[expression.kind];
    case "statusCode":
      return exchange?.response?.status;
    case "request":
    case "response":
      return messageValue(expression, exchange);
    case "inputs":
      return inside(named(scope.inputs, expression.name), expression);
    case "outputs":
      return inside(named(scope.outputs, expression.name), expression);
    case "steps":
      return inside(named(own(scope.steps, expression.step), expression.name), expression);
    case "workflows":
      return inside(named(own(scope.workflows, expression.workflow)?.[expression.field], expression.name), expression);
    case "sourceDescriptions":
      return expression.id === "url" ? own(scope.sources, expression.source) : undefined;
    default:
      return undefined;
  }
}

const own = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

function messageValue(
  expression: Extract<Expression, { kind: "request" | "response" | "message" }>,
  exchange: Exchange | undefined,
): Json | undefined {
  const message = exchange?.[expression.kind as "request" | "response"];
  if (expression.part === "body") return inside(message?.body, expression);
  const { name } = expression;
  if (expression.part === "header")
    return message?.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  return expression.kind === "request" ? own(exchange?.request[expression.part], name) : undefined;
}

/** A value by its name. Names may have dots: the longest one that there is counts, the rest is a path. */
function named(values: Values | undefined, name: string): Json | undefined {
  if (values === undefined) return undefined;
  for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1))
    if (Object.hasOwn(values, name.slice(0, end))) return inside(values[name.slice(0, end)], { path: name.slice(end) });
  return undefined;
}

/** What a pointer, or a path such as `.items[0].id`, leads to. */
function inside(
  value: Json | undefined,
  { pointer, path }: { readonly pointer?: string; readonly path?: string },
): Json | undefined {
  if (pointer !== undefined)
    return pointer.split("/").slice(1).map(unescapedStep).reduce<Json | undefined>(childOf, value);
  const steps = [...(path ?? "").matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index!);
  return steps.reduce<Json | undefined>(childOf, value);
}

/** A value as a part of a text. */
export const textOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : stringify(value);

/** A text with the values of its expressions in their place. */
export const filled = (text: string, scope: Scope): string =>
  templateParts(text)
    .map((part) =>
      typeof part === "string"
        ? part
        : part.expression === undefined
          ? `{${part.written}}`
          : textOf(evaluate(part.expression, scope)),
    )
    .join("");

const maxDepth = 100;

/** A value with its expressions evaluated; what has no value is left out. */
export function evaluated(value: Json, scope: Scope, depth = 0): Json | undefined {
  if (typeof value === "string") {
    const expression = parseExpression(value);
    return expression === undefined ? filled(value, scope) : evaluate(expression, scope);
  }
  if (!isContainer(value) || depth >= maxDepth) return value;
  if (Array.isArray(value)) return value.map((each: Json) => evaluated(each, scope, depth + 1) ?? null);
  if (isSelector(value)) return selected(value, scope);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]: [string, Json]) => {
      const found = evaluated(each, scope, depth + 1);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

const isSelector = (value: Json): boolean =>
  ["context", "selector", "type"].every((key) => member(value, key) !== undefined);

function selected(value: Json, scope: Scope): Json | undefined {
  const context = evaluated(textAt(value, "context") ?? "", scope);
  const selector = textAt(value, "selector") ?? "";
  const type = member(value, "type");
  const kind = isObject(type) ? textAt(type, "type") : type;
  if (context === undefined) return undefined;
  if (kind === "jsonpointer") return inside(context, { pointer: selector.replace(/^#/, "") });
  try {
    if (kind === "xpath") return selectXml(textOf(context), selector);
    const found = selectPath(context, selector, pathEffort()).map((each) => each.value);
    return found.length > 1 ? found : found[0];
  } catch {
    return undefined;
  }
}

function parseXml(xml: string): Document {
  const document = new DOMParser().parseFromString(xml, "application/xml");
  if (document.querySelector("parsererror")) throw new Error("XML");
  return document;
}

/** The text with another value in each element or attribute that an XPath leads to; as it is, if one cannot be read. */
export function replaceXml(xml: string, path: string, value: string): string {
  try {
    const document = parseXml(xml);
    const found = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    for (let i = 0; i < found.snapshotLength; i++) found.snapshotItem(i)!.textContent = value;
    const [declaration] = /^\s*<\?xml\s.*?\?>\s*/s.exec(xml) ?? [""];
    return declaration + new XMLSerializer().serializeToString(document).replace(/^<\?xml\s.*?\?>\s*/s, "");
  } catch {
    return xml;
  }
}

/** What an XPath 1.0 expression, the version that browsers have, gives for a text: a list for several nodes. */
export function selectXml(xml: string, path: string): string | number | boolean | string[] | undefined {
  const document = parseXml(xml);
  const found = document.evaluate(path, document, null, XPathResult.ANY_TYPE);
  if (found.resultType === XPathResult.BOOLEAN_TYPE) return found.booleanValue;
  if (found.resultType === XPathResult.NUMBER_TYPE) return found.numberValue;
  if (found.resultType === XPathResult.STRING_TYPE) return found.stringValue;
  const nodes: string[] = [];
  for (let node = found.iterateNext(); node; node = found.iterateNext()) nodes.push(node.textContent ?? "");
  return nodes.length > 1 ? nodes : nodes[0];
}
