/**
 * The navigation of MkDocs: `nav` of the settings, and the files that plugins read in the folders of the pages: `.pages` of
 * awesome-pages, `.nav.yml` of awesome-nav, and the list in SUMMARY.md of literate-nav.
 */
import { folderOf, joinPath, nameOf } from "../../lib/url/index.js";
import { asData, asList, asText, type Data, valueAt } from "../data.js";
import type { NavEntry, ToolContext } from "../project.js";
import { htmlNames } from "../steps/escape.js";
import { childrenOf, folderEntries, type ListItem, listEntries, readableName } from "./navigation.js";
import { dataFile, fileIn, isTrue, pageEntry, relativeTo } from "./shared.js";

const maxDepth = 30;
/** `...` stands for all pages that a list does not name, `... | pattern` and `*.md` for those that match the pattern. */
const restMark = /^\.\.\.(?:\s*\|\s*(?:flat\s*\|?\s*)?(.*))?$/;

export interface NavigationFacts {
  readonly settings: Data;
  readonly configPath: string;
  /** The folder of all pages. */
  readonly root: string;
  /** Whether the label of a section opens its index page, as with `navigation.indexes`. */
  readonly hasIndexes: boolean;
  /** The names and options of the plugins. */
  readonly plugins: Data;
  /** The entries of the settings that `!include ./v1/mkdocs.yml` names. */
  readonly include: (path: string, label: string | undefined, depth: number) => NavEntry[];
}

/** The name of the files that list pages for literate-nav, if the site has it. */
export const summaryNameOf = (plugins: Data): string | undefined =>
  Object.hasOwn(plugins, "literate-nav")
    ? (asText(valueAt(plugins["literate-nav"], "nav_file")) ?? "SUMMARY.md")
    : undefined;

