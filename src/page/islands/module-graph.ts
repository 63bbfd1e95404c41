import { createHash } from "node:crypto";
import type { Cache } from "../../lib/cache/index.js";
import type { AnyNode } from "../../lib/jsx/syntax-node.js";
import { createMemo } from "../../lib/memo.js";
import { resolveImport } from "../../site/links/index.js";
import { parsedFault, parserFault, type SourceFault, unreturnedElements } from "./check-source.js";
import { type CompiledModule, compilerVersion, type ModuleSource } from "./compile-module.js";
import type { IslandFault } from "./island.js";
import { providedNames } from "./runtime/names.js";
import { limits } from "./sandbox/protocol.js";

type ReadModule =
  | {
      readonly code: string;
      readonly facts: ModuleFacts;
      readonly unreturned: Awaited<ReturnType<typeof unreturnedElements>>;
    }
  | { readonly fault: SourceFault };

/** A module and its imports: each resolves to another module, to `react`, or to null if the site lacks it. */
export interface GraphModule {
  readonly id: string;
  readonly code: string;
  readonly facts: ModuleFacts;
  readonly deps: ReadonlyMap<string, string | null>;
}

export interface Graph {
  readonly modules: ReadonlyMap<string, GraphModule>;
  /** Modules that cannot be compiled. */
  readonly broken: ReadonlyMap<string, SourceFault>;
  readonly faults: readonly IslandFault[];
}

interface GraphOptions {
  readonly pageModules: Readonly<Record<string, string>>;
  readonly site: SiteModules;
  readonly compile: (sources: readonly ModuleSource[]) => Promise<readonly ReadModule[]>;
}

const react = /^react(?:-dom)?(?:\/|$)/;

/** Reads the modules of a page and all modules that they import. It reads only files of the site. */
export async function readGraph(options: GraphOptions): Promise<Graph> {
  const modules = new Map<string, GraphModule>();
  const broken = new Map<string, SourceFault>();
  const faults: IslandFault[] = [];
  const sources = new Map<string, ModuleSource>(
    Object.entries(options.pageModules).map(([id, text]) => [id, { id, text }]),
  );
  let queue = [...sources.values()];

  const resolve = (path: string, importer: ModuleSource): string | null => {
    if (react.test(path)) return "react";
    const fault = (code: IslandFault["code"], what: string): null => {
      faults.push({ code, module: importer.id, ...importPosition(path, importer.text), what });
      return null;
    };
    const target = options.site.resolve(path, importer.id);
    if (target.kind === "package") return fault("IMPORT_PACKAGE", path);
    if (target.kind === "outside") return fault("IMPORT_OUTSIDE", path);
    if (target.kind === "missing") return fault("IMPORT_NOT_FOUND", target.sourcePath);
    const id = target.sourcePath;
    if (sources.has(id)) return id;
    const source = options.site.source(id);
    // Markdown is not code; the content stage reports it.
    if (source === undefined) return /\.mdx?$/i.test(id) ? null : fault("IMPORT_NOT_FOUND", id);
    if (sources.size >= limits.moduleCount)
      return fault("ISLAND_LIMIT", `the page has more than ${limits.moduleCount} modules`);
    sources.set(id, source);
    queue.push(source);
    return id;
  };

  while (queue.length > 0) {
    const batch = queue;
    queue = [];
    const compiled = await options.compile(batch);
    for (const [i, source] of batch.entries()) {
      const { id } = source;
      const result = compiled[i]!;
      if ("fault" in result) {
        const { kind, message, ...position } = result.fault;
        broken.set(id, result.fault);
        const code = kind === "syntax" ? "MODULE_SYNTAX" : "ISLAND_LIMIT";
        faults.push({ code, module: id, ...position, what: message });
        continue;
      }
      const { code, facts, unreturned } = result;
      for (const element of unreturned) faults.push({ code: "ELEMENT_NOT_RETURNED", module: id, ...element });
      modules.set(id, { id, code, facts, deps: new Map(facts.imports.map((path) => [path, resolve(path, source)])) });
    }
  }
  for (const [id, module] of modules) {
    const deps = new Map([...module.deps].map(([path, dep]) => [path, dep !== null && broken.has(dep) ? null : dep]));
    modules.set(id, { ...module, deps });
  }
  return { modules, broken, faults };
}

