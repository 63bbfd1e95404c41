import { headingSlug } from "../lib/url/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import { languageCodes } from "../site/config/index.js";
import { asList, valueAt } from "./data.js";
import type { AddNote, IndexPage, NavEntry, NavTab, Project, ProjectPage } from "./project.js";

const primary = "#0f766e";
/** Entries of deeper groups move to the group above. */
const maxDepth = 12;

export interface NavTargets {
  /** The path of each new page by its source. */
  readonly pathOf: ReadonlyMap<string, string>;
  /** The title of each new page by its source. */
  readonly titleOf: ReadonlyMap<string, string>;
  /** The sidebar title of each page by its source; an entry with another label needs a page that links to it. */
  readonly labelOf: ReadonlyMap<string, string>;
  /** The address of a link into the site; undefined if nothing is there. */
  readonly resolve: (href: string) => string | undefined;
  readonly copy: (source: string) => string;
  /** Pages that list the entries of their group. */
  readonly lists: ReadonlySet<string>;
  /** The name that we have for an icon. */
  readonly iconOf: (written: string | undefined, file: string) => string | undefined;
}

/** Label, icon and tag of each page by its source, from the first entry that lists it. */
export function navFacts(tabs: readonly NavTab[]): ReadonlyMap<string, NavFacts> {
  const facts = new Map<string, NavFacts>();
  const add = (source: string, { label, icon, tag }: NavFacts): void => {
    if (!facts.has(source)) facts.set(source, { label: label || undefined, icon, tag });
  };
  const visit = (entry: NavEntry): void => {
    if (entry.kind === "page") add(entry.source, entry);
    if (entry.kind !== "group") return;
    if (entry.root !== undefined) {
      const isAlone = entry.entries.every((inner) => inner.kind === "page" && inner.source === entry.root);
      add(entry.root, isAlone ? entry : {});
    }
    for (const inner of entry.entries) visit(inner);
  };
  const visitTab = ({ entries, parts = [] }: NavTab): void => {
    for (const entry of entries) visit(entry);
    for (const part of parts) visitTab(part);
  };
  for (const tab of tabs) visitTab(tab);
  return facts;
}

/** Takes the place of a source path for a page that lists the entries of a group: the old site has no file for it. */
const indexSource = ({ address }: IndexPage): string => `index:${address}`;

/** The pages that list the entries of groups. */
export function indexPages(tabs: readonly NavTab[]): ProjectPage[] {
  const inEntries = (entries: readonly NavEntry[]): ProjectPage[] =>
    entries.flatMap((entry) => {
      if (entry.kind !== "group") return [];
      const { index } = entry;
      const own = index === undefined ? [] : [{ source: indexSource(index), address: index.address }];
      return [...own, ...inEntries(entry.entries)];
    });
  return tabs.flatMap(({ entries, parts = [] }) => [...inEntries(entries), ...indexPages(parts)]);
}

interface NavFacts {
  readonly label?: string | undefined;
  readonly icon?: string | undefined;
  readonly tag?: string | undefined;
}

const settingOf = { tab: "tabs", language: "languages", version: "versions" } as const;

