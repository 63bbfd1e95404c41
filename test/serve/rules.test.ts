import { describe, expect, test } from "vitest";
import { readHeaderRules, readHostRules } from "../../src/serve/host-rules.js";
import { hasSiteScripts, loadsFromHosts, policyOf, strictPolicy } from "../../src/serve/served-bundle.js";
import { withinCpu } from "../support/machine-time.js";

describe("a line of _redirects", () => {
  const cases: readonly (readonly [rule: string, line: string, path: string, target: string | undefined])[] = [
    ["leads from one path to another", "/a /b 301", "/a", "/b 301"],
    ["is permanent unless it says so", "/a /b", "/a", "/b 301"],
    ["may lead to another host", "/a https://x.example/b 302", "/a", "https://x.example/b 302"],
    ["may be encoded", "/gr%C3%B6%C3%9Fe /b 301", "/größe", "/b 301"],
    ["takes no other path", "/a /b 301", "/ab", undefined],
    ["names a segment", "/v1/:page /v2/:page 301", "/v1/x", "/v2/x 301"],
    ["names one segment alone", "/v1/:page /v2/:page 301", "/v1/x/y", undefined],
    ["takes the rest", "/blog/* /news/:splat 301", "/blog/a/b", "/news/a/b 301"],
    ["takes an empty rest", "/blog/* /news/:splat 301", "/blog", "/news 301"],
    ["encodes what it has taken", "/blog/* /news/:splat 301", "/blog/ä b", "/news/%C3%A4%20b 301"],
    ["cannot be made to leave the host", "/go/* /:splat 301", "/go//x.example", "/x.example 301"],
    ["cannot be made to leave it backwards", "/go/* /:splat 301", "/go/\\x.example", "/%5Cx.example 301"],
    [
      "cannot be given another host's name",
      "/go/* https://x.example/:splat 301",
      "/go/@y.example",
      "https://x.example/@y.example 301",
    ],
    ["may not lead to a host without a scheme", "/a //x.example 301", "/a", undefined],
    ["may not lead to a script", "/a javascript:alert(1) 301", "/a", undefined],
    ["may not rewrite", "/a /b 200", "/a", undefined],
    ["may not have conditions", "/a /b 301 Country=au", "/a", undefined],
    ["may not have a star in the middle", "/a/*/b /c 301", "/a/x/b", undefined],
    ["may be a comment", "# /a /b 301", "/a", undefined],
    ["ends no header", "/a /b\u0001c 301", "/a", undefined],
  ];
  for (const [rule, line, path, target] of cases)
    test(rule, () => {
      const rules = readHostRules(`\n${line}\r\n`);
      const move = rules.exact(path) ?? rules.wildcard(path);
      expect(move && `${move.target} ${move.status}`).toBe(target);
    });

  test("among many costs no time for a path that no rule matches", async () => {
    const rules = readHostRules(Array.from({ length: 2000 }, (_, i) => `/${i}/:a/:b/:c/* /x 301`).join("\n"));
    await withinCpu(500, () => {
      expect(rules.wildcard(`/${"a/".repeat(900)}`)).toBeUndefined();
    });
  });
});

describe("a rule of _headers", () => {
  const text =
    "/*\n  X-A: all\n  Link: <a>\n/files/*\n  X-B: files\n  Link: <b>\n  Content-Length: 5\n  Set-Cookie: a=b\n  X bad: c\n/*.md\n  X-C: d\r\n\n";
  const rules = readHeaderRules(text);
  const cases: readonly (readonly [path: string, headers: Readonly<Record<string, string>>])[] = [
    ["/index.html", { "x-a": "all", link: "<a>" }],
    ["/files/x.csv", { "x-a": "all", link: "<a>, <b>", "x-b": "files" }],
    ["/guides/x.md", { "x-a": "all", link: "<a>", "x-c": "d" }],
  ];
  for (const [path, headers] of cases)
    test(`gives ${path} the headers that are set for it, except those that the server sets itself`, () =>
      expect(Object.fromEntries(rules(path))).toEqual(headers));

  test("costs no time, whatever the number of stars", async () => {
    const hostile = readHeaderRules(`/${"*a".repeat(40)}\n  X-A: b\n`);
    await withinCpu(500, () => {
      hostile(`/${"a".repeat(900)}`);
    });
  });
});

