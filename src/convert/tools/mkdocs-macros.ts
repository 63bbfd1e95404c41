/** The plugin `macros` of MkDocs, which fills texts into pages; functions of Python stay, and are named. */
import { asData, asList, asText, type Data, valueAt } from "../data.js";
import type { PageText } from "../page-text.js";
import type { PageContext, ToolContext } from "../project.js";
import { dataFile, insertFiles } from "./shared.js";

/** The variables of the settings, and of the data files that the plugin names, as `data.yml` or with a name: `prices: data.yml`. */
export function macroVariables(settings: Data, options: unknown, { files, base, path }: ToolContext) {
  const written = valueAt(options, "include_yaml");
  const included = (Array.isArray(written) ? asList(written) : [written]).flatMap((item): (readonly [string, Data])[] =>
    Object.entries(typeof item === "string" ? { "": item } : asData(item)).map(([name, file]) => [
      name,
      dataFile(files, path(base, asText(file) ?? "")),
    ]),
  );
  const data = Object.fromEntries(
    included.flatMap(([name, own]) => (name === "" ? Object.entries(own) : [[name, own]])),
  );
  return new Map(variablesIn({ ...data, ...asData(settings["extra"]), config: settings }));
}

/** Texts of data by their paths: `version.latest`. */
function* variablesIn(data: Data, before = "", depth = 0): Generator<readonly [name: string, text: string]> {
  for (const [key, value] of Object.entries(data)) {
    const text = asText(value);
    if (text !== undefined) yield [`${before}${key}`, text];
    else if (depth < 5) yield* variablesIn(asData(value), `${before}${key}.`, depth + 1);
  }
}

const includeMark = /^\s*\{%-?\s*include\s+["']([^"']{1,500})["']\s*-?%\}\s*$/;

/** Files that a page includes, and variables of the page and the settings, also in code. */
export function withMacros(text: PageText, context: PageContext): PageText {
  const { variables, frontmatter } = context;
  if (variables === undefined) return text;
  const own = new Map(variablesIn({ ...frontmatter, page: { meta: frontmatter } }));
  return insertFiles(text, context, ({ text }) => includeMark.exec(text)?.[1]).map((line) =>
    line.text.includes("{{")
      ? {
          ...line,
          text: line.text.replace(
            /\{\{\s{0,9}([\w.-]{1,200})\s{0,9}\}\}/g,
            (whole, name: string) => own.get(name) ?? variables.get(name) ?? whole,
          ),
        }
      : line,
  );
}
