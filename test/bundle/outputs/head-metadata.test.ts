import { JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import { createHeadMetadata, type HeadPage } from "../../../src/bundle/outputs/head-metadata.js";
import type { SiteConfig } from "../../../src/site/config/site-config.js";
import type { NavSection, Site } from "../../../src/site/site.js";
import { makeSite, type PageSketch } from "./support/site.js";

const baseUrl = "https://docs.acme.com/guide";
const seo = (part: Partial<SiteConfig["seo"]>): Partial<SiteConfig> => ({
  seo: { indexing: "navigable", metatags: {}, paths: [], trailingSlash: false, ...part },
});

interface Head {
  readonly meta: Readonly<Record<string, string>>;
  readonly links: readonly Readonly<Record<string, string>>[];
  readonly graph: readonly Record<string, unknown>[];
  readonly names: readonly string[];
}

/** The metadata that a browser reads from the head. */
function parseHead(html: string): Head {
  const { document } = new JSDOM(`<!doctype html><html><head>${html}</head><body></body></html>`).window;
  const meta: Record<string, string> = {};
  for (const tag of document.querySelectorAll("meta"))
    meta[tag.getAttribute("property") ?? tag.getAttribute("name") ?? ""] = tag.content;
  const links = [...document.querySelectorAll("link")].map((tag) =>
    Object.fromEntries([...tag.attributes].map(({ name, value }) => [name, value])),
  );
  const script = document.querySelector("script");
  const graph = script === null ? [] : JSON.parse(script.textContent)["@graph"];
  return { meta, links, graph, names: [...document.head.children].map((tag) => tag.tagName.toLowerCase()) };
}

function headOf(
  page: Partial<PageSketch>,
  config: Partial<SiteConfig> = {},
  base: string | undefined = baseUrl,
  more?: HeadPage,
): Head {
  const site = makeSite([{ sourcePath: "guides/install.mdx", title: "Install", ...page }], config);
  return parseHead(createHeadMetadata(site, { baseUrl: base })(site.pages[0]!, more));
}
const link = (head: Head, rel: string) => head.links.find((each) => each["rel"] === rel)?.["href"];

describe("generated values", () => {
  const head = headOf({ description: "How **to** [install](/x) `it`." }, { description: "All of Acme." });
  const cases = [
    ["description", "How to install it."],
    ["og:title", "Install"],
    ["og:description", "How to install it."],
    ["og:type", "website"],
    ["og:site_name", "Acme"],
    ["og:url", "https://docs.acme.com/guide/guides/install"],
    ["twitter:card", "summary"],
    ["twitter:title", "Install"],
    ["generator", "Offprint"],
    ["robots", undefined],
    ["og:image", undefined],
  ] as const;
  for (const [name, content] of cases)
    test(`${name} is ${content ?? "left out"}`, () => expect(head.meta[name]).toBe(content));
  test("the canonical URL is absolute and without extension", () =>
    expect(link(head, "canonical")).toBe("https://docs.acme.com/guide/guides/install"));
  test("the Markdown version is linked relatively", () =>
    expect(head.links).toContainEqual({
      rel: "alternate",
      type: "text/markdown",
      title: "Markdown",
      href: "install.md",
    }));
  test("llms.txt and sitemap are linked relatively", () => {
    expect(head.links.map(({ href }) => href)).toEqual(expect.arrayContaining(["../llms.txt", "../sitemap.xml"]));
  });
  test("a page without a description has the site's", () =>
    expect(headOf({}, { description: "All of Acme." }).meta["description"]).toBe("All of Acme."));
  test("a feed is linked if there is one", () =>
    expect(headOf({}, {}, baseUrl, { hasFeed: true }).links).toContainEqual({
      rel: "alternate",
      type: "application/rss+xml",
      title: "Install",
      href: "install/rss.xml",
    }));
});

describe("URLs", () => {
  const cases = [
    // the canonical address …               page                                     config                                     expected
    [
      "of the home page has a slash",
      { sourcePath: "index.mdx" },
      {},
      "https://docs.acme.com",
      "https://docs.acme.com/",
    ],
    ["of a home page below a path has none", { sourcePath: "index.mdx" }, {}, baseUrl, baseUrl],
    ["has a slash if the site wants it", {}, seo({ trailingSlash: true }), baseUrl, `${baseUrl}/guides/install/`],
    ["is percent-encoded", { sourcePath: "a b/é?.mdx" }, {}, baseUrl, `${baseUrl}/a%20b/%C3%A9%3F`],
    [
      "is the one that the page gives",
      { frontmatter: { canonical: "https://x.org/y" } },
      {},
      baseUrl,
      "https://x.org/y",
    ],
    [
      "is never a script",
      { frontmatter: { canonical: "javascript:alert(1)" } },
      {},
      baseUrl,
      `${baseUrl}/guides/install`,
    ],
    [
      "can be the URL of a folder",
      {},
      seo({ paths: [{ path: "guides", metatags: { canonical: "https://g.org/" } }] }),
      baseUrl,
      "https://g.org/guides/install",
    ],
    ["is not made up", {}, {}, "", undefined],
  ] as const;
  for (const [rule, page, config, base, expected] of cases)
    test(`the canonical URL ${rule}`, () => {
      const site = makeSite([{ sourcePath: "guides/install.mdx", ...page }], config);
      const head = parseHead(createHeadMetadata(site, { baseUrl: base === "" ? undefined : base })(site.pages[0]!));
      expect(link(head, "canonical")).toBe(expected);
      expect(head.meta["og:url"]).toBe(expected);
    });
  test("there are no absolute URLs without a base URL", () => {
    const site = makeSite([{ sourcePath: "a.mdx", frontmatter: { "og:image": "/i.png" } }]);
    expect(createHeadMetadata(site, {})(site.pages[0]!)).not.toMatch(/https?:|og:image|ld\+json|sitemap/);
  });
});

describe("precedence", () => {
  const config = seo({
    metatags: { "og:title": "all", "og:image": "/all.png", "twitter:site": "@acme", Robots: "all", charset: "x" },
    paths: [
      { path: "guides/deep", metatags: { "og:title": "deep" } },
      { path: "guides", metatags: { "og:title": "guides", "og:type": "article" } },
      { path: "guide", metatags: { "og:title": "guide" } },
    ],
  });
  const cases = [
    ["metatags of the site", "api/x.mdx", {}, "og:title", "all"],
    ["of a folder before those of the site", "guides/x.mdx", {}, "og:title", "guides"],
    ["of a deeper folder before those", "guides/deep/x.mdx", {}, "og:title", "deep"],
    ["of the outer folder where the inner is silent", "guides/deep/x.mdx", {}, "og:type", "article"],
    ["of the page before all", "guides/deep/x.mdx", { "og:title": "own" }, "og:title", "own"],
    ["og:title for twitter", "guides/x.mdx", {}, "twitter:title", "guides"],
    ["a picture made absolute", "x.mdx", {}, "og:image", `${baseUrl}/all.png`],
    ["a page's picture", "x.mdx", { "og:image": "https://i.org/a b.png" }, "twitter:image", "https://i.org/a b.png"],
    ["a large card with a picture", "x.mdx", {}, "twitter:card", "summary_large_image"],
    ["keywords as one text", "x.mdx", { keywords: ["a", "b"] }, "keywords", "a, b"],
    ["names in any case", "x.mdx", {}, "robots", "all"],
    ["noindex before the site's robots", "x.mdx", { noindex: true }, "robots", "noindex"],
  ] as const;
  for (const [rule, sourcePath, frontmatter, name, content] of cases)
    test(`takes ${rule}`, () =>
      expect(headOf({ sourcePath, frontmatter, noindex: "noindex" in frontmatter }, config).meta[name]).toBe(content));
});

describe("structured data", () => {
  const page = { breadcrumbs: [{ label: "Guides", urlPath: "/guides" }, { label: "No page" }], language: "en" };
  const things = (head: Head) => Object.fromEntries(head.graph.map((thing) => [thing["@type"], thing]));

  test("has publisher, site, page, breadcrumbs and article, linked by their ids", () => {
    const head = headOf(
      page,
      seo({ organization: { name: "Acme Inc", logo: "/logo.svg", sameAs: ["https://x.com/acme"] } }),
    );
    const url = `${baseUrl}/guides/install`;
    const graph = things(head);
    expect(Object.keys(graph)).toEqual(["Organization", "WebSite", "WebPage", "BreadcrumbList", "TechArticle"]);
    expect(graph["Organization"]).toMatchObject({ name: "Acme Inc", logo: `${baseUrl}/logo.svg`, url: baseUrl });
    expect(graph["WebPage"]).toMatchObject({ url, isPartOf: { "@id": graph["WebSite"]!["@id"] }, inLanguage: "en" });
    expect(graph["BreadcrumbList"]!["itemListElement"]).toEqual([
      { "@type": "ListItem", position: 1, name: "Guides", item: `${baseUrl}/guides` },
      { "@type": "ListItem", position: 2, name: "Install", item: url },
    ]);
    expect(graph["TechArticle"]).toMatchObject({ headline: "Install", mainEntityOfPage: { "@id": `${url}#webpage` } });
  });
  test("is an APIReference for an endpoint", () =>
    expect(things(headOf({ frontmatter: { openapi: "GET /x" } }))["APIReference"]).toBeDefined());
  test("is left out on pages that forbid indexing", () => {
    expect(headOf({ noindex: true }).graph).toEqual([]);
    expect(headOf({ frontmatter: { robots: "NOINDEX, follow" } }).graph).toEqual([]);
  });
});

describe("languages", () => {
  const section = (id: number, label: string, isDefault: boolean): NavSection => ({
    ...({ id, kind: "language", label, children: [], hidden: false, default: isDefault, globalLinks: [] } as const),
  });
  const site: Site = makeSite(
    [
      { sourcePath: "a.mdx", language: "en" },
      { sourcePath: "es/a.mdx", language: "es" },
      { sourcePath: "es/b.mdx", language: "es" },
      { sourcePath: "fr/a.mdx", language: "fr", noindex: true },
    ],
    {},
    { sections: [section(0, "en", true), section(1, "es", false), section(2, "fr", false)] },
  );
  const hreflangs = (page: number) =>
    parseHead(createHeadMetadata(site, { baseUrl })(site.pages[page]!))
      .links.filter(({ hreflang }) => hreflang !== undefined)
      .map(({ hreflang, href }) => `${hreflang} ${href}`);

  test("translations list each other, and the main language is the default", () => {
    const set = [`en ${baseUrl}/a`, `es ${baseUrl}/es/a`, `x-default ${baseUrl}/a`];
    expect(hreflangs(0)).toEqual(set);
    expect(hreflangs(1)).toEqual(set);
  });
  test("a page without a translation, or that is not indexed, lists none", () => {
    expect(hreflangs(2)).toEqual([]);
    expect(hreflangs(3)).toEqual([]);
  });
});

test("a page without versions is a translation of the default version of the other languages", () => {
  const section = (id: number, kind: NavSection["kind"], label: string, isDefault: boolean, children: number[] = []) =>
    ({ id, kind, label, children, hidden: false, default: isDefault, globalLinks: [] }) as const;
  const site: Site = makeSite(
    [
      { sourcePath: "guides/a.mdx", language: "en" },
      { sourcePath: "fr/v2/guides/a.mdx", language: "fr", version: "v2" },
      { sourcePath: "fr/v1/guides/a.mdx", language: "fr", version: "v1" },
    ],
    {},
    {
      sections: [
        section(0, "language", "en", true),
        section(1, "language", "fr", false, [2, 3]),
        section(2, "version", "v2", true),
        section(3, "version", "v1", false),
      ],
    },
  );
  const languages = (page: number) =>
    parseHead(createHeadMetadata(site, { baseUrl })(site.pages[page]!))
      .links.filter(({ hreflang }) => hreflang !== undefined)
      .map(({ hreflang, href }) => `${hreflang} ${href}`);
  const set = [`en ${baseUrl}/guides/a`, `fr ${baseUrl}/fr/v2/guides/a`, `x-default ${baseUrl}/guides/a`];
  expect(languages(0)).toEqual(set);
  expect(languages(1)).toEqual(set);
  expect(languages(2)).toEqual([]);
});

describe("hostile text", () => {
  const nasty = `</script><script>alert(1)</script>"><img src=x onerror=alert(1)>'\n\0<!--\u2028`;
  const everywhere = headOf(
    {
      title: nasty,
      description: nasty,
      breadcrumbs: [{ label: nasty, urlPath: `/${nasty}` }],
      frontmatter: {
        "og:title": nasty,
        "twitter:image": nasty,
        keywords: [nasty],
        canonical: nasty,
        robots: nasty,
        'og:x"><i>': nasty,
      },
    },
    { name: nasty, ...seo({ metatags: { [nasty]: nasty, "x-y": nasty }, organization: { name: nasty, id: nasty } }) },
  );
  test("adds no element", () => {
    expect(new Set(everywhere.names)).toEqual(new Set(["meta", "link", "script"]));
    expect(everywhere.names.filter((name) => name === "script")).toHaveLength(1);
  });
  test("is written as text on one line", () => {
    expect(everywhere.meta["x-y"]).toContain("<script>alert(1)</script>");
    expect(everywhere.meta["x-y"]).not.toMatch(/[\n\0]/);
  });
});
