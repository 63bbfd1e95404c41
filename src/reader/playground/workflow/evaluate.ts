import { type Expression, parseExpression, templateParts } from "../../../lib/arazzo/expression.js";
import { attempt } from "../../../lib/attempt.js";
import { childOf, isContainer, isObject, type Json, member, stringify, textAt } from "../../../lib/json/json.js";
import { unescapedStep } from "../../../lib/json/json-pointer.js";
import type { SelectJsonPath } from "../json-path/main.js";

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

/** The values that the expressions of a workflow can name. */
export interface Scope {
  readonly inputs: Values;
  /** Outputs of the steps that have run. */
  readonly steps: Readonly<Record<string, Values>>;
  /** Outputs of the workflow that the step has called. */
  readonly outputs?: Values;
  readonly workflows: Readonly<Record<string, { readonly inputs: Values; readonly outputs: Values }>>;
  /** URLs of the source descriptions. */
  readonly sources: Readonly<Record<string, string>>;
  readonly exchange?: Exchange;
}

/** Limit of the values visited for one path. */
const maxVisited = 200_000;

/** @throws if the path is invalid, or selects from too much. */
export const selectPath = (document: Json, path: string): ReturnType<SelectJsonPath> =>
  window.offprintJsonPath!(document, path, { left: maxVisited });

/** The value of an expression; undefined if it has none. */
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
      return valueAt(namedValue(scope.inputs, expression.name), expression);
    case "outputs":
      return valueAt(namedValue(scope.outputs, expression.name), expression);
    case "steps":
      return valueAt(namedValue(ownValue(scope.steps, expression.step), expression.name), expression);
    case "workflows":
      return valueAt(
        namedValue(ownValue(scope.workflows, expression.workflow)?.[expression.field], expression.name),
        expression,
      );
    case "sourceDescriptions":
      return expression.id === "url" ? ownValue(scope.sources, expression.source) : undefined;
    default:
      return undefined;
  }
}

const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

function messageValue(
  expression: Extract<Expression, { kind: "request" | "response" | "message" }>,
  exchange: Exchange | undefined,
): Json | undefined {
  const message = exchange?.[expression.kind as "request" | "response"];
  if (expression.part === "body") return valueAt(message?.body, expression);
  const { name } = expression;
  if (expression.part === "header")
    return message?.headers.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];
  return expression.kind === "request" ? ownValue(exchange?.request[expression.part], name) : undefined;
}

/** A value by its name. Names may contain dots: the longest existing name counts, and the rest is a path. */
function namedValue(values: Values | undefined, name: string): Json | undefined {
  if (values === undefined) return undefined;
  for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1))
    if (Object.hasOwn(values, name.slice(0, end)))
      return valueAt(values[name.slice(0, end)], { path: name.slice(end) });
  return undefined;
}

/** The value at a pointer, or at a path such as `.items[0].id`. */
function valueAt(
  value: Json | undefined,
  { pointer, path }: { readonly pointer?: string; readonly path?: string },
): Json | undefined {
  if (pointer !== undefined)
    return pointer.split("/").slice(1).map(unescapedStep).reduce<Json | undefined>(childOf, value);
  const steps = [...(path ?? "").matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index!);
  return steps.reduce<Json | undefined>(childOf, value);
}

/** A value as part of a text. */
export const valueText = (value: Json | undefined): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : stringify(value);

/** A text with its expressions replaced by their values. */
export const fillTemplate = (text: string, scope: Scope): string =>
  templateParts(text)
    .map((part) =>
      typeof part === "string"
        ? part
        : part.expression === undefined
          ? `{${part.written}}`
          : valueText(evaluate(part.expression, scope)),
    )
    .join("");

const maxDepth = 100;

/** A value with its expressions evaluated; members without a value are left out. */
export function evaluateValue(value: Json, scope: Scope, depth = 0): Json | undefined {
  if (typeof value === "string") {
    const expression = parseExpression(value);
    return expression === undefined ? fillTemplate(value, scope) : evaluate(expression, scope);
  }
  if (!isContainer(value) || depth >= maxDepth) return value;
  if (Array.isArray(value)) return value.map((item: Json) => evaluateValue(item, scope, depth + 1) ?? null);
  if (isSelector(value)) return selectValue(value, scope);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, Json]) => {
      const result = evaluateValue(member, scope, depth + 1);
      return result === undefined ? [] : [[name, result]];
    }),
  );
}

const isSelector = (value: Json): boolean =>
  ["context", "selector", "type"].every((key) => member(value, key) !== undefined);

function selectValue(value: Json, scope: Scope): Json | undefined {
  const context = evaluateValue(textAt(value, "context") ?? "", scope);
  const selector = textAt(value, "selector") ?? "";
  const type = member(value, "type");
  const kind = isObject(type) ? textAt(type, "type") : type;
  if (context === undefined) return undefined;
  if (kind === "jsonpointer") return valueAt(context, { pointer: selector.replace(/^#/, "") });
  return attempt(() => {
    if (kind === "xpath") return selectXml(valueText(context), selector);
    const values = selectPath(context, selector).map((match) => match.value);
    return values.length > 1 ? values : values[0];
  });
}

function parseXml(xml: string): Document {
  const document = new DOMParser().parseFromString(xml, "application/xml");
  if (document.querySelector("parsererror")) throw new Error("XML");
  return document;
}

/** Sets the text of each node that an XPath selects. Returns the XML unchanged if it or the XPath is invalid. */
export function replaceXml(xml: string, path: string, value: string): string {
  try {
    const document = parseXml(xml);
    const nodes = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
    for (let i = 0; i < nodes.snapshotLength; i++) nodes.snapshotItem(i)!.textContent = value;
    const [declaration] = /^\s*<\?xml\s.*?\?>\s*/s.exec(xml) ?? [""];
    return declaration + new XMLSerializer().serializeToString(document).replace(/^<\?xml\s.*?\?>\s*/s, "");
  } catch {
    return xml;
  }
}

/** The result of an XPath 1.0 expression, the version that browsers support; a list if it selects several nodes. */
export function selectXml(xml: string, path: string): string | number | boolean | string[] | undefined {
  const document = parseXml(xml);
  const result = document.evaluate(path, document, null, XPathResult.ANY_TYPE);
  if (result.resultType === XPathResult.BOOLEAN_TYPE) return result.booleanValue;
  if (result.resultType === XPathResult.NUMBER_TYPE) return result.numberValue;
  if (result.resultType === XPathResult.STRING_TYPE) return result.stringValue;
  const nodes: string[] = [];
  for (let node = result.iterateNext(); node; node = result.iterateNext()) nodes.push(node.textContent ?? "");
  return nodes.length > 1 ? nodes : nodes[0];
}
