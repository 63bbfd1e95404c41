/** The results for a link of `guides/install.mdx`: a row is a sentence. */
import { expect, test } from "vitest";
import { createAddresses, hrefOf, type Origin } from "../../../src/site/links/index.js";
import type { Site } from "../../../src/site/site.js";
import { planOf, siteOf } from "../../page/render/render-markdown.js";
import { startCpuTimer, withinCpu } from "../../support/machine-time.js";

const planned = siteOf({
  pages: [
    "index.mdx",
    "quickstart.mdx",
    "guides/install.mdx",
    "guides/index.mdx",
    "guides/update.md",
    "guides/v1.0.mdx",
    "beside.mdx",
    "beside/index.mdx",
    "api/Über uns.mdx",
    "api/a&b (c)'d.mdx",
    "api/cafe\u0301.mdx",
    "deep/er/page.mdx",
    "moved.mdx",
  ],
  staticFiles: [
    "logo.svg",
    "images/a b.png",
    "images/100%.png",
    "openapi.json",
    "guides/local.pdf",
    "images/e\u0301.png",
  ],
  redirects: [
    { source: "/old", destination: "/guides/update" },
    { source: "/older/", destination: "/old" },
    { source: "bare", destination: "/quickstart#there" },
    { source: "/o%20ld", destination: "/api/%C3%9Cber%20uns" },
    { source: "/guides/moved", destination: "/guides/update" },
    { source: "/out", destination: "https://example.com/x" },
    { source: "/bad", destination: "javascript:alert(1)" },
    { source: "/loop-a", destination: "/loop-b" },
    { source: "/loop-b", destination: "/loop-a" },
    { source: "/v0/:slug*", destination: "/guides/:slug*" },
    { source: "/p/:page/x", destination: "/guides/:page" },
    { source: "/star/*", destination: "/deep/*" },
    { source: "/docs-*", destination: "/guides/*" },
    { source: "/quickstart", destination: "/guides/update" },
  ],
});
/** As discover plans it: a page and a folder of the same name do not share a URL. */
const besideIndex = { ...planOf("beside/index.mdx"), urlPath: "/beside/index", outputPath: "beside/index.html" };
const site: Site = {
  ...planned,
  pages: planned.pages.map((page) => (page.sourcePath === besideIndex.sourcePath ? besideIndex : page)),
};
const { sourcePath, outputPath } = planOf("guides/install.mdx");
const from: Origin = { sourcePath };

/** The target with its href from `guides/install.html`, or the suggestion if there is no target. */
function resolverOf(site: Site) {
  const addresses = createAddresses(site);
  return (written: string, origin: Origin) => {
    const target = addresses.resolve(written, origin);
    if (target.kind === "unsafe") return target;
    const href = hrefOf(target, outputPath);
    return target.kind === "missing"
      ? { ...target, href, nearest: addresses.nearest(target)?.path }
      : { ...target, href };
  };
}
const resolve = resolverOf(site);

