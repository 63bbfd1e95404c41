import { type Node, parse } from "acorn";
import { type Diagnostic, positionAt } from "../../lib/diagnostic/index.js";
import { encodePath } from "../../lib/url/index.js";
import { readScript, type ScriptFacts } from "./script-facts.js";

export interface SiteScript {
  readonly sourcePath: string;
  /** Undefined for a script that is left out. */
  readonly code: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A larger script is copied as it is. */
const maxParsedBytes = 4 * 1024 * 1024;

/**
 * Adapts the scripts of the site, which every page loads as classic scripts: those that only Node or a bundler can run
 * are left out, and strings that name a file of the bundle from its root become its address, so that they work from
 * `file://` and below a path, as does what looks at the page's path.
 *
 * @param filePaths output paths of files and folders, by their paths in the site: `images/a.png`, `images/`
 */
export function adaptScripts(
  scripts: readonly { readonly sourcePath: string; readonly text: string }[],
  filePaths: ReadonlyMap<string, string>,
): readonly SiteScript[] {
  const paths = new Map<string, string>();
  for (const [path, output] of filePaths)
    paths.set(`/${path}`, encodePath(output)).set(`/${encodePath(path)}`, encodePath(output));
  const read = scripts.map(({ sourcePath, text }) => ({ sourcePath, text, ...factsOf(text) }));
  const globals = new Set(read.flatMap(({ facts }) => [...(facts?.globals ?? [])]));
  const taken = new Set<string>();
  return read.map(({ sourcePath, text, facts, fault }): SiteScript => {
    const reason = fault ?? nodeFault(facts, globals);
    if (reason) return { sourcePath, code: undefined, diagnostics: [leftOut(sourcePath, text, reason)] };
    // Browsers run no script that declares a constant of another one again.
    const isBlock = facts !== undefined && [...facts.lexical].some((name) => taken.has(name));
    if (!isBlock) for (const name of facts?.outermost ?? []) taken.add(name);
    const code = facts === undefined ? text : withFileAddresses(text, facts, paths, isBlock);
    return { sourcePath, code, diagnostics: [] };
  });
}

interface Fault {
  /** Completes "This script". */
  readonly reason: string;
  readonly offset: number;
}

/** Neither facts nor a fault: the script is too large or too deep to be read. */
function factsOf(text: string): { readonly facts?: ScriptFacts; readonly fault?: Fault } {
  if (text.length > maxParsedBytes) return {};
  if (text.startsWith("#!")) return { fault: { reason: "starts with #!, like a Node program", offset: 0 } };
  try {
    return { facts: readScript(parse(text, { ecmaVersion: "latest", sourceType: "script" })) };
  } catch (error) {
    if (!(error instanceof SyntaxError) || error.message.startsWith("Not enough stack space")) return {};
    const { pos = 0, message } = error as SyntaxError & { readonly pos?: number };
    return {
      fault: moduleFault(text) ?? {
        reason: `has a syntax error (${message.replace(/ \(\d+:\d+\)$/, "")})`,
        offset: pos,
      },
    };
  }
}

function moduleFault(text: string): Fault | undefined {
  try {
    const { body } = parse(text, { ecmaVersion: "latest", sourceType: "module" });
    const statement = (body as readonly Node[]).find(({ type }) => /^(?:Import|Export)/.test(type));
    return { reason: "is an ES module, which pages cannot load as a plain script", offset: statement?.start ?? 0 };
  } catch {
    return undefined;
  }
}

function nodeFault(facts: ScriptFacts | undefined, globals: ReadonlySet<string>): Fault | undefined {
  if (!facts || facts.testsEnvironment) return undefined;
  const found = facts.nodeUses.find(({ name }) => !facts.declared.has(name) && !globals.has(name));
  return (
    found && {
      reason: `uses ${found.name.includes("(") ? found.name : `"${found.name}"`}, which only Node and bundlers have`,
      offset: found.start,
    }
  );
}

function leftOut(sourcePath: string, text: string, { reason, offset }: Fault): Diagnostic {
  const what = `This script ${reason}, so it would fail on every page and is left out.`;
  const location = { sourcePath, ...positionAt(text, offset) };
  const fix = "make it run in browsers, or list it in .mintignore if pages do not need it.";
  return { code: "SCRIPT_LEFT_OUT", severity: "warning", what, location, fix };
}

/** The variable that holds the address of the bundle's root. */
const rootName = "offprintBundleRoot";

/** The page's address from the site's root, whatever the host: `/fr/start`, never `/docs/fr/start.html` or that of a file. */
const pagePath = `(encodeURI(document.documentElement.dataset.currentPath||"")||location.pathname)`;

/** The path of a site's script in the bundle has two folders. */
const rootStatement = `var ${rootName}=document.currentScript.src.replace(/[^/]*\\/[^/]*\\/[^/]*$/,"");`;

/** What names a file in markup and styles, with the quote before it. */
const addressInMarkup = /(\b(?:src|href|poster)=\\?["']?|\burl\(\\?["']?)(\/[^"'`\\)\s?#<>]+)/g;

/**
 * Replaces strings that name a file from the root by an expression for its absolute address: `"/logo.svg"` becomes
 * `(offprintBundleRoot+"logo.svg")`, also in markup: `"<img src=/logo.svg>"`. Reads of the page's path get that of the
 * site. The rest of the script is unchanged.
 *
 * @param isBlock the script becomes a block, to which its constants and classes belong
 */
function withFileAddresses(
  text: string,
  facts: ScriptFacts,
  paths: ReadonlyMap<string, string>,
  isBlock: boolean,
): string {
  const edits = new Map<number, readonly [end: number, code: string]>();
  for (const { start, end, quote } of facts.texts) {
    const written = text.slice(start, end);
    const [before, after] = quote === "`" ? ["${", "}"] : [`${quote}+`, `+${quote}`];
    const code = written.replace(addressInMarkup, (whole, name: string, path: string) =>
      paths.has(path) ? `${name}${before}${rootName}${after}${paths.get(path)}` : whole,
    );
    if (code !== written) edits.set(start, [end, quote === "`" ? code : `(${code})`]);
  }
  for (const { start, end, value } of facts.strings)
    if (paths.has(value)) edits.set(start, [end, `(${rootName}+${JSON.stringify(paths.get(value))})`]);
  for (const { start, end } of facts.pathReads) edits.set(start, [end, pagePath]);
  if (edits.size === 0 && !isBlock) return text;
  let out = text.slice(0, facts.bodyStart) + (edits.size > 0 ? rootStatement : "") + (isBlock ? "{" : "");
  let end = facts.bodyStart;
  for (const [start, [after, code]] of [...edits].sort(([a], [b]) => a - b)) {
    out += text.slice(end, start) + code;
    end = after;
  }
  return `${out}${text.slice(end)}${isBlock ? "\n}" : ""}`;
}