/** @param isComplete false for a translation, which lacks pages that the first language has */
export function navigationOf(
  facts: NavigationFacts,
  sources: ReadonlySet<string>,
  folder: string,
  isComplete: boolean,
  context: ToolContext,
): NavEntry[] {
  const { settings, configPath, hasIndexes, plugins } = facts;
  const { files } = context;
  const children = childrenOf(sources, folder);
  const summaryName = summaryNameOf(plugins);

  const groupOf = (path: string, label: string | undefined, depth: number): NavEntry[] => {
    const { data } = folderSettings(files, path);
    if (isTrue(data["hide"])) return [];
    const inner = entriesIn(path, depth + 1);
    const name = label ?? asText(data["title"]) ?? (readableName(nameOf(path)) || nameOf(path));
    return inner.length === 0 ? [] : [section(name, inner)];
  };
  /** A group whose label opens its index page, if the settings say so. A group without a label takes the title of that page. */
  const section = (label: string, entries: readonly NavEntry[]): NavEntry => {
    const index = entries.find((entry) => entry.kind === "page" && /^(?:index|README)\.md$/.test(nameOf(entry.source)));
    const hasRoot = index?.kind === "page" && (hasIndexes || (label === "" && index === entries[0]));
    return { kind: "group", label, root: hasRoot ? index.source : undefined, entries };
  };
  const childEntries = (path: string, depth: number): NavEntry[] =>
    children.has(path) ? groupOf(path, undefined, depth) : [{ kind: "page", source: path }];

  /** The entries for a path in a list. */
  const leaf = (at: string, written: string, label: string | undefined, file: string, depth: number): NavEntry[] => {
    if (written.startsWith("!include ")) return facts.include(written.slice(9).trim(), label, depth);
    const path = joinPath(at, written.replace(/[?#].*$/, "").replace(/\/$/, ""));
    // A path from the root of the host may lead to another site.
    const site = written.startsWith("/") && !sources.has(path) ? asText(settings["site_url"]) : undefined;
    const href = site !== undefined && URL.canParse(written, site) ? new URL(written, site).href : written;
    if (/^(?:https?:|mailto:|\/\/)/.test(href)) return [{ kind: "link", label: label ?? written, href }];
    if (children.has(path)) return groupOf(path, label, depth);
    // Pages that are not translated are in the navigation of the first language only.
    return sources.has(path) || isComplete
      ? pageEntry(sources.has(path) ? path : undefined, written, label, file, context)
      : [];
  };

  /** The entries of a list, whose paths are relative to `at`. At `...`, a plugin inserts the pages that the list does not name. */
  const listed = (list: readonly unknown[], at: string, file: string, start: number, addsRest = false): NavEntry[] => {
    const named = new Set(namedIn(list).map((path) => joinPath(at, path.replace(/\/$/, ""))));
    const rest = defaultOrder(at).filter((path) => !named.has(path));
    const entriesOf = (written: readonly unknown[], depth: number): NavEntry[] =>
      (depth > maxDepth ? [] : written).flatMap((item): NavEntry[] => {
        if (typeof item === "string" || typeof valueAt(item, "glob") === "string") {
          const text = typeof item === "string" ? item : asText(valueAt(item, "glob"))!;
          const pattern = restMark.exec(text)?.[1] ?? (/[*?]/.test(text) ? text : undefined);
          if (pattern === undefined && !text.startsWith("...")) return leaf(at, text, undefined, file, depth);
          // `api/*.md` is a pattern for another folder.
          const inner = /^((?:[^*?/]+\/)+)(.+)$/.exec(pattern ?? "");
          const from = inner ? joinPath(at, inner[1]!.slice(0, -1)) : at;
          return (inner ? defaultOrder(from) : rest)
            .filter((path) => pattern === undefined || matches(relativeTo(from, path), inner?.[2] ?? pattern))
            .flatMap((path) => childEntries(path, depth));
        }
        return Object.entries(asData(item)).flatMap(([written, value]): NavEntry[] => {
          // Material shows HTML in labels.
          const label = written
            .replace(/<\/?([a-z]\w{0,20})\b[^<>]{0,1000}>/g, (tag, name: string) => (htmlNames.has(name) ? "" : tag))
            .trim();
          if (!Array.isArray(value))
            return leaf(at, asText(value) ?? "", label === "" ? undefined : label, file, depth);
          return [section(label, entriesOf(value, depth + 1))];
        });
      });
    const entries = entriesOf(list, start);
    return addsRest ? [...entries, ...rest.flatMap((path) => childEntries(path, start))] : entries;
  };

  const defaultOrder = (path: string): readonly string[] => {
    const { data } = folderSettings(files, path);
    const order = folderEntries(
      [...(children.get(path) ?? [])].map((child) => (children.has(child) ? `${child}/index.md` : child)),
      path,
    ).map((entry) => (entry.kind === "page" ? entry.source : folderOf(firstSource(entry))));
    return asText(data["order"]) === "desc" ? order.toReversed() : order;
  };

  const entriesIn = (path: string, depth: number): NavEntry[] => {
    if (depth > maxDepth) return [];
    const summary = summaryName === undefined ? undefined : joinPath(path, summaryName);
    if (summary !== undefined && files.has(summary)) return summaryEntries(path, summary, depth);
    const { data, file } = folderSettings(files, path);
    const written = data["nav"] ?? data["arrange"];
    const addsRest =
      (data["nav"] === undefined && !asList(written).includes("...")) || isTrue(data["append_unmatched"]);
    return Array.isArray(written)
      ? listed(written, path, file!, depth, addsRest)
      : defaultOrder(path).flatMap((child) => childEntries(child, depth));
  };

  const summaryEntries = (path: string, summary: string, depth: number): NavEntry[] => {
    const toEntries = ({ label, href, items }: ListItem): NavEntry[] => {
      if (href === undefined && /[*?]/.test(label)) return listed([label.replace(/\/$/, "")], path, summary, depth);
      const inner = items.flatMap(toEntries);
      if (href === undefined) return [{ kind: "group", label, entries: inner }];
      const linked = leaf(path, href, label, summary, depth);
      const [first] = linked;
      if (inner.length === 0) return linked;
      return [{ kind: "group", label, root: first?.kind === "page" ? first.source : undefined, entries: inner }];
    };
    return listEntries(files.readText(summary)).flatMap(toEntries);
  };

  if (folder !== facts.root && settings["nav"] === undefined) return folderEntries([...sources], folder);
  return settings["nav"] === undefined ? entriesIn(folder, 0) : listed(asList(settings["nav"]), folder, configPath, 0);
}

function folderSettings(files: ToolContext["files"], folder: string): { readonly data: Data; readonly file?: string } {
  const file = fileIn(files, [folder], [".pages", ".nav.yml"]);
  return file === undefined ? { data: {} } : { data: dataFile(files, file), file };
}

/** The paths that a list names, however deep. */
const namedIn = (list: readonly unknown[], depth = 0): string[] =>
  (depth > maxDepth ? [] : list).flatMap((item) =>
    typeof item === "string"
      ? [item]
      : Object.values(asData(item)).flatMap((value) =>
          Array.isArray(value) ? namedIn(value, depth + 1) : [asText(value) ?? ""],
        ),
  );

const firstSource = (entry: NavEntry): string =>
  entry.kind === "page"
    ? entry.source
    : entry.kind === "group" && entry.entries[0]
      ? firstSource(entry.entries[0])
      : "";

/** Whether a name matches a pattern with `*` and `?`. */
function matches(name: string, pattern: string): boolean {
  const glob = pattern.replace(/^(?:glob=|\*\*\/)|\/$/g, "");
  const parts = glob.split(/\*+/).map((part) => part.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("?", "."));
  return pattern.length < 200 && new RegExp(`^${parts.join("[^/]*")}(?:\\.mdx?)?$`).test(name);
}