const found: readonly (readonly [rule: string, written: string, href: string])[] = [
  ["root-relative", "/quickstart", "../quickstart.html"],
  ["root-relative in the same folder", "/guides/update", "update.html"],
  ["to the root", "/", "../index.html"],
  ["to a folder's index page", "/guides", "../guides.html"],
  ["with a trailing slash", "/guides/update/", "update.html"],
  ["with /index", "/guides/index", "../guides.html"],
  ["with the source's extension", "/guides/update.md", "update.html"],
  ["with .mdx", "/quickstart.mdx", "../quickstart.html"],
  ["with .html", "/quickstart.html", "../quickstart.html"],
  ["with /index.mdx", "/guides/index.mdx", "../guides.html"],
  ["to a page with a dot in its name", "/guides/v1.0", "v1.0.html"],
  ["relative with ./", "./update", "update.html"],
  ["relative with ../", "../quickstart", "../quickstart.html"],
  ["relative with extension", "./update.md", "update.html"],
  ["relative without dots", "update", "update.html"],
  ["root-relative without a slash", "deep/er/page", "../deep/er/page.html"],
  ["climbing no higher than the root", "../../../../quickstart", "../quickstart.html"],
  ["with doubled slashes inside", "/guides//update", "update.html"],
  ["keeping query and fragment", "/quickstart?tab=a&b=c#part", "../quickstart.html?tab=a&b=c#part"],
  ["to a place in another page", "/guides/update#a", "update.html#a"],
  ["to a place in this page", "#there", "#there"],
  ["to a place in this page by its path", "/guides/install#there", "#there"],
  ["to this page", "/guides/install", "install.html"],
  ["to this page with a query", "?tags=a", "install.html?tags=a"],
  ["to nothing", "", "#"],
  ["with a fragment in other letters", "#what’s-new", "#what%E2%80%99s-new"],
  ["with an encoded fragment", "#what%E2%80%99s-new", "#what%E2%80%99s-new"],
  ["with a fragment that cannot be decoded", "#100%", "#100%25"],
  ["with a text fragment", "/quickstart#:~:text=a%2Cb,c", "../quickstart.html#:~:text=a%2Cb,c"],
  ["to letters of other scripts", "/api/Über uns", "../api/%C3%9Cber%20uns.html"],
  ["to an encoded path", "/api/%C3%9Cber%20uns", "../api/%C3%9Cber%20uns.html"],
  ["with signs that HTML and URLs know", "/api/a&b (c)'d", "../api/a%26b%20(c)'d.html"],
  ["in the other Unicode form", "/api/café", "../api/cafe%CC%81.html"],
  ["to a file", "/logo.svg", "../logo.svg"],
  ["to a file beside the page", "./local.pdf", "local.pdf"],
  ["to a file with a blank", "/images/a%20b.png", "../images/a%20b.png"],
  ["to a file with a blank as typed", "../images/a b.png", "../images/a%20b.png"],
  ["to a file with a percent sign", "/images/100%.png", "../images/100%25.png"],
  ["to a file in the other Unicode form", "/images/é.png", "../images/e%CC%81.png"],
  ["to a file as Windows writes it", "..\\images\\a b.png", "../images/a%20b.png"],
  ["to a file of the bundle", "/llms.txt", "../llms.txt"],
  ["to a page's feed", "/guides/update/rss.xml", "update/rss.xml"],
  ["to the feed of the start page", "/rss.xml", "../rss.xml"],
  ["through a redirect", "/old", "update.html"],
  ["through a redirect, with its own fragment", "/old#b", "update.html#b"],
  ["through a redirect of a redirect", "/older", "update.html"],
  ["through a redirect written without slash", "/bare", "../quickstart.html#there"],
  [
    "through a redirect, the destination's fragment before its own, as in browsers",
    "/bare#here",
    "../quickstart.html#there",
  ],
  [
    "through a redirect, with its own query and the destination's fragment",
    "/bare?a=b",
    "../quickstart.html?a=b#there",
  ],
  ["through a redirect, with its source's extension", "/old.mdx", "update.html"],
  ["through a redirect, with /index", "/old/index", "update.html"],
  ["through a redirect with codes in its source and destination", "/o ld", "../api/%C3%9Cber%20uns.html"],
  ["to a page beside which a folder has an index page", "/beside", "../beside.html"],
  ["to the index page of a folder beside a page of its name", "/beside/index", "../beside/index.html"],
  ["to the same by its source path", "/beside/index.mdx", "../beside/index.html"],
  ["through a redirect out of the site", "/out", "https://example.com/x"],
  ["through a redirect with :slug*", "/v0/update", "update.html"],
  ["through a redirect with :slug* and nothing behind", "/v0", "../guides.html"],
  ["through a redirect with :page", "/p/update/x", "update.html"],
  ["through a redirect with *", "/star/er/page", "../deep/er/page.html"],
  ["through a redirect with a partial *", "/docs-update", "update.html"],
  ["to a page that is a redirect's source too", "/quickstart", "../quickstart.html"],
  ["with blanks around", "  /quickstart\n", "../quickstart.html"],
  ["to a page from the root before a redirect from the folder", "moved", "../moved.html"],
];
for (const [rule, written, href] of found)
  test(`a link ${rule}`, () =>
    expect(resolve(written, from)).toMatchObject({ href, kind: expect.not.stringMatching(/missing|unsafe/) }));

