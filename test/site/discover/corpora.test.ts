import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseFrontmatter } from "../../../src/page/content/frontmatter/frontmatter.js";
import { loadConfig, type NavEntry } from "../../../src/site/config/index.js";
import { discoverSite, type SidebarEntry, type Site } from "../../../src/site/discover/index.js";
import { openFolder } from "../../../src/site/source/index.js";
import { createSpecReader } from "../../../src/site/specs/index.js";
import { findCorpora } from "../../support/corpora.js";

/** Pages that the navigation names and that are there, looked up the plain way. */
function existingRefs(entries: readonly NavEntry[], folder: string): string[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== "page") return existingRefs([...(entry.root ? [entry.root] : []), ...entry.children], folder);
    const path = entry.ref.replace(/^\/+|\/+$|\.mdx?$/g, "");
    return [`${path}.mdx`, `${path}.md`, `${path}/index.mdx`]
      .filter((file) => existsSync(join(folder, file)))
      .slice(0, 1);
  });
}

function pagesIn(entries: readonly SidebarEntry[]): number[] {
  return entries.flatMap((entry) => {
    if (entry.type === "page") return [entry.page];
    return entry.type === "link" ? [] : [...(entry.root === undefined ? [] : [entry.root]), ...pagesIn(entry.entries)];
  });
}

const isPlan = (site: Site, index: number | undefined): boolean =>
  index === undefined || site.pages[index]?.index === index;

describe("a real site", () => {
  for (const { name, folder } of findCorpora())
    test(name, async () => {
      const { files } = openFolder(folder);
      const { config } = loadConfig(files);
      const { site, diagnostics } = await discoverSite(config!, files, {
        parseFrontmatter,
        openSpecs: async () => createSpecReader(files),
      });

      const sources = new Map(site.pages.map((page) => [page.sourcePath, page]));
      for (const file of existingRefs(config!.navigation.children, folder)) {
        const { frontmatter } = parseFrontmatter(files.readText(file), file);
        if (frontmatter["url"] === undefined) expect(sources.get(file), file).toMatchObject({ listed: true });
      }
      expect(new Set(site.pages.map((page) => page.outputPath.toLowerCase())).size).toBe(site.pages.length);
      expect(
        site.pages.every((page, index) => page.index === index && page.title !== "" && page.sidebarTitle !== ""),
      ).toBe(true);
      for (const page of site.pages) {
        if (page.next !== undefined)
          expect(site.pages[page.next]?.division === page.division ? site.pages[page.next]?.previous : page.index).toBe(
            page.index,
          );
        expect(
          isPlan(site, page.previous) && isPlan(site, page.next) && site.divisions[page.division] !== undefined,
        ).toBe(true);
        expect(page.searchable && page.noindex).toBe(false);
      }
      for (const division of site.divisions) {
        const shown = new Set(pagesIn(division.entries));
        expect(division.order.every((index) => shown.has(index))).toBe(true);
        expect(new Set(division.order).size).toBe(division.order.length);
      }
      expect(
        site.sections.every(
          (section) =>
            section.hidden || section.kind === "root" || section.href !== undefined || section.landing !== undefined,
        ),
      ).toBe(true);
      expect(isPlan(site, site.homePage) && site.homePage !== undefined).toBe(true);
      expect(diagnostics.filter((each) => each.location === undefined)).toEqual([]);
      expect(structuredClone(site)).toEqual(site);
    });
});
