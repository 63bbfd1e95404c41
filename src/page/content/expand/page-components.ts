/** Components that a page defines or imports. They take precedence over built-in ones of the same name. */

import type { RootContent } from "mdast";
import { nearestName, type Rewrite } from "../../../lib/diagnostic/index.js";
import { createMemo } from "../../../lib/memo.js";
import { addFile, resolveSnippetFile } from "../../../site/links/index.js";
import {
  Closure,
  type Environment,
  isJsxTree,
  isPlainObject,
  jsxTree,
  Opaque,
  Snippet,
  Stop,
  type Value,
} from "../expressions/values.js";
import type { Island } from "../page-content.js";
import { inlineOnly, wrapLoose } from "../tree-shape.js";
import type { LiveAttribute, Props } from "./evaluate-attributes.js";
import type { Expansion } from "./expansion.js";
import { asStop, nodesOfValue, reportLimit, type Shown, showStopped } from "./show-value.js";

/** A tag that names a component of the page. */
export interface ComponentUse extends Shown {
  readonly name: string;
  readonly props: { readonly [key: string]: Value };
  /** The default export of the page, which its text is in. */
  readonly isLayout?: boolean;
  /** The content between the tags, in the scope of the file that has the tag. */
  readonly children: () => RootContent[];
  /** What a JavaScript engine renders in place of the tag. Absent in code, where it renders the whole component. */
  readonly island?: () => Island;
}

/** Deeper chains of snippets are assumed to be endless. */
const maxSnippetDepth = 20;

/** The value that a tag's name has in the page; undefined for an element or a built-in component. */
export function findPageComponent(name: string, env: Environment, props: Props, expander: Expansion): Value {
  const [first = name, ...members] = name.split(".");
  if (!env.has(first)) return name === "Snippet" ? findSnippet(props, expander) : undefined;
  let value: Value;
  try {
    value = env.lookup(first);
    for (const member of members) {
      if (value instanceof Opaque) return value;
      value = isPlainObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
    }
  } catch (error) {
    return asStop(error).reason === "undefined" ? undefined : new Unreadable(asStop(error));
  }
  // A lower-case tag is an HTML element, unless the page has a component of that name.
  const isElement = members.length === 0 && /^[a-z]/.test(name);
  return value instanceof Opaque || (!isElement && isJsxTree(value)) ? value : undefined;
}

/** A name whose value could not be evaluated. */
class Unreadable extends Opaque {
  constructor(readonly stop: Stop) {
    super();
  }
}

/** `<Snippet file="x.mdx">`, the older way to include a file. */
function findSnippet(props: Props, expander: Expansion): Value {
  const { file } = props;
  if (typeof file !== "string") return undefined;
  const { files } = expander.options;
  const resolved = resolveSnippetFile(file, (path) => files.has(path));
  if (resolved.kind === "file") return new Snippet(resolved.sourcePath);
  return new MissingSnippet(file, resolved.kind === "missing" ? resolved.sourcePath : undefined);
}

class MissingSnippet extends Opaque {
  constructor(
    readonly file: string,
    readonly sourcePath: string | undefined,
  ) {
    super();
  }
}

/**
 * Whether a JavaScript engine renders a tag with functions: an element or a component of the page. A built-in component is
 * rendered without its handlers.
 */
export function takesFunctions(
  name: string,
  component: Value,
  live: readonly LiveAttribute[],
  expander: Expansion,
): boolean {
  if (component !== undefined)
    return component instanceof Opaque && !(component instanceof Snippet || component instanceof MissingSnippet);
  if (expander.options.builtIns.has(name)) return live.every(({ kind }) => kind === "value");
  return /^[a-z]/.test(name);
}

/** Whether the tag is an element whose content is HTML as text. As an island its HTML is filtered as untrusted. */
export function takesHtml(name: string, component: Value, props: Props, expander: Expansion): boolean {
  const html = props["dangerouslySetInnerHTML"];
  const isElement = component === undefined && !expander.options.builtIns.has(name) && /^[a-z]/.test(name);
  return isElement && isPlainObject(html as Value) && typeof (html as { __html?: unknown }).__html === "string";
}

