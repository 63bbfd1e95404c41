import { JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import { redirectFiles } from "../../../src/bundle/outputs/redirect-files.js";
import type { Diagnostic } from "../../../src/lib/diagnostic/diagnostic.js";
import type { Redirect } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import { makeSite, type PageSketch } from "./support/site.js";

const pages: PageSketch[] = ["index.mdx", "new.mdx", "guides/install.mdx", "old/kept.mdx", "ünï/a b.mdx"].map(
  (sourcePath) => ({ sourcePath, title: `<${sourcePath}>` }),
);

function build(
  rules: readonly (readonly [string, string])[],
  sketches: readonly PageSketch[] = pages,
  homePage?: number,
) {
  const redirects: Redirect[] = rules.map(([source, destination], i) => ({
    source,
    destination,
    permanent: i % 2 === 0,
    location: { sourcePath: "docs.json", line: i + 1, column: 1 },
  }));
  const site = makeSite(sketches, { redirects }, { staticFiles: ["files/a.pdf"], homePage });
  const table = createAddresses(site).redirects();
  const { rules: used, diagnostics: ofRules } = table.check();
  const { stubs, hostRules, diagnostics } = redirectFiles(site, used, "https://acme.com", "_offprint/head.js");
  return {
    stubs,
    lines: hostRules.split("\n").slice(0, -1),
    diagnostics: [...ofRules, ...diagnostics],
    table,
  };
}
const codes = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ code, location }) => `${code} ${location?.line}`);

/** Where a stub sends its reader, from each of the three places that say it. */
function targetsOf(text: string) {
  const { document } = new JSDOM(text).window;
  const refresh = document.querySelector("meta[http-equiv=refresh]")?.getAttribute("content");
  return {
    refresh: refresh?.replace("0; url=", ""),
    link: document.querySelector("a")?.getAttribute("href"),
    canonical: document.querySelector("link[rel=canonical]")?.getAttribute("href"),
    elements: document.querySelectorAll("*:not([rel=canonical])").length,
  };
}

describe("an exact redirect", () => {
  const cases = [
    // leads …                      source            destination                    stub                 link                          line of _redirects
    [
      "to a page",
      "/old/page",
      "/guides/install",
      "old/page.html",
      "../guides/install.html",
      "/old/page /guides/install 301",
    ],
    ["to a place on a page", "old", "/new?x=1#a", "old.html", "new.html?x=1#a", "/old /new?x=1#a 301"],
    [
      "to another site",
      "/old",
      "https://x.org/y?z#f",
      "old.html",
      "https://x.org/y?z#f",
      "/old https://x.org/y?z#f 301",
    ],
    ["to a file", "/old/", "/files/a.pdf", "old.html", "files/a.pdf", "/old /files/a.pdf 301"],
    ["from an address with .html", "/old/x.html", "/new", "old/x.html", "../new.html", "/old/x.html /new 301"],
    [
      "to encoded names",
      "/o%20ld",
      "/ünï/a b",
      "o ld.html",
      "%C3%BCn%C3%AF/a%20b.html",
      "/o%20ld /%C3%BCn%C3%AF/a%20b 301",
    ],
    ["to the home page", "/old", "/", "old.html", "index.html", "/old / 301"],
    ["to an address of a host", "/old", "//x.org", "old.html", "https://x.org/", "/old https://x.org/ 301"],
  ] as const;
  for (const [rule, source, destination, path, href, line] of cases)
    test(`leads ${rule}`, () => {
      const { stubs, lines, diagnostics } = build([[source, destination]]);
      expect(codes(diagnostics)).toEqual([]);
      expect(stubs.map((stub) => stub.path)).toEqual([path]);
      expect(targetsOf(stubs[0]!.text)).toMatchObject({ refresh: href, link: href, elements: 12 });
      expect(lines).toEqual([line]);
    });
  test("has the canonical URL and forbids indexing", () => {
    const { stubs } = build([["/old", "/guides/install#x"]]);
    expect(targetsOf(stubs[0]!.text).canonical).toBe("https://acme.com/guides/install");
    expect(stubs[0]!.text).toContain('<meta name="robots" content="noindex">');
    expect(stubs[0]!.text.match(/<script.*/g)).toEqual(['<script src="_offprint/head.js"></script>']);
  });
  test("is 302 if it is not permanent", () =>
    expect(
      build([
        ["/a", "/new"],
        ["/b", "/new"],
      ]).lines[1],
    ).toBe("/b /new 302"));
});

