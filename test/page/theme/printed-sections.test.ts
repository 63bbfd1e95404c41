import { describe, expect, test } from "vitest";
import { printedPages, printedSections } from "../../../src/page/theme/sections.js";
import type { SidebarEntry, Site } from "../../../src/site/site.js";
import { sampleConfig, samplePage, sampleSite, section } from "./sample-site.js";

const page = (index: number): SidebarEntry => ({ type: "page", page: index });
const group = (label: string, entries: readonly SidebarEntry[], root?: number): SidebarEntry => ({
  type: "group",
  label,
  expanded: false,
  entries,
  ...(root === undefined ? {} : { root }),
});
const link: SidebarEntry = { type: "link", label: "Blog", href: "https://x.y" };

const summary = (changes: Partial<Site> & { readonly entries?: readonly SidebarEntry[] }): string[] =>
  printedSections(sampleSite({ config: sampleConfig({ name: "Acme" }), ...changes })).map(
    ({ outputPath, around, label, entries }) =>
      `${outputPath} ${[...around, label].join("/")}: ${printedPages(entries).join(" ")}`,
  );

describe("the sections of a site that can be printed", () => {
  test("are its top-level groups, and the pages outside of them", () => {
    const entries = [page(0), group("Get started", [page(1), group("Deep", [page(2), page(1)], 0), link]), link];
    expect(summary({ entries })).toEqual(["_print/acme.html Acme: 0", "_print/get-started.html Get started: 1 0 2"]);
    expect(summary({ entries: [group("Links", [link])] })).toEqual([]);
  });

  test("are its tabs if it has tabs, in each language and version", () => {
    const sections = [
      section(0, { children: [1] }),
      section(1, { kind: "language", label: "de", parent: 0, children: [2] }),
      section(2, { kind: "version", label: "v1", parent: 1, children: [3, 4] }),
      section(3, { kind: "tab", label: "API & mehr", parent: 2, division: 0 }),
      section(4, { kind: "tab", label: "API mehr", parent: 2, division: 1 }),
    ];
    const divisions = [
      { id: 0, sections: [0, 1, 2, 3], entries: [group("A", [page(0)]), group("B", [page(1)])], order: [0, 1] },
      { id: 1, sections: [0, 1, 2, 4], entries: [page(2)], order: [2] },
    ];
    expect(summary({ sections, divisions })).toEqual([
      "_print/de-v1-api-mehr.html Deutsch/v1/API & mehr: 0 1",
      "_print/de-v1-api-mehr-2.html Deutsch/v1/API mehr: 2",
    ]);
  });

  test("have names that every file system can store and that no page has", () => {
    const pages = [samplePage(0, "/_print/guides"), samplePage(1, "/a"), samplePage(2, "/b")];
    const entries = [group("Guides", [page(0)]), group("con", [page(1)]), group("???", [page(2)])];
    expect(summary({ pages, entries }).map((each) => each.split(" ")[0])).toEqual([
      "_print/guides-2.html",
      "_print/~63on.html",
      "_print/section.html",
    ]);
  });
});
