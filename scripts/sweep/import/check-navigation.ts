// The old navigation against that of docs.json: each entry with its label, each group with what it is in, each tab, language, version.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Counts } from "../specs/tally.ts";
import { headText, under } from "./source-files.ts";
import { type SourceNode, withInner } from "./source-nodes.ts";

export interface Note {
  readonly sourcePath: string;
  readonly line?: number;
  readonly what: string;
  readonly kind: string;
}

/** A place of the navigation of docs.json. */
export interface Place {
  readonly kind: SourceNode["kind"];
  readonly label: string;
  /** Labels of the entries around it, the outermost first. */
  readonly above: readonly string[];
  /** The page that it opens. */
  readonly path?: string | undefined;
}

export function readNavigation(site: string): Place[] {
  const places: Place[] = [];
  const page = (written: string, above: readonly string[], label?: string): void => {
    const head = frontMatter(site, written);
    const url = /^\/([^/#?][^#?]*)/.exec(String(head["url"] ?? ""))?.[1];
    const path = url === undefined ? written : existsSync(join(site, `${url}.mdx`)) ? url : `${url}/index`;
    places.push({ kind: "page", label: label ?? String(head["sidebarTitle"] ?? head["title"] ?? ""), above, path });
  };
  const visit = (value: unknown, above: readonly string[]): void => {
    if (typeof value === "string") page(value, above);
    else if (Array.isArray(value)) for (const item of value) visit(item, above);
    else if (typeof value === "object" && value !== null) {
      const node = value as Record<string, unknown>;
      const kind = (["group", "tab", "language", "version"] as const).find((each) => typeof node[each] === "string");
      const label = kind === undefined ? undefined : String(node[kind]);
      if (kind !== undefined) places.push({ kind, label: label!, above });
      const inner = label === undefined ? above : [...above, label];
      if (typeof node["root"] === "string") {
        page(node["root"], above, label);
        page(node["root"], inner);
      }
      // The label of a tab opens its first page.
      const before = places.length;
      for (const key of ["languages", "versions", "tabs", "groups", "pages"]) visit(node[key], inner);
      const first = places.slice(before).find(({ path }) => path !== undefined)?.path;
      if (kind === "tab" && first !== undefined) page(first, above, label);
    }
  };
  const { navigation } = JSON.parse(readFileSync(join(site, "docs.json"), "utf8")) as { navigation: unknown };
  visit(navigation, []);
  return places;
}

function frontMatter(site: string, path: string): Record<string, unknown> {
  const file = join(site, `${path}.mdx`);
  if (!existsSync(file)) return {};
  return (parse(headText(readFileSync(file, "utf8")), { logLevel: "silent" }) ?? {}) as Record<string, unknown>;
}

/**
 * @param pathOf the new page of a file; null if the file is only a part of pages
 * @param converted the new pages; the old tool made any other, such as the index of a category
 */
export function checkNavigation(
  nodes: readonly SourceNode[],
  places: readonly Place[],
  notes: readonly Note[],
  counts: Pick<Counts, "check">,
  pathOf: (file: string) => string | undefined | null,
  converted: ReadonlySet<string>,
): void {
  const labels = new Map<string, string[]>();
  for (const { path, label } of places) if (path !== undefined) labels.set(path, [...(labels.get(path) ?? []), label]);
  const isNamed = (...words: readonly string[]): boolean =>
    notes.some(
      ({ kind, what }) => /^(?:navigation|unlisted|settings)$/.test(kind) && words.some((word) => what.includes(word)),
    );
  const isShown = ({ file }: SourceNode): boolean => file !== undefined && labels.has(pathOf(file) ?? "");
  const tabsIn = (list: readonly SourceNode[]): SourceNode[] =>
    withInner(list).filter(
      ({ kind, label, items = [] }) => kind === "tab" && label !== "" && withInner(items).some(isShown),
    );

  /** @param tabs those of the language */
  const visit = (node: SourceNode, above: readonly string[], tabs: readonly SourceNode[]): void => {
    const { kind, label, file, items = [] } = node;
    const place = `${[...above, label].join(" > ")}${file === undefined ? "" : ` (${file})`}`;
    if (file !== undefined && pathOf(file) !== null) {
      const found = labels.get(pathOf(file) ?? "") ?? [];
      const name = file.replace(/\.mdx?$/, "").replace(/^.*\//, "");
      const isUnlisted = notes.some(
        ({ kind, what, sourcePath }) =>
          kind === "unlisted" && under(sourcePath, file) && (what.includes(`${name}.`) || / and \d+ more/.test(what)),
      );
      counts.check(
        "navigation entry",
        found.length > 0 || isUnlisted || isNamed(label || name, name),
        place,
        () => "is not in the navigation",
      );
      if (found.length > 0)
        counts.check(
          "label",
          label === "" || found.some((each) => sameWords(each, label)),
          place,
          () => `is ${found.map((each) => `"${each}"`).join(", ")}`,
        );
    }
    const isPart =
      kind === "language" || kind === "version" || (kind === "tab" && tabs.length > 1 && tabs.includes(node));
    const isGroup = kind === "group" && label !== "" && withInner(items).some(isShown);
    // A group of one page may be that page.
    const kinds = [
      kind,
      ...(isGroup && withInner(items).filter(isShown).length < 2 ? ["page"] : []),
      ...(isGroup && above.length === 0 ? ["tab"] : []),
    ];
    if (isPart || isGroup)
      counts.check(
        "structure",
        places.some(
          (each) => kinds.includes(each.kind) && isSame(kind, each.label, label) && (isPart || isIn(each.above, above)),
        ) || isNamed(`"${label}"`),
        place,
        () => `is no ${kind} of the new navigation there`,
      );
    // A single tab is not shown.
    const isShownAround = label !== "" && (kind !== "tab" || tabs.length > 1);
    const own = kind === "language" && items.length > 0 ? tabsIn(items) : tabs;
    for (const item of items) visit(item, isShownAround ? [...above, label] : above, own);
  };
  for (const node of nodes) visit(node, [], tabsIn(nodes));

  // A part that this folder cannot read is not counted as a miss: the new navigation shows how much that is.
  const old = withInner(nodes);
  const read = new Set(old.map(({ file }) => (file === undefined ? undefined : pathOf(file))));
  const [, ...others] = places.filter(({ kind }) => kind === "language").map(({ label }) => label);
  for (const { kind, label, above, path } of places) {
    // Links to other sites, and the groups of translations, whose labels are translated.
    // Not every old navigation has the start page.
    if (
      (path !== undefined && !converted.has(path)) ||
      /^(?:[a-z]{2}(?:-\w+)?\/)?index$/i.test(path ?? "") ||
      (kind !== "page" && others.some((each) => above.includes(each)))
    )
      continue;
    const place = [...above, label].join(" > ");
    if (kind === "page")
      counts.check("entry read", read.has(path), `${place} (${path})`, () => "is not in what was read of the old one");
    else
      counts.check(
        "group read",
        old.some((node) => node.label !== "" && isSame(node.kind, label, node.label)),
        `${kind} ${place}`,
        () => "is not in what was read of the old navigation",
      );
  }
}

const isSame = (kind: string, written: string, label: string): boolean =>
  kind === "language" ? languageOf(written) === languageOf(label) : sameWords(written, label);

/** `zh-CN`, `zh_cn` and `zh-Hans` are `zh`. */
const languageOf = (code: string): string => code.split(/[-_]/)[0]!.toLowerCase();

/** Whether labels are among others; versions may be in tabs, and tabs in versions. */
const isIn = (all: readonly string[], labels: readonly string[]): boolean =>
  labels.every((label) => all.some((each) => isSame("", each, label) || languageOf(each) === languageOf(label)));

const sameWords = (a: string, b: string): boolean => plainWords(a) === plainWords(b);

const plainWords = (text: string): string =>
  text
    .replace(/<[^<>]*>|:[\w-]+:|[`*_~\\]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