/** The content of a component, which replaces its tag. */
export function expandPageComponent(component: Value, use: ComponentUse, expander: Expansion): RootContent[] {
  const { islands } = expander.page;
  const islandCount = islands.length;
  let nodes: RootContent[];
  try {
    nodes = componentContent(component, use, expander);
  } catch (error) {
    const stop = asStop(error);
    // The islands in its content become parts of another island.
    if (stop.reason === "javascript") islands.length = islandCount;
    nodes = contentIfStopped(stop, use, expander);
  }
  // The blocks of a file need no paragraphs around them.
  if (use.mode === "block") return component instanceof Snippet ? nodes : wrapLoose(nodes);
  return use.mode === "inline" && nodes.length === 1 ? inlineOnly(nodes) : nodes;
}

/** Reports why a component cannot be evaluated, and shows the content between its tags. @throws {Stop} in code. */
function contentIfStopped(stop: Stop, use: ComponentUse, expander: Expansion): RootContent[] {
  if (stop.reason === "limit") {
    reportLimit(stop, use, expander);
    return [];
  }
  if (stop.reason === "javascript") {
    if (use.island === undefined) throw stop;
    return [use.island()];
  }
  if (stop.reason === "missing") return use.children();
  return [...showStopped(stop, { ...use, typed: `<${use.name}>` }, expander), ...use.children()];
}

function componentContent(component: Value, use: ComponentUse, expander: Expansion): RootContent[] {
  if (component instanceof Snippet) return expandFile(component.sourcePath, use, expander);
  if (component instanceof MissingSnippet) return reportMissing(component, use, expander);
  if (component instanceof Unreadable) throw component.stop;
  if (component instanceof Closure) {
    const { stack } = expander.page;
    if (stack.length > maxSnippetDepth)
      throw new Stop("limit", `components are nested more than ${maxSnippetDepth} deep`);
    stack.push(`<${use.name}>`);
    try {
      return nodesOfValue(
        expander.interpreter.call(component, propsOfFunction(component, use, expander)),
        use,
        expander,
      );
    } finally {
      stack.pop();
    }
  }
  if (component instanceof Opaque) throw new Stop("javascript", "import");
  return nodesOfValue(component, use, expander);
}

function propsOf(use: ComponentUse): { readonly [key: string]: Value } {
  const children = use.children();
  return children.length === 0 ? use.props : { ...use.props, children: jsxTree(children) };
}

function propsOfFunction({ node, env: { code } }: Closure, use: ComponentUse, expander: Expansion) {
  const props = propsOf(use);
  const { start, end } = node as { start?: number; end?: number };
  const [taken] = node.params;
  if (start === undefined || end === undefined || (taken && taken.type !== "ObjectPattern")) return props;
  const keys = taken?.properties.flatMap((each) => ("key" in each && "name" in each.key ? each.key.name : [])) ?? [];
  const source = code.text.slice(start - code.shift, end - code.shift);
  return withNearNames(props, { source, sourcePath: code.sourcePath, keys }, use, expander);
}

function expandFile(sourcePath: string, use: ComponentUse, expander: Expansion): RootContent[] {
  const { page, options } = expander;
  const { stack } = page;
  if (stack.includes(sourcePath)) {
    const chain = [...stack.slice(stack.indexOf(sourcePath)), sourcePath].filter((each) => !each.startsWith("<"));
    const what = `The snippet includes itself: ${chain.join(" -> ")}. It is left out here.`;
    return reportError(expander, use, "SNIPPET_CYCLE", what, "remove one of these imports.");
  }
  if (stack.length > maxSnippetDepth) throw new Stop("limit", `snippets are nested more than ${maxSnippetDepth} deep`);
  const module = options.modules.readShared(sourcePath);
  if (module.kind !== "markdown") throw new Stop("javascript", "import");
  page.snippets.add(sourcePath);
  expander.reportFile(module);
  stack.push(sourcePath);
  const props = withNearNames(propsOf(use), module, use, expander);
  try {
    const scope = expander.scopeOf(module, props);
    const children = expander.children(module.parsed.tree.children, scope, use.mode === "inline" ? "jsx" : use.mode);
    return use.mode === "inline" && children.length === 1 ? inlineOnly(children) : children;
  } finally {
    stack.pop();
  }
}

