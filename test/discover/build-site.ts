import type { NavContainer, NavEntry, Navigation, NavKind, NavPage, SiteConfig } from "../../src/config/site-config.js";
import { parseFrontmatter } from "../../src/content/frontmatter.js";
import type { Diagnostic } from "../../src/diagnostic/diagnostic.js";
import { type DiscoverOptions, discoverSite, type Site, type SidebarEntry } from "../../src/discover/index.js";
import type { SiteFiles } from "../../src/ports/site-files.js";

/** Files that stand in memory: path -> text. */
export function memoryFiles(texts: Readonly<Record<string, string>>): SiteFiles {
  const textOf = (path: string): string => {
    const text = texts[path];
    if (text === undefined) throw new Error(`no ${path}`);
    return text;
  };
  return {
    root: "/site",
    paths: Object.keys(texts).sort(),
    has: (path) => Object.hasOwn(texts, path),
    readText: textOf,
    readBytes: (path) => Buffer.from(textOf(path)),
    absolutePath: (path) => `/site/${path}`,
  };
}

/** A page as its title alone, or with more front matter. */
export const page = (title: string, ...lines: string[]): string =>
  `---\ntitle: ${title}\n${lines.map((line) => `${line}\n`).join("")}---\n\nText.\n`;

/** A container as docs.json has it, `pages` holding paths and groups, the others under their own keys. */
export type Written = { readonly [key: string]: unknown };

const kinds: readonly (readonly [key: string, labelKey: string, kind: NavKind])[] = [
  ["languages", "language", "language"],
  ["versions", "version", "version"],
  ["products", "product", "product"],
  ["tabs", "tab", "tab"],
  ["menu", "item", "menu"],
  ["anchors", "anchor", "anchor"],
  ["dropdowns", "dropdown", "dropdown"],
  ["groups", "group", "group"],
];

/** The tree of containers that a `navigation` stands for. Line numbers count its entries. */
export function navigationOf(written: Written): Navigation {
  let line = 0;
  const place = () => ({ sourcePath: "docs.json", line: ++line, column: 1 });
  const pageOf = (ref: string): NavPage => ({ kind: "page", ref, place: place() });
  const container = (kind: NavKind, labelKey: string, node: Written): NavContainer => {
    const { root, global, openapi, ...rest } = node;
    return {
      ...(rest as Partial<NavContainer>),
      kind,
      label: String(node[labelKey]),
      place: place(),
      root: typeof root === "string" ? pageOf(root) : undefined,
      openapi: typeof openapi === "string" ? [{ source: openapi }] : undefined,
      children: childrenOf(node),
      global: global ? containersOf(global as Written) : undefined,
    };
  };
  const containersOf = (node: Written): NavContainer[] =>
    kinds.flatMap(([key, labelKey, kind]) =>
      ((node[key] ?? []) as Written[]).map((each) => container(kind, labelKey, each)),
    );
  const childrenOf = (node: Written): NavEntry[] => [
    ...containersOf(node),
    ...((node["pages"] ?? []) as (string | Written)[]).map((each) =>
      typeof each === "string" ? pageOf(each) : container("group", "group", each),
    ),
  ];
  return {
    children: childrenOf(written),
    global: written["global"] ? containersOf(written["global"] as Written) : [],
    directory: written["directory"] as Navigation["directory"],
    openapi: typeof written["openapi"] === "string" ? [{ source: written["openapi"] }] : [],
    asyncapi: [],
  };
}

export function configOf(navigation: Navigation, indexing: "navigable" | "all" = "navigable"): SiteConfig {
  return {
    sourcePath: "docs.json",
    theme: "mint",
    name: "Acme",
    colors: { primary: "#000000", light: "#000000", dark: "#000000" },
    appearance: { default: "system", strict: false },
    fonts: {},
    icons: { library: "fontawesome" },
    background: {},
    styling: { codeblocks: { mode: "system", theme: { light: "l", dark: "d" }, customLanguages: [] } },
    thumbnails: {},
    navbar: { links: [] },
    footer: { socials: [], links: [] },
    interaction: {},
    redirects: [],
    variables: {},
    metadata: { timestamp: false },
    notFound: { redirect: false },
    markdown: { schema: false, instructions: [] },
    seo: { indexing, metatags: {}, paths: [], trailingSlash: false },
    search: {},
    variations: [],
    integrations: {},
    api: {
      openapi: [],
      asyncapi: [],
      playground: { display: "interactive", proxy: true, credentials: false },
      params: { expanded: "closed", post: [] },
      examples: { languages: [], defaults: "all", prefill: false, autogenerate: true },
      mdx: { servers: [] },
    },
    navigation,
  };
}

export interface BuiltSite {
  readonly site: Site;
  readonly diagnostics: readonly Diagnostic[];
  /** `CODE place`, in the order reported. */
  readonly codes: readonly string[];
  /** The plan of the page at this address. @throws if there is none. */
  readonly at: (urlPath: string) => Site["pages"][number];
}

/** Discovers a site written down in a test. A path without text gets a page named after it. */
export async function buildSite(
  navigation: Written,
  files: Readonly<Record<string, string>> | readonly string[],
  options: Partial<DiscoverOptions> & { readonly indexing?: "navigable" | "all" } = {},
): Promise<BuiltSite> {
  const texts = Array.isArray(files) ? Object.fromEntries(files.map((path: string) => [path, ""])) : files;
  const config = configOf(navigationOf(navigation), options.indexing);
  const { site, diagnostics } = await discoverSite(config, memoryFiles({ "docs.json": "{}", ...texts } as Record<string, string>), {
    parseFrontmatter,
    ...options,
  });
  return {
    site,
    diagnostics,
    codes: diagnostics.map((each) => each.code),
    at: (urlPath) => {
      const found = site.pages.find((each) => each.urlPath === urlPath);
      if (!found) throw new Error(`no page at ${urlPath}; there are ${site.pages.map((each) => each.urlPath)}`);
      return found;
    },
  };
}

/** A site's navigation as text, one line an entry. */
export function drawNavigation(site: Site): string {
  const lines: string[] = [];
  const address = (index: number | undefined): string => (index === undefined ? "" : ` ${site.pages[index]!.urlPath}`);
  const draw = (entry: SidebarEntry, indent: string): void => {
    if (entry.type === "page") lines.push(`${indent}- ${site.pages[entry.page]!.navTitle}${address(entry.page)}`);
    else if (entry.type === "link") lines.push(`${indent}- ${entry.label} -> ${entry.href}`);
    else {
      const marks = [entry.expanded ? "" : " (closed)", entry.tag ? ` [${entry.tag}]` : ""].join("");
      lines.push(`${indent}${entry.label}${marks}${address(entry.root)}`);
      for (const child of entry.entries) draw(child, `${indent}  `);
    }
  };
  const drawSection = (id: number, indent: string): void => {
    const section = site.sections[id]!;
    const marks = [section.default ? "*" : "", section.hidden ? " hidden" : "", section.href ? ` -> ${section.href}` : ""];
    const landing = section.landing === undefined ? "" : ` @${site.pages[section.landing]!.urlPath}`;
    lines.push(`${indent}${section.kind} ${section.label}${marks.join("")}${landing}`);
    for (const link of section.globalLinks) lines.push(`${indent}  global ${link.kind} ${link.label} -> ${link.href}`);
    if (section.division !== undefined)
      for (const entry of site.divisions[section.division]!.entries) draw(entry, `${indent}  `);
    for (const child of section.children) drawSection(child, `${indent}  `);
  };
  drawSection(0, "");
  return lines.join("\n");
}