const outside: readonly (readonly [rule: string, written: string, href: string, host: boolean])[] = [
  ["https", "https://example.com/a?b#c", "https://example.com/a?b#c", true],
  ["HTTP in capitals", "HTTP://example.com", "HTTP://example.com", true],
  ["without scheme", "//example.com/a", "https://example.com/a", true],
  ["with backslashes for slashes", "\\\\example.com", "https://example.com", true],
  ["that begins with a slash and a backslash", "/\\example.com", "https://example.com", true],
  ["mailto", "mailto:a@example.com", "mailto:a@example.com", false],
  ["tel", "tel:+49123", "tel:+49123", false],
  ["of an editor", "vscode:extension/x", "vscode:extension/x", false],
  ["with signs that need encoding", 'https://example.com/a b"<c>', "https://example.com/a%20b%22%3Cc%3E", true],
];
for (const [rule, written, href, host] of outside)
  test(`an address ${rule} is kept`, () =>
    expect(resolve(written, from)).toEqual({ kind: "external", url: href, href, host }));

const unsafe = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "java\nscript:alert(1)",
  "java\0script:alert(1)",
  "\u0001javascript:alert(1)",
  "\u200bjavascript:alert(1)",
  "java\u00adscript:alert(1)",
  "vbscript:x",
  "data:text/html,<script>alert(1)</script>",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "file:///etc/passwd",
  "blob:https://example.com/1",
  "filesystem:https://example.com/1",
  "view-source:https://example.com",
];
for (const written of unsafe)
  test(`${JSON.stringify(written)} is not a link`, () => expect(resolve(written, from)).toEqual({ kind: "unsafe" }));

const missing: readonly (readonly [rule: string, written: string, href: string, nearest: string | undefined])[] = [
  ["misspelt", "/guides/upadte", "upadte.html", "/guides/update"],
  ["to a page that was moved", "/guides/page", "page.html", "/deep/er/page"],
  ["to nothing like it", "/zzz/yyy", "../zzz/yyy.html", undefined],
  ["to a missing file", "/images/b.gif", "../images/b.gif", undefined],
  ["that asks for a source file", "/nope/x.mdx", "../nope/x.html", undefined],
  ["to a folder without a page in the navigation", "/deep/er", "../deep/er.html", "/deep/er/page"],
  ["into a loop of redirects", "/loop-a", "../loop-a.html", undefined],
  ["to a redirect that is left out because it runs code", "/bad", "../bad.html", undefined],
];
for (const [rule, written, href, nearest] of missing)
  test(`a link ${rule} leads nowhere`, () =>
    expect(resolve(written, from)).toMatchObject({ kind: "missing", href, nearest }));

test("the page of another platform is no suggestion", () => {
  const pages = ["sdk/ios/start.mdx", "sdk/android/start.mdx", "sdk/android/errors.mdx"];
  const { resolve, nearest } = createAddresses(siteOf({ pages }));
  const suggested = (written: string) => {
    const target = resolve(written, from);
    return target.kind === "missing" ? nearest(target)?.path : target.kind;
  };
  expect(suggested("/sdk/ios/errors")).toBeUndefined();
  expect(suggested("/sdk/androit/errors")).toBe("/sdk/android/errors");
});

