/** Components of the old site become stubs in one folder: the author implements each once, for all pages that use it. */
import { unescapeHtml } from "../../lib/html/escape.js";
import { componentNames } from "../../page/islands/runtime/names.js";
import { codeLines, generated, type PageText, textOfLines } from "../page-text.js";
import type { PageContext } from "../project.js";
import { attribute } from "./blocks.js";
import { fenced } from "./parts.js";
import { attributeText, mapTags, type Tag } from "./tags.js";

const ours = new Set(componentNames.map((name) => name.replace(/\..*/, "")));

export const stubFolder = "snippets/components";

/** Uses of each component by its name: `guides/a.md:3`. */
export type StubUses = Map<string, string[]>;

/** The name of the stub: `FooBar` for `Foo.Bar` and `foo-bar`. */
export const stubName = (name: string): string =>
  name
    .replace(/[.-]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());

export const isStubbed = (name: string): boolean =>
  (/^[A-Z]/.test(name) && !ours.has(name.replace(/\..*/, ""))) || /^[a-z]\w*(?:-\w+)+$/.test(name);

/** Names of components that insert code: without content, code is lost. */
export const showsCode =
  /Snippet|Code(?:Block|Sample|Example|File|Include|Tabs?)|(?:Example|Sample|Include|Import)Code/;

/** Imports the stubs of components that neither Offprint nor the page defines. Attributes with code are removed and reported. */
export function stubComponents(lines: PageText, { page, report }: PageContext, uses: StubUses): PageText {
  const names = new Set<string>();
  const defined = new Set(
    lines.flatMap(({ text, code }) =>
      code ? [] : (/^export (?:async )?(?:const|let|function) ([A-Z]\w*)/.exec(text)?.[1] ?? []),
    ),
  );
  const reported = new Set<string>();
  const replace = (tag: Tag): string | undefined => {
    if (!isStubbed(tag.name) || defined.has(tag.name)) return undefined;
    const commands = commandsOf(tag);
    if (commands !== undefined) return commands;
    const name = stubName(tag.name);
    names.add(name);
    if (tag.isEnd) return `</${name}>`;
    const places = uses.get(name) ?? [];
    places.push(`${page.source}:${tag.line}`);
    uses.set(name, places);
    if (!reported.has(name)) {
      reported.add(name);
      const code = [...tag.attributes].flatMap(([key, value]) => (isCode(value) ? [`"${key}"`] : []));
      const removed = code.length > 0 ? ` Its code is left out: ${code.join(", ")}.` : "";
      report(
        tag.isEmpty && showsCode.test(name) ? "code" : "component",
        `<${tag.name}> is a component of the old site; implement it in ${stubFolder}/${name}.jsx. Until then, only its content is shown.${removed}`,
        tag.line,
      );
    }
    const kept = [...tag.attributes].filter(([key, value]) => /^[A-Za-z][\w-]*$/.test(key) && !isCode(value));
    if (name === tag.name && kept.length === tag.attributes.size && !tag.written.includes("\n")) return undefined;
    const attributes = kept.map(([key, value]) =>
      value === true ? ` ${key}` : value.startsWith("{") ? ` ${key}=${value}` : attribute(key, unescapeHtml(value)),
    );
    return `<${name}${attributes.join("")}${tag.isEmpty ? " /" : ""}>`;
  };
  const replaced = mapTags(lines, replace);
  if (names.size === 0) return lines;
  const imports = [...names]
    .sort()
    .map((name) => generated(`import { ${name} } from "/${stubFolder}/${name}.jsx";`, 1));
  return [...imports, generated("", 1), ...closed(replaced, names)];
}

const packageManagers: ReadonlySet<string> = new Set("npm npx yarn pnpm bun deno cargo pip uv".split(" "));

/** A component that has a command for each package manager, `<Tabs npm="…" pnpm="…" />`, as a group of code. */
function commandsOf(tag: Tag): string | undefined {
  const texts = [...tag.attributes.keys()].map((key) => {
    const value = packageManagers.has(key) ? attributeText(tag, key) : undefined;
    return value === undefined || value.startsWith("{") ? undefined : ([key, unescapeHtml(value)] as const);
  });
  if (!tag.isEmpty || texts.length === 0 || texts.includes(undefined)) return undefined;
  const blocks = texts.map((text) => {
    const [key, value] = text!;
    return codeLines(fenced(value.trim().replace(/\n[ \t]+/g, "\n"), `sh ${key}`), tag.indent);
  });
  return `<CodeGroup>\n${blocks.join("")}\n${tag.indent}</CodeGroup>`;
}

/** Whether the value of an attribute is more than data: texts, numbers, lists and objects. */
const isCode = (value: string | true): boolean =>
  value !== true &&
  value.startsWith("{") &&
  (/\$\{/.test(value) ||
    !/^\{\s*(?:-?[\d.]+|\[[\s[\]{},.\d-]*\]|\{[\s[\]{},.\d-]*\})?\s*\}$/.test(
      value
        .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "0")
        .replace(/(?<=[{,]\s*)[\w$]+\s*:|\b(?:true|false|null)\b/g, ""),
    ));

/** Closes the tags of components that have no end tag in the page: in Markdown, they are empty. */
function closed(lines: PageText, names: ReadonlySet<string>): PageText {
  const text = textOfLines(lines.filter(({ code }) => !code));
  const open = new Set([...names].filter((name) => !text.includes(`</${name}>`)));
  return open.size === 0
    ? lines
    : mapTags(lines, ({ name, isEnd, isEmpty }, whole) =>
        open.has(name) && !isEnd && !isEmpty ? whole.replace(/\s*>$/, " />") : undefined,
      );
}

/** The files of the stubs by path. */
export const stubFiles = (uses: StubUses): Map<string, string> =>
  new Map(
    [...uses].map(([name, places]) => [
      `${stubFolder}/${name}.jsx`,
      `// Stands for <${name}> of the old site. Write it here once; these pages use it:\n${[...new Set(places)]
        .map((place) => `//   ${place.replaceAll(/[\r\n]/g, " ")}\n`)
        .join("")}export const ${name} = ({ children }) => <>{children}</>;\n`,
    ]),
  );