function importPosition(path: string, text: string): { line?: number; column?: number } {
  const at = ['"', "'", "`"].map((quote) => text.indexOf(quote + path + quote)).find((index) => index >= 0);
  if (at === undefined) return {};
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}

export interface SiteModulesOptions {
  /** Text of a file of the site. */
  readonly readModule: (id: string) => string | undefined;
  readonly has: (id: string) => boolean;
}

/** The files of a site as modules. Each is read once, however many pages import it. */
interface SiteModules {
  /** Undefined for Markdown and for files that cannot be read. */
  source(id: string): ModuleSource | undefined;
  resolve(path: string, importer: string): ReturnType<typeof resolveImport>;
}

export function createSiteModules({ readModule, has }: SiteModulesOptions): SiteModules {
  const sources = new Map<string, ModuleSource | undefined>();
  const targets = createMemo<ReturnType<typeof resolveImport>>();
  return {
    source(id) {
      if (!sources.has(id)) {
        const text = moduleText(id, readModule);
        sources.set(id, text === undefined ? undefined : { id, text });
      }
      return sources.get(id);
    },
    resolve(path, importer) {
      const folder = importer.slice(0, importer.lastIndexOf("/") + 1);
      return targets(`${folder}\n${path}`, () => resolveImport(path, importer, has));
    },
  };
}

const isCode = /\.(?:jsx?|mjs|tsx?|json)$/i;

/** The text of a file as a module. JSON exports its value; other files that are not code export their URL. */
function moduleText(id: string, readModule: (id: string) => string | undefined): string | undefined {
  if (/\.mdx?$/i.test(id)) return undefined;
  if (!isCode.test(id)) return `export default ${JSON.stringify(`/${id}`)};`;
  const text = readModule(id);
  return text !== undefined && /\.json$/i.test(id) ? `export default (${text});` : text;
}

/** Compiles each source once, or takes the result of an earlier export from the cache. */
export function createModuleReader(
  compile: (sources: readonly ModuleSource[]) => Promise<readonly CompiledModule[]>,
  version: string,
  cache: Cache | undefined,
) {
  const modules = new WeakMap<ModuleSource, ReadModule | Promise<ReadModule>>();

  const finish = async (
    compiled: CompiledModule | undefined,
    source: ModuleSource,
    key: string,
  ): Promise<ReadModule> => {
    if (!compiled) throw new Error("The compiler returned too few modules.");
    const read = "fault" in compiled ? compiled : await readCode(source, compiled.code);
    // Cache syntax errors too, so that the next export does not start esbuild for them. Limits depend on the machine.
    if (!("fault" in read && read.fault.kind === "limit")) cache?.put(key, Buffer.from(JSON.stringify(read)));
    return read;
  };

  return async (sources: readonly ModuleSource[]): Promise<ReadModule[]> => {
    const missing: ModuleSource[] = [];
    // Runs after all sources below have been looked up.
    const compiled = Promise.resolve().then(() => (missing.length === 0 ? [] : compile(missing)));
    const read = (source: ModuleSource): ReadModule | Promise<ReadModule> => {
      const extension = source.id.slice(source.id.lastIndexOf("."));
      const key = createHash("sha256")
        .update(`island module ${version} ${compilerVersion} ${extension}\n${source.text}`)
        .digest("hex");
      const cached = cache?.get(key);
      if (cached) return JSON.parse(Buffer.from(cached).toString("utf8")) as ReadModule;
      const index = missing.push(source) - 1;
      return compiled.then((all) => finish(all[index], source, key));
    };
    const results = sources.map((source) => {
      const result = modules.get(source) ?? read(source);
      modules.set(source, result);
      return result;
    });
    return Promise.all(results);
  };
}

async function readCode({ id, text }: ModuleSource, code: string): Promise<ReadModule> {
  const isTypeScript = /\.tsx?$/i.test(id);
  try {
    return { code, facts: await readFacts(code), unreturned: await unreturnedElements(text, isTypeScript) };
  } catch (error) {
    // Esbuild does not check regular expressions.
    const { kind, message } = parserFault(error);
    return { fault: await parsedFault(text, isTypeScript, { kind, message }) };
  }
}