test("a page with another number is no suggestion", () => {
  const { resolve, nearest } = createAddresses(siteOf({ pages: ["steps/step-4.mdx"] }));
  const suggested = (written: string) => {
    const target = resolve(written, from);
    return target.kind === "missing" ? nearest(target)?.path : target.kind;
  };
  expect(suggested("/steps/step-54")).toBeUndefined();
  expect(suggested("/steps/setp-4")).toBe("/steps/step-4");
});

test("an overview of an unlike folder, and a page of another language, is no suggestion", () => {
  const pages = ["sdk/web/overview.mdx", "docs/zh/terminal/refunds.mdx", "api/id/tokens.mdx"];
  const { resolve, nearest } = createAddresses(siteOf({ pages }));
  const suggested = (written: string) => {
    const target = resolve(written, from);
    return target.kind === "missing" ? nearest(target)?.path : target.kind;
  };
  expect(suggested("/sdk/web/payments-sdk/overview")).toBeUndefined();
  expect(suggested("/kits/weeb/overview")).toBe("/sdk/web/overview");
  expect(suggested("/docs/terminal/refunds")).toBeUndefined();
  expect(suggested("/docs/zh/refunds")).toBe("/docs/zh/terminal/refunds");
});

test("the suggestion for a page that was moved is in the language and version of the link", () => {
  const pages = ["fr/keys.mdx", "ja/keys.mdx", "keys.mdx", "v2/keys.mdx"];
  const { resolve, nearest } = createAddresses(siteOf({ pages }));
  const suggested = (written: string) => {
    const target = resolve(written, from);
    return target.kind === "missing" ? nearest(target)?.path : target.kind;
  };
  expect(suggested("/libraries/android/keys")).toBe("/keys");
  expect(suggested("/ja/libraries/android/keys")).toBe("/ja/keys");
  expect(suggested("/v2/libraries/android/keys")).toBe("/v2/keys");
});

test("a link that differs only in case is followed and reported", () =>
  expect(resolve("/Guides/Update.md#a", from)).toMatchObject({ href: "update.html#a", rightCase: "/guides/update" }));

test("a link in a snippet is resolved from the page first, then from the snippet", () => {
  const resolveThere = resolverOf(
    siteOf({ pages: ["guides/install.mdx", "guides/update.mdx", "parts/update.mdx", "parts/own.mdx"] }),
  );
  const origin = { ...from, writtenIn: "parts/snippet.mdx" };
  expect(resolveThere("./update", origin)).toMatchObject({ href: "update.html" });
  expect(resolveThere("./own", origin)).toMatchObject({ href: "../parts/own.html" });
  expect(resolveThere("parts/own", origin)).toMatchObject({ href: "../parts/own.html" });
});

const navigated = (of: Site): Site => ({ ...of, pages: of.pages.map((page) => ({ ...page, visible: true })) });

test("a link to a folder without a page leads to the first page of the navigation in it", () => {
  const resolveThere = resolverOf(navigated(site));
  const expected = { kind: "page", href: "../deep/er/page.html", folder: "/deep/er" };
  for (const written of ["/deep/er", "/deep/er/", "../deep/er"])
    expect(resolveThere(written, from)).toMatchObject(expected);
  expect(resolveThere("/deep#a", from)).toMatchObject({ href: "../deep/er/page.html#a", folder: "/deep" });
  expect(resolveThere("/guides", from)).not.toHaveProperty("folder");
  expect(resolveThere("/images", from)).toMatchObject({ kind: "missing" });
});

test("a page that differs only in case wins over a folder", () => {
  const pages = ["sdks/Player.mdx", "sdks/player/Root.mdx"];
  const target = resolverOf(navigated(siteOf({ pages })))("/sdks/player", from);
  expect(target).toMatchObject({ href: "../sdks/Player.html", rightCase: "/sdks/Player" });
});

test("a redirect to a folder leads to its first page", () => {
  const redirects = [{ source: "/old", destination: "/deep/er" }];
  const addresses = createAddresses(navigated(siteOf({ pages: ["deep/er/page.mdx"], redirects })));
  const target = addresses.resolve("/old", from);
  expect(target).toMatchObject({ kind: "page", outputPath: "deep/er/page.html" });
  expect(target).not.toHaveProperty("folder");
  expect(addresses.redirects().check().diagnostics).toEqual([]);
});

