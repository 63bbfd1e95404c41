/** Imports of MDX. Text files and pictures are inserted where they are used, and components of the tool need no import. */
import { folderOf, joinPath } from "../../lib/url/index.js";
import { codeLines, linesOf, mapText, type PageText, replaceGroups, textOfLines } from "../page-text.js";
import type { PageContext } from "../project.js";
import { fileIn } from "../tools/shared.js";
import { githubSlugs } from "./anchors.js";
import { attribute, insertText } from "./blocks.js";
import { fenced, languageOf } from "./parts.js";
import { attributeText, mapTags, type Tag } from "./tags.js";

const ofTools =
  /^(?:@theme(?:-original)?\/|@docusaurus\/|@astrojs\/|astro[:/]|react$|nextra|next\/|fumadocs-|@?rspress\/)/;

/** What an imported name stands for. */
type Binding =
  | { readonly kind: "markdown" | "text"; readonly text: string; readonly path: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "unknown"; readonly text?: string | undefined; readonly path?: string };

/** Removes imports. Markdown that a page imports is inserted, code becomes code blocks, and pictures get their addresses. */
export function mdxImports(all: PageText, context: PageContext, depth = 0): PageText {
  const bindings = new Map<string, Binding>();
  const lines = withoutComments(all);
  const remaining = replaceGroups(lines, (line, at) => {
    const [whole, exported] = (!line.code && reexport.exec(line.text.slice(0, 2000))) || [];
    if (whole !== undefined && /\bas default\b/.test(exported!))
      context.report("page", `The content of the page is code: ${whole.trim()}. Write it as MDX.`, line.line);
    if (whole !== undefined) return { end: at + 1, lines: [] };
    const last = line.code || !/^import[\s{*"']/.test(line.text) ? undefined : endOfImport(lines, at);
    if (last === undefined) return undefined;
    const statement = textOfLines(lines.slice(at, last + 1)).replaceAll("\n", " ");
    const [, names = "", from = ""] = /^import\s+(?:(.*?)\s+from\s+)?["']([^"']+)["']/.exec(statement) ?? [];
    for (const [name, binding] of bindingsOf(names, from, context)) bindings.set(name, binding);
    return { end: last + 1, lines: [] };
  });
  return useBindings(remaining, bindings, context, depth);
}

const reexport = /^export\s*\{([^{}]*)\}\s*from\s*["'][^"']+["'];?\s*$/;
const maxDepth = 5;

/** Removes comments that span lines: they are for authors, and must not be read as blocks. */
function withoutComments(lines: PageText): PageText {
  let isInside = false;
  return lines.filter(({ text, code }) => {
    const starts = !isInside && !code && /^\s*\{\/\*/.test(text) && !text.includes("*/}");
    const wasInside = isInside || starts;
    if (starts) isInside = true;
    else if (isInside && text.includes("*/}")) isInside = false;
    return !wasInside;
  });
}

const maxImportLines = 60;

function endOfImport(lines: PageText, from: number): number | undefined {
  for (let i = from; i < Math.min(lines.length, from + maxImportLines); i++) {
    if (lines[i]!.code) return undefined;
    if (
      /(?:^import|\bfrom)\s+["'][^"']+["'](?:\s+with\s+\{[^{}]*\})?;?\s*(?:\/\/.*)?$/.test(
        lines[i]!.text.slice(0, 2000),
      )
    )
      return i;
  }
  return undefined;
}

/** The path of an imported file in the repository. */
function importedPath(from: string, { alias: aliased, base, files, page }: PageContext): string | undefined {
  const plain = from.replace(/^!*[\w-]+-loader!/, "").replace(/\?.*$/, "");
  const named = aliased(plain);
  if (named !== undefined && files.has(named)) return named;
  const [, alias = "", rest = plain] = /^(@site\/|~\/|@\/|#\/?|\/)(.*)$/.exec(plain) ?? [];
  const folders =
    alias === "" ? [folderOf(page.source)] : /^(?:@site)?\/$/.test(alias) ? [base] : [joinPath(base, "src"), base];
  if (alias === "" && !plain.startsWith(".")) return undefined;
  return fileIn(files, folders, [rest]);
}

function bindingsOf(names: string, from: string, context: PageContext): [string, Binding][] {
  const words = [...names.replace(/\btype\s+/g, "").matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g)]
    .map(([, name, other]) => other ?? name!)
    .filter((name) => name !== "as");
  const path = importedPath(from, context);
  const isRaw = /raw/.test(/^!*[\w-]+-loader!|\?.*$/.exec(from)?.[0] ?? "");
  const binding = ((): Binding => {
    if (path === undefined) return { kind: "unknown" };
    if (isRaw || (/\.(?:mdx?|txt|css|html|toml|sh)$/.test(path) && !/^[{*]/.test(names))) {
      const text = context.include(`/${path}`, "");
      return text === undefined
        ? { kind: "unknown" }
        : { kind: /\.mdx?$/.test(path) && !isRaw ? "markdown" : "text", text, path };
    }
    if (/\.(?:png|jpe?g|gif|webp|avif|svg|mp4|webm|pdf)$/i.test(path)) return { kind: "file", path };
    // A data file is text if the page shows it as code.
    const isProgram = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(path) || /^[{*]/.test(names);
    return { kind: "unknown", ...(!isProgram && { text: context.include(`/${path}`, ""), path }) };
  })();
  // Components of the tools are converted by name; those of the site become stubs.
  return binding.kind === "unknown" && ofTools.test(from)
    ? words.filter((name) => /^[a-z]/.test(name)).map((name) => [name, binding])
    : words.map((name) => [name, binding]);
}

function useBindings(
  lines: PageText,
  bindings: ReadonlyMap<string, Binding>,
  context: PageContext,
  depth: number,
): PageText {
  if (bindings.size === 0) return codeElements(lines, bindings, context);
  let left = 200;
  const inserted = lines.flatMap((line) => {
    const name =
      line.code || line.text.length > 1000
        ? undefined
        : /^\s*<([A-Z]\w*)\b[^<>]*(?:\/>|>\s*<\/\1>)\s*$/.exec(line.text)?.[1];
    const binding = name === undefined ? undefined : bindings.get(name);
    if (binding?.kind !== "markdown" || --left < 0 || depth > maxDepth) return [line];
    const { page } = context;
    const inner = { ...context, page: { ...page, source: binding.path } };
    return insertText(textOfLines(mdxImports(linesOf(binding.text, line.line), inner, depth + 1)), line);
  });
  const addressed = mapTags(inserted, (tag, whole) => {
    if (tag.isEnd || !whole.includes("{")) return undefined;
    const replaced = whole.replace(/=\{\s*([\w$]+)(?:\.(?:src|default))?\s*\}/g, (written, name: string) => {
      const binding = bindings.get(name);
      return binding?.kind === "file" ? `="@repo/${binding.path}"` : written;
    });
    return replaced === whole ? undefined : replaced;
  });
  // A picture may also be a value in an object: `{ src: Logo }`.
  const withValues = mapText(addressed, (text) =>
    text.replace(/(:\s*)([A-Za-z_$][\w$]*)(?:\.src)?(?=\s*[,}])/g, (written, start: string, name: string) => {
      const binding = bindings.get(name);
      return binding?.kind === "file" ? `${start}"@repo/${binding.path}"` : written;
    }),
  );
  return dropExpressions(
    codeElements(withValues, bindings, context),
    context,
    new Set([...bindings].flatMap(([name, { kind }]) => (kind === "unknown" && /^[a-z_$]/.test(name) ? [name] : []))),
  );
}

/** `<Code code={name} lang="js" title="a.js" />`, and `<CodeBlock language="js">{name}</CodeBlock>` with code from a file or a template. */
function codeElements(lines: PageText, bindings: ReadonlyMap<string, Binding>, { report }: PageContext): PageText {
  const constant =
    /^export const ([\w$]{1,100})(?:: string)? = (`(?:[^`\\]|\\.){0,5000}`|"[^"\n]{0,2000}"|'[^'\n]{0,2000}')/gm;
  const constants = new Map(
    [...textOfLines(lines.filter(({ code }) => !code)).matchAll(constant)].map(([, name, value]) => [name!, value!]),
  );
  const textOf = (written: string): string | undefined => {
    const binding = bindings.get(written.trim());
    if (binding !== undefined && "text" in binding) return binding.text;
    const code = constants.get(written.trim()) ?? written;
    return (
      /^\s*`((?:[^`\\]|\\.)*)`\s*$/.exec(code)?.[1]?.replace(/\\([`$\\])/g, "$1") ??
      /^\s*(["'])(.*)\1\s*$/.exec(code)?.[2]?.replaceAll("\\n", "\n")
    );
  };
  const write = (tag: Tag, code: string): string | undefined => {
    const text = textOf(code);
    if (text === undefined) {
      report(
        "code",
        `The code of <${tag.name}> is {${code.trim().slice(0, 100)}}, which is generated; write the code here.`,
        tag.line,
      );
      return undefined;
    }
    const path = bindings.get(code.trim());
    const language =
      (tag.name === "Mermaid" ? "mermaid" : attributeText(tag, "lang")) ??
      attributeText(tag, "language") ??
      /\blanguage-([\w-]+)/.exec(attributeText(tag, "className") ?? "")?.[1] ??
      (path !== undefined && "path" in path ? languageOf(path.path!) : "text");
    return codeLines(fenced(text, language + attribute("title", attributeText(tag, "title"))), tag.indent);
  };
  const replaced = mapTags(lines, (tag) => {
    if (tag.isEnd || !/^(?:Code|CodeBlock|DynamicCodeBlock|Mermaid)$/.test(tag.name)) return undefined;
    const code = tag.attributes.get("code") ?? tag.attributes.get("chart");
    if (typeof code !== "string") {
      if (tag.isEmpty && tag.name !== "Mermaid")
        report("code", `The code of <${tag.name}> is not on the page, its component has it; write it here.`, tag.line);
      return undefined;
    }
    return write(tag, code.startsWith("{") ? code.slice(1, -1) : JSON.stringify(code)) ?? "";
  });
  return replaced.flatMap((line) => {
    const [, open, code] =
      (!line.code &&
        line.text.length < 5000 &&
        /^\s*(<CodeBlock\b[^<>]*)>\s*\{([^{}]*)\}\s*<\/CodeBlock>\s*$/.exec(line.text)) ||
      [];
    return open === undefined ? [line] : mapTags([{ ...line, text: `${open} />` }], (tag) => write(tag, code!));
  });
}

/**
 * Removes expressions that use values of the old site, and reports functions that do.
 *
 * @param names of the values that the page imports
 */
function dropExpressions(lines: PageText, { report }: PageContext, names: ReadonlySet<string>): PageText {
  if (names.size === 0) return lines;
  for (const [start, { text, code, line }] of lines.entries()) {
    const functionName = code
      ? undefined
      : /^export\s+(?:default\s+)?(?:async\s+)?(?:function|const)\s+(\w+)/.exec(text)?.[1];
    if (functionName === undefined) continue;
    const length = lines.slice(start).findIndex((bodyLine) => /^[})]/.test(bodyLine.text)) + 1;
    const body = textOfLines(lines.slice(start, start + length));
    const needed = [...names].find((name) => body.includes(`${name}(`));
    const anchors = [...body.matchAll(/^#{1,6} (.{1,100})/gm)].map(([, words]) => ` #${githubSlugs.slug(words!)}`);
    if (needed !== undefined)
      report(
        "expression",
        `"${functionName}" shows the result of ${needed}(), which only the old site has; write it here${anchors.length > 0 ? `, with the anchors${anchors.join()}` : ""}.`,
        line,
      );
  }
  return lines.map((line) => {
    if (line.code || line.generated || !line.text.includes("{") || line.text.length > 5000) return line;
    const text = line.text.replace(/([=$]?)\{([^{}]{1,500})\}/g, (whole, sign: string, code: string) => {
      // An object in a list, or a name in a string, is no expression that the page shows.
      const words = /^\s*(?:[\w$]+\s*:|\.\.\.)/.test(code) ? "" : code.replace(/"[^"]*"|'[^']*'/g, "");
      if (sign === "=" || ![...words.matchAll(/[A-Za-z_$][\w$]*/g)].some(([name]) => names.has(name))) return whole;
      report(
        "expression",
        `The page shows the value of {${code.trim()}}, which only the old site knows; write it here.`,
        line.line,
      );
      return "";
    });
    return text === line.text ? line : { ...line, text };
  });
}
