import { describe, expect, test } from "vitest";
import { assignOutputPaths } from "../../../src/site/discover/output-paths.js";

describe("assignOutputPaths", () => {
  type Case = readonly [
    rule: string,
    pages: readonly string[],
    statics: readonly string[],
    places: readonly string[],
    codes: readonly string[],
  ];
  const cases: readonly Case[] = [
    ["gives each page its place", ["a.mdx", "b/c.md"], ["a.png"], ["a.html", "b/c.html", "a.png"], []],
    [
      "keeps the first of two that differ in case",
      ["Foo.mdx", "foo.mdx"],
      [],
      ["Foo.html"],
      ["error PATH_TAKEN foo.mdx"],
    ],
    [
      "keeps the first of two that differ in the form of accents",
      ["caf\u00e9.mdx", "cafe\u0301.mdx"],
      [],
      ["caf\u00e9.html"],
      ["error PATH_TAKEN cafe\u0301.mdx"],
    ],
    ["keeps folders that differ in case", ["A/x.mdx", "a/y.mdx"], [], ["A/x.html", "a/y.html"], []],
    [
      "gives an index page beside its folder's page the place in the folder",
      ["a/index.mdx", "a.mdx"],
      [],
      ["a/index.html", "a.html"],
      ["warning PATH_TAKEN a/index.mdx"],
    ],
    [
      "puts pages before static files",
      ["guides/install.mdx"],
      ["guides/Install.html"],
      ["guides/install.html"],
      ["error PATH_TAKEN guides/Install.html"],
    ],
    ["keeps the first of two static files", [], ["A.png", "a.png"], ["A.png"], ["error PATH_TAKEN a.png"]],
    ["puts no folder where a file is", ["a.mdx", "a.html/b.mdx"], [], ["a.html"], ["error PATH_TAKEN a.html/b.mdx"]],
    [
      "puts no file where a folder is",
      ["a.html/b/c.mdx", "a.mdx"],
      [],
      ["a.html/b/c.html"],
      ["error PATH_TAKEN a.mdx"],
    ],
    ["moves a page away from the not-found page", ["404.mdx"], [], ["~3404.html"], ["warning PATH_RESERVED 404.mdx"]],
    [
      "moves a page out of the bundle's own folder",
      ["_Offprint/a.mdx"],
      [],
      ["~5FOffprint/a.html"],
      ["warning PATH_RESERVED _Offprint/a.mdx"],
    ],
    ["keeps the start page for /", ["Index.mdx"], [], ["~49ndex.html"], ["warning PATH_RESERVED Index.mdx"]],
    [
      "keeps the start page for / also against index/index",
      ["index/index.mdx", "index.mdx"],
      [],
      ["index/index.html", "index.html"],
      ["warning PATH_TAKEN index/index.mdx"],
    ],
    [
      "leaves out static files in places of the bundle",
      [],
      ["_offprint/a.png", "offprint.json", "404.html", "index.html"],
      [],
      ["_offprint/a.png", "offprint.json", "404.html", "index.html"].map((path) => `error PATH_RESERVED ${path}`),
    ],
    [
      "puts nothing into folders with the names of the bundle's files",
      ["404.HTML/a.mdx"],
      ["404.html/a.png", "offprint.json/a.png", "Offprint-search.js/b/a.png"],
      ["~3404.HTML/a.html"],
      [
        "warning PATH_RESERVED 404.HTML/a.mdx",
        "error PATH_RESERVED 404.html/a.png",
        "error PATH_RESERVED offprint.json/a.png",
        "error PATH_RESERVED Offprint-search.js/b/a.png",
      ],
    ],
    [
      "reports names that not every system takes",
      ["con.mdx"],
      ["a:b.png"],
      ["~63on.html"],
      ["warning NAME_NOT_PORTABLE con.mdx", "warning NAME_NOT_PORTABLE a:b.png"],
    ],
    [
      "keeps what the bundle makes free of folders and of other cases",
      ["a.mdx"],
      ["_redirects/x.png", "LLMS.txt", "robots.txt", "a.md/x.png", "a/rss.xml"],
      ["a.html", "robots.txt", "a/rss.xml"],
      ["error PATH_TAKEN _redirects/x.png", "error PATH_TAKEN LLMS.txt", "error PATH_TAKEN a.md/x.png"],
    ],
    [
      "keeps the first of two that differ as ß and ss do",
      ["straße.mdx", "strasse.mdx"],
      [],
      ["straße.html"],
      ["error PATH_TAKEN strasse.mdx"],
    ],
    [
      "keeps marked names apart from names that look marked",
      ["a?.mdx", "a~3F.mdx"],
      [],
      ["a~3F.html", "a~7E3F.html"],
      ["warning NAME_NOT_PORTABLE a?.mdx", "warning NAME_NOT_PORTABLE a~3F.mdx"],
    ],
  ];
  for (const [rule, pages, statics, places, codes] of cases)
    test(rule, () => {
      const output = assignOutputPaths(pages, statics);
      expect([...[...output.addresses.values()].map((each) => each.outputPath), ...output.statics]).toEqual(places);
      expect(output.diagnostics.map((each) => `${each.severity} ${each.code} ${each.location?.sourcePath}`)).toEqual(
        codes,
      );
    });

  test("names both files and their path", () => {
    expect(assignOutputPaths(["Foo.mdx", "foo.mdx"], []).diagnostics[0]?.what).toBe(
      "Foo.mdx and foo.mdx would both be written to foo.html, or to paths that some systems treat as the same; foo.mdx is left out.",
    );
  });

  test("keeps the address as written where the file name is changed", () => {
    expect(assignOutputPaths(["con.mdx"], []).addresses.get("con.mdx")).toEqual({
      urlPath: "/con",
      outputPath: "~63on.html",
    });
  });
});