test("a link of an index page is resolved in its folder", () =>
  expect(resolve("./update", { sourcePath: "guides/index.mdx" })).toMatchObject({ href: "update.html" }));

test("a link of the settings is resolved from the root", () => {
  const origin = { sourcePath: "docs.json" };
  expect(resolve("guides/update", origin)).toMatchObject({ href: "update.html" });
  expect(resolve("./guides/update", origin)).toMatchObject({ href: "update.html" });
});

test("a page that the navigation lists first is / if there is no index page", () => {
  const other = siteOf({ pages: ["start.mdx"] });
  const resolveThere = resolverOf({ ...other, homePage: 0 });
  expect(resolveThere("/", from)).toMatchObject({ kind: "page", href: "../start.html" });
  expect(resolveThere("/index", from)).toMatchObject({ kind: "page", href: "../start.html" });
});

test("a redirect from / takes precedence over the page listed first", () => {
  const other = siteOf({ pages: ["start.mdx"], redirects: [{ source: "/", destination: "/guides/install" }] });
  expect(resolverOf({ ...other, homePage: 0 })("/", from)).toMatchObject({ href: "install.html" });
});

test("a redirect with many stars is matched quickly", async () => {
  const source = `/${"*a".repeat(20)}`;
  const redirects = [source, "/*a*b"].map((each) => ({ source: each, destination: "/x" }));
  await withinCpu(200, () => {
    const slow = resolverOf(siteOf({ redirects }));
    for (const length of [1500, 5000]) slow(`/${"a".repeat(length)}`, from);
  });
});

test("a style sheet and a script of the site have their own paths as addresses", () => {
  const styled = { ...site, styles: ["custom.css"], scripts: ["custom.js"] };
  for (const path of ["custom.css", "custom.js"])
    expect(createAddresses(styled).resolve(`/${path}`, from)).toMatchObject({
      kind: "file",
      outputPath: path,
      isShared: true,
    });
});

test("a page is found by exactly its address", () => {
  const { pageAt } = createAddresses(site);
  expect(pageAt("/guides")?.sourcePath).toBe("guides/index.mdx");
  expect(pageAt("/")?.sourcePath).toBe("index.mdx");
  expect(pageAt("/guides/")).toBeUndefined();
});

test("look-ups cost the same in a site of 100 and of 20,000 pages", () => {
  const timeOf = (count: number) => {
    const pages = Array.from({ length: count }, (_, i) => `folder-${i % 50}/page-${i}.mdx`);
    const { resolve, nearest } = createAddresses(siteOf({ pages }));
    const ask = () => {
      for (let i = 0; i < 4000; i++) {
        const target = resolve(`/folder-${i % 50}/page-${i % 100}${i % 100 < 98 ? "" : "x"}`, from);
        if (target.kind === "missing") nearest(target);
      }
    };
    ask();
    const spent = startCpuTimer();
    ask();
    return spent();
  };
  const few = timeOf(100);
  expect(timeOf(20_000)).toBeLessThan(20 * few + 100);
});

