/** The gate over repositories of other tools: it sees each kind of structure that a converted navigation lacks. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkNavigation, readNavigation } from "../../scripts/sweep/import/check-navigation.js";
import { readRepository } from "../../scripts/sweep/import/source-repository.js";
import { createCounts } from "../../scripts/sweep/specs/tally.js";
import { writeSite } from "../support/cli.js";

let work = "";
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), "offprint-gate-"));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const page = (title: string): string => `# ${title}\n`;
const file = (name: string): string => `${name}.md`;
const paths = ["brew/tea", "brew/milk/cold", "serve/cups"];

/** Repositories with the same navigation: two tabs, a group in one of them, two languages or versions. */
const repositories: Readonly<Record<string, Record<string, string>>> = {
  Docusaurus: {
    "docusaurus.config.ts": `import type { Config } from "@docusaurus/types";
const sidebar = (sidebarId: string, label: string) => ({ type: "docSidebar", sidebarId, label });
const config: Config = {
  presets: [["classic", { docs: { sidebarPath: require.resolve("./sidebars.js") } }]],
  themeConfig: { navbar: { items: [sidebar("brew", "Brew"), sidebar("serve", "Serve")] } },
};
export default config;`,
    "sidebars.js": `const milk = { type: "category", label: "Milk", items: ["brew/milk/cold"] };
module.exports = { brew: ["brew/tea", milk], serve: ["serve/cups"] };`,
    "versions.json": '["2", "1"]',
    ...Object.fromEntries(
      [1, 2].map((name) => [
        `versioned_sidebars/version-${name}-sidebars.json`,
        '{ "brew": ["brew/tea", { "type": "category", "label": "Milk", "items": ["brew/milk/cold"] }], "serve": ["serve/cups"] }',
      ]),
    ),
    ...Object.fromEntries(
      ["docs", "versioned_docs/version-2", "versioned_docs/version-1"].flatMap((folder) =>
        paths.map((path) => [file(`${folder}/${path}`), page(path)]),
      ),
    ),
  },
  VitePress: {
    ".vitepress/config.mts": `import { defineConfig } from "vitepress";
import fr from "./fr";
const milk = () => [{ text: "Milk", items: [{ text: "Cold", link: "/brew/milk/cold" }] }];
export default defineConfig({
  locales: { root: { lang: "en-GB" }, fr },
  themeConfig: {
    nav: [{ text: "Brew", link: "/brew/tea" }, { text: "Serve", link: "/serve/cups" }],
    sidebar: { "/brew/": [{ text: "Tea", link: "/brew/tea" }, ...milk()], "/serve/": [{ text: "Cups", link: "/serve/cups" }] },
  },
});`,
    ".vitepress/fr.ts": 'export default { lang: "fr" };',
    ...Object.fromEntries(["", "fr/"].flatMap((folder) => paths.map((path) => [file(folder + path), page(path)]))),
  },
  MkDocs: {
    "mkdocs.yml": `theme: { name: material, features: [navigation.tabs] }
plugins: [{ i18n: { docs_structure: folder, languages: [{ locale: en, default: true }, { locale: fr }] } }]
nav:
  - Brew: [Tea: en/brew/tea.md, Milk: [Cold: en/brew/milk/cold.md]]
  - Serve: [Cups: en/serve/cups.md]`,
    ...Object.fromEntries(
      ["en", "fr"].flatMap((code) => paths.map((path) => [file(`docs/${code}/${path}`), page(path)])),
    ),
  },
};

const brew = { tab: "Brew", pages: ["brew/tea", { group: "Milk", pages: ["brew/milk/cold"] }] };
const serve = { tab: "Serve", pages: ["serve/cups"] };
const whole = [brew, serve];
const flat = [{ ...brew, pages: ["brew/tea", "brew/milk/cold"] }, serve];
const elsewhere = [
  { ...brew, pages: ["brew/tea"] },
  { ...serve, pages: ["serve/cups", brew.pages[1]] },
];
const joined = [{ ...brew, pages: [...brew.pages, "serve/cups"] }];

function missing(tool: string, tabs: readonly object[], lost: number, words = ""): string[] {
  const site = join(work, "site");
  rmSync(site, { recursive: true, force: true });
  const kind = tool === "Docusaurus" ? "version" : "language";
  const parts = (kind === "version" ? ["Next", "2", "1"] : ["en", "fr"])
    .slice(0, -lost || undefined)
    .map((name) => ({ [kind]: name, tabs }));
  writeSite(site, {
    "docs.json": JSON.stringify({ navigation: { [`${kind}s`]: parts } }),
    ...Object.fromEntries(paths.map((path) => [`${path}.mdx`, `---\ntitle: ${path.replace(/^.*\//, "")}\n---\n`])),
  });
  const repository = readRepository(join(work, tool))!;
  const counts = createCounts(20);
  checkNavigation(
    repository.navigation,
    readNavigation(site),
    words === "" ? [] : [{ sourcePath: ".", kind: "navigation", what: words }],
    counts,
    (path) => /((?:brew|serve)\/.*)\.md$/.exec(path)?.[1],
    new Set(paths.map((path) => path.replace(/\.md$/, ""))),
  );
  expect(repository.tool).toBe(tool);
  // The pages of each version of Docusaurus have their own navigation.
  expect(counts.kinds.get("structure")!.checked).toBe(tool === "Docusaurus" ? 12 : 5);
  return [...counts.kinds.values()].flatMap(({ examples }) => examples.map(({ kind, place }) => `${kind}: ${place}`));
}

for (const [tool, files] of Object.entries(repositories))
  test(`a lost tab, group, position, language or version of ${tool} is reported`, () => {
    const folder = writeSite(join(work, tool), files);
    const first = tool === "Docusaurus" ? "Next > " : "";
    // It is not a site of ours.
    rmSync(join(folder, "docs.json"));
    expect(missing(tool, whole, 0).filter((miss) => miss.startsWith("structure"))).toEqual([]);
    expect(missing(tool, joined, 0)).toContain(`structure: ${first}Serve`);
    expect(missing(tool, flat, 0)).toContain(`structure: ${first}Brew > Milk`);
    expect(missing(tool, elsewhere, 0)).toContain(`structure: ${first}Brew > Milk`);
    expect(missing(tool, whole, 1)).toContain(`structure: ${tool === "Docusaurus" ? "1" : "fr"}`);
    expect(missing(tool, flat, 0, 'The group "Milk" is lost.')).not.toContain(`structure: ${first}Brew > Milk`);
  });