describe("the policy of a page", () => {
  const isStrict: readonly (readonly [rule: string, html: string, strict: boolean])[] = [
    ["with text alone", '<!doctype html><title>x</title><p class="style=">a onclick=b</p>', true],
    [
      "with our scripts",
      '<script src="../../_offprint/app.0.js" defer></script><script src="offprint-search.js"></script>',
      true,
    ],
    ["with data", '<script type="application/ld+json">{"a":"b"}</script>', true],
    [
      "with links to other hosts",
      '<a href="https://x.example">x</a><link rel="canonical" href="https://x.example/">',
      true,
    ],
    [
      "with a picture of the site",
      '<img src="a.png" srcset="a.png 1x, b.png 2x"><img src="data:image/png;base64,AA">',
      true,
    ],
    ["with a picture in an SVG", '<svg><use href="#a"></use></svg>', true],
    ["with a video of the site", '<video src="a.mp4" poster="a.png"></video>', true],
    ["with code that shows tags", "<code>&lt;script>&lt;iframe src=x></code>", true],
    ["with a script in it", "<script>go()</script>", false],
    ["with a module in it", '<script type="module">go()</script>', false],
    ["with a script of the site", '<script src="../own.js"></script>', false],
    ["with a script of another host", '<script src="https://x.example/_offprint/app.js"></script>', false],
    ["with a handler", '<button onclick="go()">x</button>', false],
    ["with a style in a tag", '<p style="color: red">x</p>', false],
    ["with a style element", "<style>p{}</style>", false],
    ["with an embedded page", '<iframe src="a.html"></iframe>', false],
    ["with a picture of another host", '<img alt="" src="https://x.example/a.png">', false],
    ["with a picture without a scheme", "<img src=//x.example/a.png>", false],
    ["with one picture among others of another host", '<img srcset="a.png 1x, https://x.example/b.png 2x">', false],
    ["with a style sheet of another host", '<link rel="stylesheet" href="https://x.example/a.css">', false],
    ["with a form", '<form action="/x"></form>', false],
  ];
  for (const [rule, html, strict] of isStrict)
    test(`${rule} is ${strict ? "the strict one" : "the bundle's"}`, () =>
      expect(policyOf(html)).toBe(strict ? strictPolicy : undefined));

  test("with a video of another host that waits for a click allows frames, media and requests of that host", () => {
    const waiting = '<template data-embed=""><iframe title="a" src="https://v.example/e/1?a=1"></iframe></template>';
    const policy = policyOf(waiting)!;
    expect(policy).toContain("connect-src 'self' https://v.example;");
    expect(policy).toContain("frame-src 'self' https: http:");
    expect(policy).toContain("script-src 'self';");
    expect(policyOf(`${waiting}<iframe src="https://v.example/e/1"></iframe>`)).toBeUndefined();
  });

  test("with a form for requests allows them and media in their responses, and nothing else", () => {
    const policy = policyOf('<button data-playground="../_offprint/playground.0.js">Try</button>');
    expect(policy).toBe(
      strictPolicy
        .replace("connect-src 'self'", "connect-src 'self' https: http: wss: ws:")
        .replace("media-src 'self'", "media-src 'self' data:"),
    );
  });

  test("allows the services of the manifest, and none that a page names", () => {
    const page = '<div data-assistant="https://evil.example">Text</div>';
    expect(policyOf(page)).toBe(strictPolicy);
    expect(policyOf(page, "https://api.example.com")).toBe(
      strictPolicy.replace("connect-src 'self'", "connect-src 'self' https://api.example.com"),
    );
    expect(policyOf(page, "https://api.example.com", "https://views.example.com")).toContain(
      "connect-src 'self' https://api.example.com https://views.example.com;",
    );
    expect(policyOf(page, undefined, "https://views.example.com")).toContain("'self' https://views.example.com;");
  });

  test("is the bundle's if the site has scripts, or styles that load from other hosts", () => {
    expect(hasSiteScripts(["_offprint/app.0.js", "_offprint/site.0.css"])).toBe(false);
    expect(hasSiteScripts(["_offprint/site/own.0.js"])).toBe(true);
    expect(loadsFromHosts("a{background:url(../a.png)}@import 'b.css';")).toBe(false);
    expect(loadsFromHosts("@import 'https://x.example/a.css';")).toBe(true);
    expect(loadsFromHosts("a{background:url( //x.example/a.png)}")).toBe(true);
  });
});