/** docs.json, and a page for each link to another site, since our navigation consists of pages. */
export function docsJson(
  project: Project,
  targets: NavTargets,
  note: AddNote,
): {
  readonly text: string;
  readonly pages: ReadonlyMap<string, string>;
  readonly entryCount: number;
} {
  const { pathOf, titleOf, labelOf, resolve, copy, iconOf } = targets;
  const lists = new Set(targets.lists);
  const pages = new Map<string, string>();
  let entryCount = 0;

  const linkPage = (label: string, href: string): string => {
    const slug = `links/${headingSlug(label).replaceAll("/", "-") || "link"}`;
    const text = `---\ntitle: ${JSON.stringify(label)}\nurl: ${JSON.stringify(href)}\n---\n`;
    let path = slug;
    for (let n = 2; pages.has(`${path}.mdx`) && pages.get(`${path}.mdx`) !== text; n++) path = `${slug}-${n}`;
    pages.set(`${path}.mdx`, text);
    return path;
  };
  const targetOf = (label: string, href: string): string | undefined => {
    const target = /^(?:https?:)?\/\/|^mailto:/.test(href) ? href : resolve(href);
    if (target === undefined)
      note(
        "docs.json",
        "navigation",
        `The navigation links "${label}" to "${href}", which does not exist; add the page.`,
      );
    return target;
  };
  const write = (entry: NavEntry, depth: number): unknown[] => {
    if (entry.kind === "page") {
      const path = pathOf.get(entry.source);
      if (path === undefined) return [];
      entryCount++;
      const shown = labelOf.get(entry.source) ?? titleOf.get(entry.source);
      return entry.label && entry.label !== shown ? [linkPage(entry.label, `/${path}`)] : [path];
    }
    if (entry.kind === "link") {
      const target = targetOf(entry.label, entry.href);
      if (target === undefined) return [];
      entryCount++;
      return [linkPage(entry.label, target)];
    }
    if (entry.entries.length === 0 && entry.openapi === undefined)
      return entry.root === undefined ? [] : write({ ...entry, kind: "page", source: entry.root }, depth);
    entryCount++;
    const rootSource = entry.index === undefined ? entry.root : indexSource(entry.index);
    const root = rootSource === undefined ? undefined : pathOf.get(rootSource);
    if (entry.index !== undefined && root !== undefined) {
      const { title, description } = entry.index;
      const fields = Object.entries(withoutUndefined({ title, description }));
      pages.set(
        `${root}.mdx`,
        `---\n${fields.map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join("")}---\n`,
      );
    }
    const hasList = entry.index !== undefined || (entry.root !== undefined && lists.delete(entry.root));
    // The label of the group opens its root page, which therefore needs no entry.
    const isRoot = (item: NavEntry): boolean =>
      root !== undefined &&
      (item.kind === "page" ? item.source : item.kind === "group" && item.entries.length === 0 && item.root) ===
        entry.root;
    const shown = entry.entries.filter((item) => !isRoot(item));
    entryCount += entry.entries.length - shown.length;
    const inner = shown.flatMap((item) => write(item, depth + 1));
    if (depth > maxDepth) return inner;
    if (inner.length === 0 && entry.openapi === undefined) return root === undefined ? [] : [root];
    const rootTitle = entry.root === undefined ? undefined : (labelOf.get(entry.root) ?? titleOf.get(entry.root));
    return [
      withoutUndefined({
        group: entry.label || rootTitle || "Pages",
        icon: iconOf(entry.icon, "docs.json"),
        tag: entry.tag,
        root,
        directory: hasList && root !== undefined ? "card" : undefined,
        expanded: entry.expanded === true && depth > 0 ? true : undefined,
        openapi:
          entry.openapi === undefined
            ? undefined
            : withoutUndefined({ source: `/${copy(entry.openapi)}`, directory: project.generated }),
        pages: entry.openapi !== undefined && inner.length === 0 ? undefined : inner,
      }),
    ];
  };
  const inside = ({ entries, parts = [] }: Pick<NavTab, "entries" | "parts">): object => {
    const filledParts = parts.filter((part) => hasEntries(part));
    if (filledParts.length === 1 && (filledParts[0]!.kind ?? "tab") === "tab") return inside(filledParts[0]!);
    if (filledParts.length > 0) return divided(filledParts);
    const written = entries.flatMap((item) => write(item, 0));
    return written.length > 0 && written.every((item) => typeof item === "object")
      ? { groups: written }
      : { pages: written };
  };
  /** A tab without a label takes the title of its first page. */
  const firstTitle = ({ entries: [entry], parts = [] }: NavTab): string => {
    if (entry === undefined) return parts[0] ? firstTitle(parts[0]) : "Pages";
    const source = entry.kind === "page" ? entry.source : entry.kind === "group" ? entry.root : undefined;
    if (source !== undefined) return labelOf.get(source) ?? titleOf.get(source) ?? "Pages";
    return entry.label || "Pages";
  };
  const divided = (parts: readonly NavTab[]): object => {
    const kind = parts[0]!.kind ?? "tab";
    return {
      [settingOf[kind]]: parts.map((part, i) => ({
        [kind]: part.code === undefined ? part.label || firstTitle(part) : languageCode(part.code),
        ...withoutUndefined({ icon: iconOf(part.icon, "docs.json") }),
        ...(kind !== "tab" && i === 0 ? { default: true } : {}),
        ...inside(part),
      })),
    };
  };
  const tabs = project.tabs.filter((tab) => hasEntries(tab));
  const isPlain = tabs.length === 1 && (tabs[0]!.kind ?? "tab") === "tab";
  const navigation = tabs.length === 0 ? { pages: [] } : isPlain ? inside(tabs[0]!) : divided(tabs);

  for (const source of lists)
    note(
      source,
      "list",
      "The page listed the pages of its folder, but no group of the navigation opens it; write the list.",
    );
  const moved = project.pages.flatMap(({ source, address }) => {
    const path = pathOf.get(source)!;
    return address === path || address === "" || path === `${address}/index`
      ? []
      : [{ source: `/${address}`, destination: `/${path}` }];
  });
  const newPaths = new Set(pathOf.values());
  const redirects = [
    ...new Map(
      [...moved, ...(project.redirects ?? [])]
        .map((redirect) => ({ ...redirect, source: redirect.source.replace(/\/{2,}/g, "/") }))
        .map((redirect) => [redirect.source, redirect] as const),
    ).values(),
  ].filter(
    ({ source }) => !newPaths.has(source.slice(1)) && !newPaths.has(`${source.slice(1)}/index`.replace(/^\//, "")),
  );
  const { name, settings } = project;
  const shownTabs = tabs.flatMap((tab) => [...(isPlain ? [] : [tab]), ...(tab.parts ?? [])]);
  const tabLabels = new Set(shownTabs.map(({ label }) => label));
  // The logo opens the start page, and a tab its pages.
  const headerLinks = asList(valueAt(settings, "navbar.links")).flatMap((link) => {
    const { label, href = "" } = link as { label?: string; href?: string };
    if (href === "/" || (label !== undefined && tabLabels.has(label))) return [];
    const target = targetOf(label ?? "", href);
    return target === undefined ? [] : [{ ...(link as object), href: target }];
  });
  const config = withoutUndefined({
    theme: "mint",
    name: name ?? "Documentation",
    colors: { primary },
    ...withoutUndefined(settings),
    navbar: headerLinks.length > 0 ? { links: headerLinks } : undefined,
    navigation,
    redirects: redirects.length > 0 ? redirects : undefined,
  });
  return { text: `${JSON.stringify(config, null, 2)}\n`, pages, entryCount };
}

/** The nearest language code that docs.json supports: `en` for `en-US`. */
function languageCode(code: string): string {
  if (languageCodes.includes(code)) return code;
  const [language = "", region] = code.replaceAll("_", "-").split("-");
  const other = `${language.toLowerCase()}-${(region ?? "").toUpperCase()}`;
  const script =
    language === "zh" && region !== undefined ? (/^(?:tw|hk|hant)$/i.test(region) ? "zh-Hant" : "zh-Hans") : "";
  return [other, script, language.toLowerCase()].find((candidate) => languageCodes.includes(candidate)) ?? code;
}

const hasEntries = ({ entries, parts = [] }: NavTab): boolean =>
  entries.length > 0 || parts.some((part) => hasEntries(part));