/** A page may use the same component thousands of times. */
const wordsOfSource = createMemo<ReadonlySet<string>>(8);
const wordsOf = (code: string): ReadonlySet<string> =>
  wordsOfSource(code, () => new Set(code.match(/[A-Za-z_$][\w$]*/g)));

/**
 * Reports properties and content that a snippet or a function does not show.
 * @param keys of the properties that a function takes; absent for a snippet
 * @returns the properties, a misspelt one also under its right name
 */
function withNearNames(
  props: { readonly [key: string]: Value },
  {
    source,
    sourcePath,
    keys,
  }: { readonly source: string; readonly sourcePath: string; readonly keys?: readonly string[] },
  { name, location, isLayout }: ComponentUse,
  { page }: Expansion,
): { readonly [key: string]: Value } {
  const named = Object.keys(props).filter((each) => /^(?!file$|key$|class)[a-z]\w*$/i.test(each));
  const code = keys ? source : source.includes("{") ? source.slice(source.indexOf("{")) : "";
  if (named.length === 0 || /\bprops\b/.test(code) || (keys && /\.{3}|\barguments\b/.test(code))) return props;
  const used = wordsOf(code);
  const given = named.filter((each) => !used.has(each));
  if (given.length === 0) return props;
  const isContent = given.includes("children");
  const shown = keys ?? [...code.matchAll(/\{\s*([A-Za-z_$][\w$]*)/g)].map(([, word]) => word!);
  const free = shown.filter((each) => !Object.hasOwn(props, each));
  const near = isContent ? undefined : nearestName(given[0]!, free);
  if (keys && !isContent && near === undefined) return props;
  const names = given.filter((each) => each !== "children").map((each) => `"${each}"`);
  const place = keys ? `its function in ${sourcePath}` : sourcePath;
  const what = isContent
    ? `The content of ${isLayout ? "this page" : `<${name}>`} is not shown: ${isLayout ? "its default export" : place} does not contain {children}.`
    : `<${name}> has ${names.join(", ")}, which ${place} does not use${near ? `; it is taken for "${near}"` : ""}.`;
  const fix = isLayout
    ? "write {children} in the function where the text of the page belongs, or remove the export."
    : isContent
      ? `write {children} in ${sourcePath} where the content belongs.`
      : near
        ? `write ${near}.`
        : `write {${given[0]}} in ${sourcePath} where the value belongs, or remove it.`;
  page.report({ code: isContent ? "COMPONENT_ALONE" : "PROPERTY_UNKNOWN", severity: "warning", what, location, fix });
  return near === undefined ? props : { ...props, [near]: props[given[0]!]! };
}

function reportMissing({ file, sourcePath }: MissingSnippet, use: ComponentUse, expander: Expansion): RootContent[] {
  if (sourcePath === undefined) {
    const what = `<Snippet file="${file}"> points outside the site folder, so it is not read.`;
    return reportError(expander, use, "IMPORT_OUTSIDE", what, "move the file into the site folder.");
  }
  const nearestPath = expander.options.nearestFile(sourcePath);
  const isSame = nearestPath?.toLowerCase() === sourcePath.toLowerCase();
  const nearest = nearestPath?.replace(/^_?snippets\//, "");
  const what = `<Snippet file="${file}"> refers to ${sourcePath}, which does not exist.`;
  const fix = nearest === undefined ? addFile(sourcePath, "remove the tag") : `write file="${nearest}".`;
  const rewrites = nearest === undefined ? [] : [{ written: file, replacement: nearest, certain: isSame }];
  return reportError(expander, use, "SNIPPET_NOT_FOUND", what, fix, rewrites);
}

/** @returns the nodes to show: none. */
function reportError(
  expander: Expansion,
  use: ComponentUse,
  code: string,
  what: string,
  fix: string,
  rewrites: readonly Rewrite[] = [],
): [] {
  expander.page.report({ code, severity: "error", what, location: use.location, fix, rewrites });
  return [];
}
