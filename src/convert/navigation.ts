import { headingSlug } from "../lib/url/index.js";
import { withoutUndefined } from "../lib/without-undefined.js";
import type { AddNote, NavEntry, Project } from "./project.js";

const primary = "#0f766e";
/** Entries of deeper groups move to the group above. */
const maxDepth = 12;

/** docs.json, and a page for each link to another site, since our navigation consists of pages. */
export function docsJson(
  project: Project,
  pathOf: ReadonlyMap<string, string>,
  copy: (source: string) => string,
  note: AddNote,
): { readonly text: string; readonly pages: ReadonlyMap<string, string> } {
  const pages = new Map<string, string>();
  const paths = new Set(pathOf.values());

  const linkPage = (label: string, href: string): string => {
    const path = `links/${headingSlug(label) || "link"}`;
    pages.set(`${path}.mdx`, `---\ntitle: ${JSON.stringify(label)}\nurl: ${JSON.stringify(href)}\n---\n`);
    return path;
  };
  const write = (entry: NavEntry, depth: number): unknown[] => {
    if (entry.kind === "page") return pathOf.has(entry.source) ? [pathOf.get(entry.source)!] : [];
    if (entry.kind === "link") {
      // A link into the site becomes an entry of its page.
      const inSite = /^\/(?!\/)/.test(entry.href) ? entry.href.replace(/[?#].*$|\/$/g, "").slice(1) : undefined;
      if (inSite === undefined) return /^https?:\/\//.test(entry.href) ? [linkPage(entry.label, entry.href)] : [];
      const path = [inSite, `${inSite}/index`].find((candidate) => paths.has(candidate));
      return path === undefined ? [] : [path];
    }
    const root = entry.root === undefined ? undefined : pathOf.get(entry.root);
    // The label of the group opens its root page, which therefore needs no entry.
    const inner = entry.entries.flatMap((item) => write(item, depth + 1)).filter((item) => item !== root);
    if (depth > maxDepth) return inner;
    if (inner.length === 0 && root === undefined && entry.openapi === undefined) return [];
    if (inner.length === 0 && entry.openapi === undefined) return [root];
    return [
      withoutUndefined({
        group: entry.label,
        root,
        expanded: entry.expanded === true && depth > 0 ? true : undefined,
        openapi:
          entry.openapi === undefined
            ? undefined
            : withoutUndefined({ source: `/${copy(entry.openapi)}`, directory: project.generated }),
        pages: entry.openapi !== undefined && inner.length === 0 ? undefined : inner,
      }),
    ];
  };
  const inside = (entries: readonly NavEntry[]): object => {
    const written = entries.flatMap((item) => write(item, 0));
    return written.length > 0 && written.every((item) => typeof item === "object")
      ? { groups: written }
      : { pages: written };
  };
  const tabs = project.tabs.filter(({ entries }) => entries.length > 0);
  const navigation =
    tabs.length > 1
      ? { tabs: tabs.map(({ label, entries }) => ({ tab: label, ...inside(entries) })) }
      : inside(tabs[0]?.entries ?? []);
  const listed = new Set(sourcesOf(tabs.flatMap(({ entries }) => entries)));
  for (const source of listed)
    if (!pathOf.has(source)) note(source, "navigation", "The navigation lists this page, but there is no such file.");

  const moved = project.pages.flatMap(({ source, address }) => {
    const path = pathOf.get(source)!;
    return address === path || address === "" || path === `${address}/index`
      ? []
      : [{ source: `/${address}`, destination: `/${path}` }];
  });
  const redirects = [
    ...new Map(
      [...moved, ...(project.redirects ?? [])].map((redirect) => [redirect.source, redirect] as const),
    ).values(),
  ];
  const { name, settings } = project;
  const config = withoutUndefined({
    theme: "mint",
    name: name ?? "Documentation",
    colors: { primary },
    ...settings,
    navigation,
    redirects: redirects.length > 0 ? redirects : undefined,
  });
  return { text: `${JSON.stringify(config, null, 2)}\n`, pages };
}

const sourcesOf = (entries: readonly NavEntry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.kind === "page") return [entry.source];
    return entry.kind === "group"
      ? [...(entry.root === undefined ? [] : [entry.root]), ...sourcesOf(entry.entries)]
      : [];
  });
