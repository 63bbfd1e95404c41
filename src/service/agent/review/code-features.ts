import { parseExpression, parseModule } from "../../../page/content/index.js";
import type { Feature } from "./flag.js";
import { addressesIn, attributeFeatures, elementFeatures } from "./markup-features.js";

/** What does more than to show a value. */
const active =
  /^(?:Call|New|Import|TaggedTemplate|Assignment|Update|Await|Yield|Function|ArrowFunction|Class|Binary)Expression$|^(?:Function|Class)Declaration$/;

type Tree = Readonly<Record<string, unknown>>;

/** Of an import or export, or of the expression in braces, of MDX. Nothing of it is run. */
export function codeFeatures(code: string, kind: "module" | "expression", line: number): Feature[] {
  const parsed = kind === "module" ? parseModule(code) : parseExpression(code);
  if (parsed.kind === "empty") return [];
  if (parsed.kind !== "tree") return [{ kind: "code", line, text: code }];
  const features: Feature[] = [];
  // An expression is parsed with a bracket in front.
  const shift = kind === "module" ? 0 : 1;
  const sourceOf = ({ start, end }: Tree): string => code.slice(Number(start) - shift, Number(end) - shift);
  let isActive = false;
  const pending: Tree[] = [parsed.node as unknown as Tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { type, name, value, source } = node;
    for (const child of Object.values(node))
      for (const each of Array.isArray(child) ? child : [child]) if (isTree(each)) pending.push(each);
    const from = isTree(source) ? source["value"] : undefined;
    if (active.test(String(type)) || (typeof from === "string" && !/\.mdx?$/.test(from))) isActive = true;
    else if (typeof value === "string") features.push(...addressesIn(value, line));
    if (type === "TemplateElement") features.push(...addressesIn(String((value as Tree)["raw"]), line));
    if (type === "JSXElement") {
      const opening = node["openingElement"] as Tree;
      features.push(...elementFeatures(sourceOf(opening["name"] as Tree), line, sourceOf(node)));
    }
    if (type === "JSXSpreadAttribute") isActive = true;
    if (type === "JSXAttribute") {
      const isText = isTree(value) && typeof value["value"] === "string";
      const text = isTree(value) ? (isText ? String(value["value"]) : sourceOf(value)) : "";
      features.push(...attributeFeatures(sourceOf(name as Tree), text, line, !isText));
    }
  }
  return isActive ? [...features, { kind: "code", line, text: code }] : features;
}

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && "type" in value;