describe("chains and loops", () => {
  test("a chain leads directly to its end", () => {
    const { stubs, lines } = build([
      ["/a", "/b#x"],
      ["/b", "/c"],
      ["/c", "/new"],
    ]);
    expect(lines).toEqual(["/a /new#x 301", "/b /new 302", "/c /new 301"]);
    expect(targetsOf(stubs[0]!.text).link).toBe("new.html#x");
  });
  test("a chain goes through wildcards", () =>
    expect(
      build([
        ["/v1/:slug*", "/guides/:slug*"],
        ["/a", "/v1/install"],
      ]).lines[0],
    ).toBe("/a /guides/install 302"));
  test("a loop is dropped, and reported once", () => {
    const { stubs, lines, diagnostics } = build([
      ["/a", "/b"],
      ["/b", "/a"],
      ["/c", "/c"],
      ["/d", "/a"],
      ["/ok", "/new"],
    ]);
    expect(codes(diagnostics)).toEqual(["REDIRECT_LOOP 1", "REDIRECT_LOOP 3", "REDIRECT_LOOP 4"]);
    expect(diagnostics[0]!.what).toContain("/a -> /b -> /a");
    expect(lines).toEqual(["/ok /new 301"]);
    expect(stubs).toHaveLength(1);
  });
  test("a wildcard that matches its own destination is a loop", () =>
    expect(codes(build([["/x/:slug*", "/x/y/:slug*"]]).diagnostics)).toEqual(["REDIRECT_LOOP 1"]));
});

describe("a wildcard", () => {
  const cases = [
    ["/a/:slug*", "/b/:slug*", "/a/* /b/:splat 301"],
    ["/a/*", "/b/*", "/a/* /b/:splat 301"],
    ["/a/*", "/new", "/a/* /new 301"],
    ["/a/:page", "/b/:page/x", "/a/:page /b/:page/x 301"],
    ["/a/:x/:slug*", "/b/:slug*?v=:x", "/a/:x/* /b/:splat?v=:x 301"],
    ["/pre-*", "/b/*", "/pre-* /b/:splat 301"],
    ["/a/:slug*", "https://x.org:8080/:slug*", "/a/* https://x.org:8080/:splat 301"],
  ] as const;
  for (const [source, destination, line] of cases)
    test(`${source} -> ${destination} is a rule for hosts`, () =>
      expect(build([[source, destination]]).lines).toEqual([line]));
  test("comes after exact redirects", () =>
    expect(
      build([
        ["/a/*", "/new"],
        ["/a/b", "/new"],
      ]).lines,
    ).toEqual(["/a/b /new 302", "/a/* /new 301"]));
  test("in the middle is reported", () => {
    const { lines, diagnostics } = build([["/a/:slug*/b", "/new"]]);
    expect(codes(diagnostics)).toEqual(["REDIRECT_NOT_PORTABLE 1"]);
    expect(lines).toEqual([]);
  });
  test("as a pattern in parentheses is reported as such", () => {
    const [diagnostic] = build([["/node-:rest(.*)", "/new"]]).diagnostics;
    expect(diagnostic?.what).toContain("has a pattern in parentheses");
  });
  const followed = [
    ["/v1/a/b", "/guides/a/b"],
    ["/v1", "/guides"],
    ["/one/x", "/two/x"],
    ["/one/x/y", undefined],
    ["/part-7", "/p/7"],
  ] as const;
  for (const [path, end] of followed)
    test(`leads ${path} to ${end}`, () => {
      const { table } = build([
        ["/v1/:s*", "/guides/:s*"],
        ["/one/:p", "/two/:p"],
        ["/part-*", "/p/*"],
      ]);
      const followed = table.follow(path.slice(1));
      if (end === undefined) expect(followed).toBeUndefined();
      else expect(followed).toMatchObject({ kind: "internal", path: end, suffix: "" });
      // A folder without a page leads to the first page in it.
      if (end === "/guides") expect(followed).toMatchObject({ target: { outputPath: "guides/install.html" } });
    });
  test("with many stars is matched in linear time", () => {
    const { diagnostics } = build([[`/${"*a".repeat(30)}`, "/new"]]);
    expect(codes(diagnostics)).toEqual(["REDIRECT_SOURCE_INVALID 1"]);
  });
});