export interface ModuleFacts {
  readonly imports: readonly string[];
  /** Names that the module may use without an import. */
  readonly provided: readonly string[];
  readonly literals: readonly string[];
  /** Network APIs that it uses: `fetch`, `WebSocket`, `<iframe>`. */
  readonly network: readonly string[];
}

interface Findings {
  readonly imports: Set<string>;
  readonly literals: Set<string>;
  readonly network: Set<string>;
}

/** @param code compiled: imports are calls of `require`, elements calls of `__h`. */
export async function readFacts(code: string): Promise<ModuleFacts> {
  const { parse } = await import("acorn");
  const findings: Findings = { imports: new Set(), literals: new Set(), network: new Set() };
  const stack: unknown[] = [parse(code, { ecmaVersion: "latest", sourceType: "script" })];
  while (stack.length > 0) {
    const node = stack.pop();
    // One by one, because a call cannot have as many arguments as a list may have items.
    if (Array.isArray(node)) for (const item of node) stack.push(item);
    else if (typeof node === "object" && node !== null) stack.push(...visitNode(node as AnyNode, findings));
  }
  const words = new Set(code.match(/[\w$]+/g));
  const sorted = (set: ReadonlySet<string>): string[] => [...set].sort().slice(0, maxCount);
  return {
    imports: sorted(findings.imports),
    provided: names.filter((name) => words.has(name)),
    literals: sorted(findings.literals),
    network: sorted(findings.network),
  };
}

function addLiteral(text: string, { literals }: Findings): void {
  if (/^\/[^/]/.test(text) ? text.length <= 300 : iconName.test(text)) literals.add(text);
}

const maxCount = 2_000;
const names = [...new Set([...providedNames, "__h", "__F", "__Slot"])].sort();

/** Adds the facts of a node to the findings, and returns the nodes to visit next. */
function visitNode(node: AnyNode, findings: Findings): unknown[] {
  const { imports, network } = findings;
  switch (node.type) {
    case "Literal":
    case "TemplateLiteral": {
      const text = literalText(node);
      if (text !== undefined) addLiteral(text, findings);
      return node.type === "Literal" ? [] : [node["expressions"]];
    }
    case "Identifier":
      if (networkNames.has(node["name"] as string)) network.add(node["name"] as string);
      return [];
    case "MemberExpression": {
      if (node["computed"]) return [node["object"], node["property"]];
      const [object, property] = [node["object"], node["property"]].map((part) => (part as AnyNode)["name"] as string);
      const isGlobal = /^(?:window|self|globalThis|navigator)$/.test(object ?? "");
      if (isGlobal && networkNames.has(property!)) network.add(property!);
      return [node["object"]];
    }
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
      return node["computed"] ? [node["key"], node["value"]] : [node["value"]];
    case "CallExpression": {
      const [first, second] = node["arguments"] as AnyNode[];
      const callee = (node["callee"] as AnyNode)["name"];
      const text = first && literalText(first);
      if (callee === "require" && text !== undefined) imports.add(text);
      if (callee === "__h" && text === "iframe" && isOutside(second)) network.add("<iframe>");
      return [node["callee"], node["arguments"]];
    }
    default:
      return Object.values(node).filter((value) => typeof value === "object");
  }
}

/** Names of icons, with or without a library. */
const iconName = /^[a-z][\w:/.-]{0,80}$/i;
const networkNames = new Set(["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon"]);

/** The text of a literal, or the start of a template. */
function literalText(node: AnyNode): string | undefined {
  if (node.type === "Literal") return typeof node["value"] === "string" ? node["value"] : undefined;
  if (node.type !== "TemplateLiteral") return undefined;
  const [first] = node["quasis"] as { readonly value: { readonly cooked?: string } }[];
  return first?.value.cooked;
}

function isOutside(props: AnyNode | undefined): boolean {
  const properties = (props?.type === "ObjectExpression" ? props["properties"] : []) as AnyNode[];
  const src = properties.find((property) => (property["key"] as AnyNode | undefined)?.["name"] === "src");
  const text = src && literalText(src["value"] as AnyNode);
  return text !== undefined && /^(?:https?:)?\/\//i.test(text);
}
