/** Tags and expressions that only a JavaScript engine can run, as `island` nodes with the source that renders them. */
import type { Parent, RootContent } from "mdast";
import { resolveImport } from "../../../site/links/index.js";
import type { ModuleSources, Scope } from "../expressions/scope.js";
import { isPlainObject, Opaque, Snippet, Stop, type Value } from "../expressions/values.js";
import { moduleNodes } from "../module-parts.js";
import type { ContentModule, MarkdownModule } from "../modules.js";
import type { Island, JsxElement, PageIslands } from "../page-content.js";
import type { PageState } from "../page-state.js";
import type { Expansion } from "./expansion.js";
import type { Shown } from "./show-value.js";

/** Further islands of a page show their source. */
const maxIslands = 200;

/** A tag of the page or of a snippet. Its content becomes slots, except for text, code and components. */
export function tagIsland(node: JsxElement, shown: Shown, scope: Scope, expander: Expansion): Island {
  const slots: RootContent[][] = [];
  const source = tagSource(node, scope, expander, slots);
  return islandOf({ source, slots, name: node.name ?? undefined }, shown, scope, expander);
}

/** @param source of the expression. */
export const expressionIsland = (source: string, shown: Shown, scope: Scope, expander: Expansion): Island =>
  islandOf({ source: `<>{${source}\n}</>`, slots: [] }, shown, scope, expander);

interface IslandParts {
  readonly source: string;
  readonly slots: readonly RootContent[][];
  readonly name?: string | undefined;
}

function islandOf({ source, slots, name }: IslandParts, shown: Shown, scope: Scope, expander: Expansion): Island {
  const { page } = expander;
  const { typed, mode, position, location, sourcePath } = shown;
  const root = page.islands.length;
  if (root < maxIslands) page.islands.push({ module: scope.module, source: withScope(source, scope) });
  else {
    const what = `${name === undefined ? "This expression" : `<${name}>`} is the ${maxIslands + 1}st part of the page that runs code, one more than allowed; its source is shown instead.`;
    const fix = "split the page into several pages.";
    page.report({ code: "ISLAND_LIMIT", severity: "error", what, location, fix, cause: page.sourcePath });
  }
  return {
    type: "island",
    inline: mode === "inline",
    ...(name === undefined ? {} : { name }),
    source: typed,
    ...(root < maxIslands ? { root } : {}),
    children: slots.map((children, index) => ({ type: "islandSlot", index, children })),
    ...(position === undefined ? {} : { position }),
    ...(sourcePath === undefined ? {} : { data: { sourcePath } }),
  };
}

/** Declares the properties of a snippet as constants. */
function withScope(source: string, { props }: Scope): string {
  if (props === undefined) return `(${source})`;
  const plain = Object.fromEntries(Object.entries(props).filter(([, value]) => isData(value)));
  const names = Object.keys(plain).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "props");
  return `{ const props = ${JSON.stringify(plain)}; const { ${names.join(", ")} } = props; return (${source}); }`;
}

function isData(value: Value): boolean {
  if (value instanceof Opaque) return false;
  if (Array.isArray(value)) return value.every(isData);
  if (typeof value !== "object" || value === null) return true;
  return isPlainObject(value) && Object.values(value).every(isData);
}

function tagSource(node: JsxElement, scope: Scope, expander: Expansion, slots: RootContent[][]): string {
  const attributes = node.attributes.flatMap((attribute) => {
    if (attribute.type === "mdxJsxExpressionAttribute") return codeSource(attribute.value, expander);
    const { name, value } = attribute;
    if (value === null || value === undefined) return name;
    if (typeof value === "string") return `${name}={${JSON.stringify(expander.unmaskedText(value, scope, node))}}`;
    return codeSource(value.value, expander).map((code) => `${name}=${code}`);
  });
  const open = [node.name, ...attributes].join(" ");
  const children = childrenSource(node.children as RootContent[], scope, expander, slots);
  return children === "" ? `<${open} />` : `<${open}>${children}</${node.name}>`;
}

/** Empty for code that the page's parser cannot read, since it could end the tag elsewhere. */
const codeSource = (code: string, expander: Expansion): string[] =>
  expander.options.readExpression(code.startsWith("...") ? `{${code}}` : code).kind === "tree" ? [`{${code}\n}`] : [];

