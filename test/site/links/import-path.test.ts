import { describe, expect, test } from "vitest";
import { resolveImport, resolveSnippetFile } from "../../../src/site/links/index.js";

describe("resolveImport", () => {
  const files = new Set([
    "snippets/a.mdx",
    "snippets/b c.mdx",
    "guides/b.mdx",
    "c.jsx",
    "guides/d.js",
    "images/a.png",
    "react.js",
  ]);
  const has = (path: string): boolean => files.has(path);

  const found = [
    // resolveImport …                          as written              file
    ["starts at the root", "/snippets/a.mdx", "snippets/a.mdx"],
    ["starts at the root without a slash", "snippets/a.mdx", "snippets/a.mdx"],
    ["starts at the importing file", "./b.mdx", "guides/b.mdx"],
    ["goes up", "../c.jsx", "c.jsx"],
    ["tries a left-out extension", "/snippets/a", "snippets/a.mdx"],
    ["tries it without a slash too", "snippets/a", "snippets/a.mdx"],
    ["tries all extensions", "./d", "guides/d.js"],
    ["decodes", "/snippets/b%20c.mdx", "snippets/b c.mdx"],
    ["leaves out a query", "/c.jsx?raw", "c.jsx"],
    ["finds pictures", "/images/a.png", "images/a.png"],
  ] as const;
  for (const [rule, written, sourcePath] of found)
    test(rule, () => expect(resolveImport(written, "guides/page.mdx", has)).toEqual({ kind: "file", sourcePath }));

  const others = [
    ["never leaves the site", "../../etc/c.jsx", { kind: "outside" }],
    ["never leaves the site by the way", "/a/../../c.jsx", { kind: "outside" }],
    ["knows packages", "react", { kind: "package" }],
    ["knows packages in scopes", "@acme/sdk", { kind: "package" }],
    ["knows parts of packages", "lodash/fp", { kind: "package" }],
    ["knows aliases", "@/components/a.mdx", { kind: "package" }],
    [
      "knows the file that an alias of the site means",
      "@/snippets/a.mdx",
      { kind: "file", sourcePath: "snippets/a.mdx", isAlias: true },
    ],
    [
      "knows the folder of assets in other tools",
      "@site/static/images/a.png",
      { kind: "file", sourcePath: "images/a.png", isAlias: true },
    ],
    ["knows modules of Node", "node:fs", { kind: "package" }],
    ["knows missing files", "./e.mdx", { kind: "missing", sourcePath: "guides/e.mdx" }],
  ] as const;
  for (const [rule, written, target] of others)
    test(rule, () => expect(resolveImport(written, "guides/page.mdx", has)).toEqual(target));
});

test("resolveSnippetFile looks among the snippets, then from the root", () => {
  const has = (path: string): boolean => ["snippets/a.mdx", "_snippets/b.mdx", "c.mdx"].includes(path);
  expect(["a.mdx", "/b.mdx", "c.mdx", "d.mdx", "../d.mdx"].map((file) => resolveSnippetFile(file, has))).toEqual([
    { kind: "file", sourcePath: "snippets/a.mdx" },
    { kind: "file", sourcePath: "_snippets/b.mdx" },
    { kind: "file", sourcePath: "c.mdx" },
    { kind: "missing", sourcePath: "snippets/d.mdx" },
    { kind: "outside" },
  ]);
});