const prefixes = [
  // an address …                         written                              leads to                      or
  ["below a base path", "/docs/sdk/kotlin/client", "/sdk/kotlin/client"],
  ["below a base path, with an ending", "/docs/sdk/kotlin/client.md", "/sdk/kotlin/client"],
  ["without the first folders", "/features/export", "/platform/features/export"],
  ["below a folder of the site", "/sdk/platform/features/export", "/platform/features/export"],
  ["that two pages may mean", "/features/import", undefined],
  ["of another language", "/fr/sdk/kotlin/client", undefined],
  ["of another version", "/v2/sdk/kotlin/client", undefined],
  ["with one name in common", "/pricing/overview", undefined],
  ["below a base path, with one name", "/docs/overview", "/overview"],
  ["below a folder that was moved", "/sql-reference/data-types/int", "/reference/data-types/int"],
  ["below a folder of the site that lacks it", "/sdk/kotlin/int", undefined],
  ["that ends like a page and a folder", "/concepts", undefined],
  ["without the folder of a version", "/reference/orders/list", "/reference/2026-04/orders/list"],
] as const;
const wide = navigated(
  siteOf({
    pages: [
      "sdk/kotlin/client.mdx",
      "platform/features/export.mdx",
      "platform/features/import.mdx",
      "api/features/import.mdx",
      "overview.mdx",
      "sdk/overview.mdx",
      "platform/tenants/concepts.mdx",
      "platform/concepts/orders.mdx",
      "reference/data-types/int.mdx",
      "reference/2026-04/orders/list.mdx",
      "reference/2026-10/orders/list.mdx",
    ],
    redirects: prefixes.map(([, written], n) => ({ source: `/r${n}`, destination: written })),
  }),
);
for (const [n, [what, written, path]] of prefixes.entries())
  test(`an address ${what} leads to the only page that it can mean`, () => {
    const addresses = createAddresses(wide);
    const target = addresses.resolve(written, from);
    expect(target.kind === "page" ? target.page.urlPath : undefined).toBe(path);
    expect(target.kind === "page" ? target.otherPrefix?.path : undefined).toBe(path);
    const redirected = addresses.resolve(`/r${n}`, from);
    expect(redirected.kind === "page" ? redirected.page.urlPath : undefined).toBe(path);
  });

test("a link with a base path or without a version leads on where a redirect from there leads", () => {
  const redirects = [
    { source: "/handbook/start", destination: "/overview", permanent: true },
    { source: "/reference/2026-10/order_changed", destination: "/reference/2026-10/orders/list", permanent: true },
    { source: "/handbook/:rest*", destination: "/sdk/:rest*", permanent: true },
    { source: "/handbook/gone", destination: "/nowhere", permanent: true },
  ];
  const { resolve } = createAddresses({ ...wide, config: { ...wide.config, redirects } });
  const endOf = (written: string) => {
    const target = resolve(written, from);
    return target.kind === "page" ? target.otherPrefix : target.kind;
  };
  expect(endOf("/docs/handbook/start")).toEqual({
    path: "/overview",
    cause: '"/docs" at its start is extra, and a redirect leads on',
  });
  expect(endOf("/reference/order_changed")).toEqual({
    path: "/reference/2026-10/orders/list",
    cause: 'the folder "2026-10" of its version is missing, and a redirect leads on',
  });
  expect(endOf("/docs/handbook/gone")).toBe("missing");
  expect(endOf("/sdk/kotlin/handbook/start")).toBe("missing");
  expect(endOf("/docs/handbook/other")).toBe("missing");
});

test("a link without the folder of a version leads to the page in the same version", () => {
  const target = createAddresses(wide).resolve("/reference/orders/list", { sourcePath: "reference/2026-10/start.mdx" });
  expect(target.kind === "page" ? target.page.urlPath : undefined).toBe("/reference/2026-10/orders/list");
});

test("a picture with the published address of the site is the file of the site, a link stays", () => {
  const metatags = { canonical: "https://acme.example/docs/" };
  const addresses = createAddresses({ ...site, config: { ...site.config, seo: { ...site.config.seo, metatags } } });
  const written = "https://acme.example/docs/images/a%20b.png?v=2";
  expect(addresses.resolveFile(written, from, "image")).toMatchObject({ kind: "file", outputPath: "images/a b.png" });
  expect(addresses.resolveFile("https://acme.example/docs/none.png", from, "image").kind).toBe("external");
  expect(addresses.resolveFile("https://acme.example/images/a%20b.png", from, "image").kind).toBe("external");
  expect(addresses.resolve(written, from).kind).toBe("external");
});
