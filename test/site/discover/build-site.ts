import type { Diagnostic } from "../../../src/lib/diagnostic/diagnostic.js";
import { parseFrontmatter } from "../../../src/page/content/frontmatter/frontmatter.js";
import { loadConfig } from "../../../src/site/config/index.js";
import { type DiscoverOptions, discoverSite, type SidebarEntry, type Site } from "../../../src/site/discover/index.js";
import { createSpecReader } from "../../../src/site/specs/index.js";
import { memoryFiles } from "../../support/memory-files.js";

/** A page as its title alone, or with more front matter. */
export const page = (title: string, ...lines: string[]): string =>
  `---\ntitle: ${title}\n${lines.map((line) => `${line}\n`).join("")}---\n\nText.\n`;

/** A part of docs.json. */
export type Written = { readonly [key: string]: unknown };

export const group = (label: string, ...pages: unknown[]): Written => ({ group: label, pages });

export interface BuiltSite {
  readonly site: Site;
  readonly diagnostics: readonly Diagnostic[];
  /** `CODE place`, in the order reported. */
  readonly codes: readonly string[];
  /** The plan of the page at this address. @throws if there is none. */
  readonly at: (urlPath: string) => Site["pages"][number];
}

/** Discovers a site written down in a test: its navigation, and its files with their text or by their paths alone. */
export async function buildSite(
  navigation: Written,
  files: Readonly<Record<string, string>> | readonly string[],
  options: Partial<DiscoverOptions> & {
    readonly indexing?: "navigable" | "all";
    readonly api?: Written;
    readonly redirects?: readonly Written[];
  } = {},
): Promise<BuiltSite> {
  const { indexing, api, redirects, ...discoverOptions } = options;
  const colors = { primary: "#000000" };
  const docs = {
    theme: "mint",
    name: "Acme",
    colors,
    navigation,
    ...(api && { api }),
    ...(redirects && { redirects }),
    ...(indexing && { seo: { indexing } }),
  };
  const texts = Array.isArray(files)
    ? Object.fromEntries(files.map((path: string) => [path, /\.mdx?$/.test(path) ? "Text.\n" : ""]))
    : (files as Readonly<Record<string, string>>);
  const siteFiles = memoryFiles({ "docs.json": JSON.stringify(docs, null, 2), ...texts });
  const { config } = loadConfig(siteFiles);
  if (!config) throw new Error("docs.json could not be read");
  const { site, diagnostics } = await discoverSite(config, siteFiles, {
    parseFrontmatter,
    openSpecs: async () => createSpecReader(siteFiles),
    ...discoverOptions,
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
    if (entry.type === "page") {
      const { sidebarTitle, title } = site.pages[entry.page]!;
      lines.push(`${indent}- ${sidebarTitle ?? title}${address(entry.page)}`);
    } else if (entry.type === "link") lines.push(`${indent}- ${entry.label} -> ${entry.href}`);
    else {
      const marks = [entry.expanded ? "" : " (closed)", entry.tag ? ` [${entry.tag}]` : ""].join("");
      lines.push(`${indent}${entry.label}${marks}${address(entry.root)}`);
      for (const child of entry.entries) draw(child, `${indent}  `);
    }
  };
  const drawSection = (id: number, indent: string): void => {
    const section = site.sections[id]!;
    const marks = [
      section.default ? "*" : "",
      section.hidden ? " hidden" : "",
      section.href ? ` -> ${section.href}` : "",
    ];
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