function childrenSource(
  nodes: readonly RootContent[],
  scope: Scope,
  expander: Expansion,
  slots: RootContent[][],
): string {
  const hasComponent = (node: RootContent): boolean => holdsComponent(node, scope);
  const isCode = ({ type }: RootContent): boolean => type === "mdxFlowExpression" || type === "mdxTextExpression";
  const isDirect = nodes.every((node) => node.type === "text" || isCode(node) || hasComponent(node));
  let out = "";
  let run: RootContent[] = [];
  const endRun = (): void => {
    if (run.length === 0) return;
    const mode = run.some((node) => node.type === "text") ? "inline" : "jsx";
    const children = expander.children(run, scope, mode);
    run = [];
    if (children.length === 0) return;
    const texts = isDirect && children.every((child) => child.type === "text");
    if (texts) out += `{${JSON.stringify(children.map((child) => ("value" in child ? child.value : "")).join(""))}}`;
    else out += `<__Slot n={${slots.push(children) - 1}} />`;
  };
  for (const node of nodes) {
    if (!hasComponent(node) && !(isDirect && isCode(node))) {
      run.push(node);
      continue;
    }
    endRun();
    const tag = markdownTags[node.type];
    if (tag !== undefined && "children" in node)
      out += `<${tag}>${childrenSource(node.children as RootContent[], scope, expander, slots)}</${tag}>`;
    else if (isElement(node)) out += tagSource(node, scope, expander, slots);
    else out += codeSource((node as { value: string }).value, expander).join("");
  }
  endRun();
  return out;
}

const isElement = (node: RootContent): node is RootContent & JsxElement =>
  node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";

/** Markdown that can contain components, and its elements. */
const markdownTags: Readonly<Record<string, string>> = {
  paragraph: "p",
  emphasis: "em",
  strong: "strong",
  delete: "del",
  blockquote: "blockquote",
};

/** Whether the node contains components of the page. They are rendered in the same tree, so that they share its context. */
function holdsComponent(node: RootContent, scope: Scope): boolean {
  const isMarkdown = Object.hasOwn(markdownTags, node.type);
  if (!isMarkdown && (!isElement(node) || node.name === null)) return false;
  if (isElement(node) && isComponent(node.name!, scope)) return true;
  const mayHold = isMarkdown || (isElement(node) && /^[a-z][\w-]*$/.test(node.name!));
  return mayHold && (node as Parent).children.some((child) => holdsComponent(child as RootContent, scope));
}

function isComponent(name: string, { env }: Scope): boolean {
  const first = name.split(".")[0]!;
  if (!env.has(first)) return false;
  try {
    const value = env.lookup(first);
    return !(value instanceof Snippet) && (value instanceof Opaque || (first !== name && isPlainObject(value)));
  } catch (error) {
    // Such as `memo(…)`.
    return error instanceof Stop && error.reason === "javascript";
  }
}

/** The modules that the islands of a page are rendered from, without the scripts that these import. */
export function islandSources({ islands, snippets }: PageState, { files, modules }: ModuleSources): PageIslands {
  const texts: Record<string, string> = {};
  const lines: Record<string, readonly number[]> = {};
  const seen = new Set<string>();
  const visit = (module: ContentModule): void => {
    if (seen.has(module.sourcePath)) return;
    seen.add(module.sourcePath);
    if (module.kind === "markdown") {
      const statements = statementsOf(module);
      texts[module.sourcePath] = statements.map(({ value }) => value).join("\n");
      lines[module.sourcePath] = statements.flatMap(linesOf);
    }
    for (const { from } of module.parts?.imports ?? []) {
      const resolved = resolveImport(from, module.sourcePath, (path) => files.has(path));
      if (resolved.kind !== "file" || !/\.(?:mdx?|[cm]?[jt]sx?)$/i.test(resolved.sourcePath)) continue;
      snippets.add(resolved.sourcePath);
      visit(modules.readShared(resolved.sourcePath));
    }
  };
  for (const { module } of islands) visit(module);
  const roots = islands.map(({ module: { sourcePath }, source }, index) => {
    const name = `__i${index}`;
    texts[sourcePath] += `\nexport const ${name} = () => ${source};`;
    return { module: sourcePath, name };
  });
  return { modules: texts, lines, roots };
}

const statementsOf = ({ parsed }: MarkdownModule) => [...moduleNodes(parsed.tree)];

const linesOf = ({ value, position }: ReturnType<typeof statementsOf>[number]): number[] =>
  value.split("\n").map((_, i) => (position?.start.line ?? 0) + i);