describe("invalid redirects", () => {
  const cases = [
    ["take the place of a page", "/guides/install", "/new", "REDIRECT_SOURCE_IS_PAGE"],
    ["run a script", "/a", "javascript:alert(1)", "REDIRECT_DESTINATION_UNSAFE"],
    ["run a script behind a line break", "/a", "java\nscript:alert(1)", "REDIRECT_DESTINATION_UNSAFE"],
    ["run a script from data", "/a", "data:text/html,<script>", "REDIRECT_DESTINATION_UNSAFE"],
    ["lead out by a backslash", "/a", "/\\evil.org", "REDIRECT_DESTINATION_UNSAFE"],
    ["lead above the root", "/a", "/../x", "REDIRECT_DESTINATION_UNSAFE"],
    ["be written outside the bundle", "/../../etc/passwd", "/new", "REDIRECT_SOURCE_INVALID"],
    ["be written outside by encoding", "/%2e%2e/%2e%2e/x", "/new", "REDIRECT_SOURCE_INVALID"],
    ["be written outside by an encoded slash", "/a%2f..%2f..%2fx", "/new", "REDIRECT_SOURCE_INVALID"],
    ["have a query as source", "/a?b", "/new", "REDIRECT_SOURCE_INVALID"],
    ["add a line to _redirects", "/a%0a/* https://evil.org", "/new", "REDIRECT_SOURCE_INVALID"],
    ["lead nowhere unnoticed", "/a", "/nowhere", "REDIRECT_TARGET_MISSING"],
  ] as const;
  for (const [rule, source, destination, code] of cases)
    test(rule, () => {
      const { stubs, diagnostics } = build([[source, destination]]);
      expect(codes(diagnostics)).toEqual([`${code} 1`]);
      expect(stubs).toEqual([]);
    });
  const placed = [
    ["our own folder", "/_offprint/app", "REDIRECT_NAME_UNPORTABLE"],
    ["a name some systems refuse", '/a"b', "REDIRECT_NAME_UNPORTABLE"],
    ["a name that is too long", `/${"x".repeat(300)}`, "REDIRECT_NAME_UNPORTABLE"],
    ["a page in another case", "/Guides/Install", "REDIRECT_COLLISION"],
    ["a folder of the name", "/old/kept.html", "REDIRECT_COLLISION"],
    ["a file where it needs a folder", "/files/a.pdf/x", "REDIRECT_COLLISION"],
    ["the page for unknown addresses", "/404", "REDIRECT_COLLISION"],
    ["that page by its file name", "/404%2Ehtml", "REDIRECT_COLLISION"],
    ["the manifest", "/offprint.json/x", "REDIRECT_COLLISION"],
    ["a file for the whole site", "/llms.txt/x", "REDIRECT_COLLISION"],
    ["a Markdown version", "/new.md/x", "REDIRECT_COLLISION"],
    ["a feed", "/new/rss.xml/x", "REDIRECT_COLLISION"],
  ] as const;
  for (const [rule, source, code] of placed)
    test(`a stub does not replace ${rule}; hosts still get the rule`, () => {
      const { stubs, lines, diagnostics } = build([[source, "/new"]]);
      expect(codes(diagnostics)).toEqual([`${code} 1`]);
      expect(stubs).toEqual([]);
      expect(lines).toHaveLength(1);
    });
  test("two redirects that differ in case get one stub", () => {
    const { stubs, diagnostics } = build(
      [
        ["/Old", "/new"],
        ["/old", "/guides/install"],
      ],
      pages.slice(0, 3),
    );
    expect(stubs.map(({ path }) => path)).toEqual(["Old.html"]);
    expect(codes(diagnostics)).toEqual(["REDIRECT_COLLISION 2"]);
  });
  test("of two redirects with the same source, the first wins", () =>
    expect(
      codes(
        build([
          ["/a", "/new"],
          ["a/", "/guides/install"],
        ]).diagnostics,
      ),
    ).toEqual(["REDIRECT_DUPLICATE 2"]));
  test("a redirect that only corrects the case of a page needs no stub", () =>
    expect(build([["/New", "/new"]])).toMatchObject({ stubs: [], diagnostics: [] }));
  test("hostile titles and fragments stay text", () => {
    const { stubs } = build(
      [["/a", '/new#"><script>alert(1)</script>']],
      [{ sourcePath: "new.mdx", title: '</title><script>"' }],
    );
    expect(targetsOf(stubs[0]!.text).elements).toBe(12);
  });
});

describe("the start page", () => {
  const inner: PageSketch[] = [{ sourcePath: "guides/start.mdx", title: "Start" }];
  test("is a stub if the site has no root page", () => {
    const { stubs } = build([], inner, 0);
    expect(stubs.map(({ path }) => path)).toEqual(["index.html"]);
    expect(targetsOf(stubs[0]!.text).link).toBe("guides/start.html");
  });
  test("is the target of a redirect of /", () => {
    const { stubs } = build([["/", "https://x.org/"]], inner, 0);
    expect(stubs.map(({ text }) => targetsOf(text).link)).toEqual(["https://x.org/"]);
  });
  test("is not a stub if there is a root page", () => expect(build([], pages, 0).stubs).toEqual([]));
});
