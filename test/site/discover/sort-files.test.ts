import { describe, expect, test } from "vitest";
import { type SortedFiles, sortFiles } from "../../../src/site/discover/scan-pages.js";

describe("sortFiles", () => {
  const cases: readonly (readonly [rule: string, path: string, list: keyof SortedFiles | "none"])[] = [
    ["takes .mdx for pages", "guides/a.mdx", "candidates"],
    ["takes .md for pages", "guides/a.md", "candidates"],
    ["takes nothing in /snippets/ for a page", "snippets/a.mdx", "modules"],
    ["takes nothing in /_snippets/ for a page", "_snippets/a.mdx", "modules"],
    ["takes a folder of that name elsewhere for pages", "es/snippets/a.mdx", "candidates"],
    ["takes components for modules", "components/Chart.jsx", "modules"],
    ["takes typed components for modules", "components/Chart.tsx", "modules"],
    ["takes scripts among snippets for modules", "snippets/data.js", "modules"],
    ["takes style sheets anywhere", "theme/extra.css", "styles"],
    ["takes scripts anywhere", "js/analytics.js", "scripts"],
    ["leaves out settings of build tools", "tailwind.config.js", "none"],
    ["copies images, also among snippets", "snippets/a.png", "statics"],
    ["copies files in upper case", "images/LOGO.PNG", "statics"],
    ["copies specifications", "api/openapi.yaml", "statics"],
    ["copies downloads", "files/report.pdf", "statics"],
    ["copies the skill for agents unchanged", "skill.md", "statics"],
    ["leaves out the configuration", "docs.json", "none"],
    ["leaves out the old configuration", "mint.json", "none"],
    ["copies other data", "data/docs.json", "statics"],
    ["leaves out hidden files", ".env.json", "none"],
    ["leaves out hidden folders", ".mintlify/skills/a.md", "none"],
    ["copies files that are published to be found", ".well-known/security.txt", "statics"],
    ["copies what Apache reads", ".htaccess", "statics"],
    ["leaves out files that are not part of a site", "Makefile", "none"],
    ["leaves out programs", "scripts/build.py", "none"],
  ];
  for (const [rule, path, list] of cases)
    test(rule, () => {
      const sorted = sortFiles([path]);
      const lists = ["candidates", "modules", "styles", "scripts", "statics"] as const;
      expect(lists.filter((each) => sorted[each].includes(path))).toEqual(list === "none" ? [] : [list]);
    });

  test("prefers .mdx to .md of the same name, and reports it", () => {
    const sorted = sortFiles(["a.md", "a.mdx", "b.md"]);
    expect(sorted.candidates).toEqual(["a.mdx", "b.md"]);
    expect(sorted.diagnostics).toEqual([
      {
        code: "PAGE_SHADOWED",
        severity: "warning",
        what: "a.md is left out, because a.mdx has the same URL, and .mdx takes precedence over .md.",
        location: { sourcePath: "a.md" },
        fix: "remove or rename one of the two files.",
      },
    ]);
  });

  test("reports files for hosts that the bundle writes itself, and says where their lines go", () => {
    const { statics, diagnostics } = sortFiles(["_headers", "_redirects", "guides/_headers"]);
    expect(statics).toEqual([]);
    expect(
      diagnostics.map(({ code, location, fix }) => [code, location?.sourcePath, fix.split(" ").slice(0, 3).join(" ")]),
    ).toEqual([
      ["PATH_RESERVED", "_headers", "set the headers"],
      ["PATH_RESERVED", "_redirects", "move the redirects"],
    ]);
  });

  test("separates files for contributors, such as README.md", () => {
    const sorted = sortFiles(["AGENTS.md", "guides/CLAUDE.md", "guides/agents.md"]);
    expect([...sorted.notes]).toEqual(["AGENTS.md", "guides/CLAUDE.md"]);
  });
});
