import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { describe, expect, test } from "vitest";
import { isPublicAddress, resolveBaseUrl } from "../../../src/bundle/outputs/address.js";
import { llmsText, maxLlmsCharacters } from "../../../src/bundle/outputs/llms.js";
import { cutAtLinks } from "../../../src/bundle/outputs/llms-full.js";
import { createPageOutputs } from "../../../src/bundle/outputs/page-outputs.js";
import { hostHeaders, notFoundPage, sitemapFiles, siteOutputs } from "../../../src/bundle/outputs/site-outputs.js";
import { specDownloads } from "../../../src/bundle/outputs/spec-downloads.js";
import { configDefaults } from "../../../src/site/config/index.js";
import type { SiteConfig } from "../../../src/site/config/site-config.js";
import { createAddresses } from "../../../src/site/links/index.js";
import type { Site } from "../../../src/site/site.js";
import { exportInProcess } from "../../support/pool-in-process.js";
import { makeConfig, makePage, makeSite, type PageSketch } from "./support/site.js";
import { contentOf } from "./support/tree.js";

const baseUrl = "https://docs.acme.com/guide";
const hostile = `]]></x>&"<script>\0\u0008\ud800`;

/** Every file of the site side, whole. */
async function filesOf(
  site: Site,
  base?: string,
  versions: Record<string, string> = {},
): Promise<Record<string, string>> {
  const read: Record<string, string> = {};
  const addresses = createAddresses(site);
  const readMarkdown = (markdown: string) => versions[markdown];
  for (const { path, text } of siteOutputs(site, {
    addresses,
    baseUrl: base,
    headScript: "_offprint/head.js",
    readMarkdown,
  }).files) {
    expect(read[path]).toBeUndefined();
    read[path] = "";
    if (typeof text === "string") read[path] = text;
    else for await (const part of text()) read[path] += part;
  }
  return read;
}

/** Text of every element of that name in XML; throws if it is not well-formed. */
function textsOf(xml: string, name: string): string[] {
  const found: string[] = [];
  const parser = new SaxesParser();
  let text: string | undefined;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    if (tag.name === name) text = "";
  });
  parser.on("text", (part) => {
    if (text !== undefined) text += part;
  });
  parser.on("closetag", (tag) => {
    if (tag.name !== name) return;
    found.push(text ?? "");
    text = undefined;
  });
  parser.write(xml).close();
  return found;
}

describe("sitemap.xml", () => {
  const pages: PageSketch[] = [
    { sourcePath: "index.mdx" },
    { sourcePath: "a & b/<c>.mdx", frontmatter: { lastUpdatedDate: "2026-03-01" } },
    { sourcePath: "other.mdx", language: "es", inDefaultScope: false },
    { sourcePath: "secret.mdx", indexed: false },
    { sourcePath: "noindex.mdx", noindex: true },
    { sourcePath: "robots.mdx", frontmatter: { robots: "noindex" } },
    { sourcePath: "outside.mdx", frontmatter: { url: "https://x.org" } },
    { sourcePath: "copy.mdx", frontmatter: { canonical: "https://x.org/original" } },
  ];
  test("lists the public pages by their canonical URLs", async () => {
    const { "sitemap.xml": xml } = await filesOf(makeSite(pages), baseUrl);
    expect(textsOf(xml!, "loc")).toEqual([baseUrl, `${baseUrl}/a%20%26%20b/%3Cc%3E`, `${baseUrl}/other`]);
    expect(textsOf(xml!, "lastmod")).toEqual(["2026-03-01"]);
  });
  test("is an index of several files above the limit", async () => {
    const files = sitemapFiles(makeSite(pages), baseUrl, 2);
    expect(files.map(({ path }) => path)).toEqual(["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"]);
    const texts = files.map(({ text }) => text);
    expect(textsOf(texts[0]!, "loc")).toEqual([`${baseUrl}/sitemap-1.xml`, `${baseUrl}/sitemap-2.xml`]);
    expect([textsOf(texts[1]!, "loc").length, textsOf(texts[2]!, "loc").length]).toEqual([2, 1]);
  });
  test("is left out without a base URL, and if the site forbids indexing", async () => {
    expect(await filesOf(makeSite(pages))).not.toHaveProperty("sitemap.xml");
    const { seo } = makeConfig();
    const away = makeSite(pages, { seo: { ...seo, metatags: { robots: "noindex" } } });
    expect(await filesOf(away, baseUrl)).not.toHaveProperty("sitemap.xml");
  });
});

describe("robots.txt", () => {
  const { seo } = makeConfig();
  const robots = async (metatags: Record<string, string>, base?: string) =>
    (await filesOf(makeSite([], { seo: { ...seo, metatags } }), base))["robots.txt"];
  test("allows all and names the sitemap", async () =>
    expect(await robots({}, baseUrl)).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`));
  test("has a content signal only if the site sets one", async () =>
    expect(await robots({ "content-signal": "search=yes, ai-train=no" })).toBe(
      "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n",
    ));
  test("ignores a content signal with other text", async () =>
    expect(await robots({ "content-signal": "search=yes\nDisallow: /" })).toBe("User-agent: *\nAllow: /\n"));
});

describe("downloads of specifications", () => {
  const specs = [{ key: "api/a.json + o.json", source: "api/a.json", format: "openapi" as const }];
  const api = { kind: "operation", spec: specs[0]!.key, method: "get", path: "/x" } as const;
  const downloads = (offered: boolean, staticFiles: readonly string[] = []) =>
    specDownloads(
      makeSite(
        [{ sourcePath: "a.mdx", api }],
        { api: { ...configDefaults.api, downloads: offered } },
        { specs, staticFiles },
      ),
    );
  test("are a document and a collection in a folder that the site does not have", () => {
    expect(downloads(true).get(api.spec)).toEqual({
      spec: "downloads/a.json",
      collection: "downloads/a.postman_collection.json",
    });
    expect(downloads(true, ["downloads/a.json"]).get(api.spec)!.spec).not.toMatch(/^downloads\//);
  });
  test("are not written if the site turns them off", () => expect(downloads(false).size).toBe(0));
});

describe("llms.txt", () => {
  const spec = (source: string) => ({ source });
  const site = makeSite(
    [
      {
        sourcePath: "index.mdx",
        title: "Start [here]",
        description: "First.\n\nSecond.",
        api: { kind: "schema", spec: "api/more.json + o.json", name: "Tree" },
      },
      { sourcePath: "a b.mdx", title: "A\n# B", description: "x ".repeat(400) },
      { sourcePath: "es/a.mdx", inDefaultScope: false },
      { sourcePath: "hidden.mdx", indexed: false, api: { kind: "schema", spec: "hidden.json", name: "Tree" } },
    ],
    {
      description: "Docs of Acme.",
      markdown: { schema: true, instructions: ["Ask first."] },
      navbar: {
        links: [
          { type: "link", label: "Blog", href: "https://blog.acme.com" },
          { type: "link", href: "mailto:a@b" },
        ],
      },
    },
    {
      staticFiles: ["api/more.json", "api/open.json", "hidden.json"],
      specs: [
        { key: "api/open.json", source: "api/open.json", format: "openapi" },
        { key: "api/more.json + o.json", source: "api/more.json", format: "openapi" },
        { key: "hidden.json", source: "hidden.json", format: "openapi" },
      ],
      specRefs: {
        openapi: [spec("/api/open.json"), spec("gone.json")],
        asyncapi: [spec("https://x.org/events.yaml")],
        graphql: [],
        arazzo: [],
      },
    },
  );
  test("lists pages of the default scope, specifications, external links", () => {
    expect(llmsText(site, { baseUrl, outputPath: "llms.txt" })).toBe(
      `# Acme

> Docs of Acme.

> **Agent instructions**
>
> Ask first.

## Docs

- [Start \\[here\\]](${baseUrl}/index.md): First.
- [A # B](${baseUrl}/a%20b.md): ${"x ".repeat(148)}x…

## OpenAPI Specs

- [open](${baseUrl}/api/open.json)
- [more](${baseUrl}/api/more.json)

## AsyncAPI Specs

- [events](https://x.org/events.yaml)

## Optional

- [Blog](https://blog.acme.com)

`,
    );
  });
  test("lists no specification if the site offers none as a file", () => {
    const config = { ...site.config, api: { ...site.config.api, downloads: false } };
    expect(llmsText({ ...site, config }, { outputPath: "llms.txt" })).not.toContain("Specs");
  });
  test("has relative links without a base URL, at both paths", () => {
    expect(llmsText(site, { outputPath: "llms.txt" })).toContain("](a%20b.md)");
    expect(llmsText(site, { outputPath: ".well-known/llms.txt" })).toContain("](../a%20b.md)");
  });

  const many = (count: number, length: number) =>
    makeSite(
      Array.from({ length: count }, (_, i) => ({ sourcePath: `p${i}.mdx`, description: "word ".repeat(length / 5) })),
    );
  test("shortens descriptions before it drops pages", () => {
    const text = llmsText(many(500, 300), { outputPath: "llms.txt" });
    expect(text.length).toBeLessThanOrEqual(maxLlmsCharacters);
    expect(text.match(/^- \[p\d+\]\(p\d+\.md\): word/gm)).toHaveLength(500);
    expect(text).not.toContain("left out");
  });
  test("drops pages from the end and says how many", () => {
    const text = llmsText(many(9000, 50), { outputPath: "llms.txt" });
    const listed = text.match(/^- \[p/gm)!.length;
    expect(text.length).toBeLessThanOrEqual(maxLlmsCharacters);
    expect(text.length).toBeGreaterThan(maxLlmsCharacters - 200);
    expect(text).toContain(`- ${9000 - listed} more pages are left out`);
  });
  test("stays below the limit with any description of the site", () => {
    const text = llmsText(makeSite([{ sourcePath: "a.mdx" }], { description: "x".repeat(200_000) }), {
      outputPath: "llms.txt",
    });
    expect(text.length).toBeLessThanOrEqual(maxLlmsCharacters);
  });
});

describe("llms-full.txt", () => {
  const site = makeSite(
    [
      { sourcePath: "index.mdx" },
      { sourcePath: "guides/a.mdx" },
      { sourcePath: "broken.mdx" },
      { sourcePath: "no.mdx", noindex: true },
    ],
    { markdown: { schema: true, instructions: ["Ask first."] } },
  );
  const versions = {
    "index.md": "# Home\n\n> **Agent instructions**\n>\n> Ask first.\n\nHi.\n",
    "guides/a.md": "# A\n\n> **Agent instructions**\n>\n> Ask first.\n\n[x](../index.md#y) ![](i.png)\n",
    "no.md": "# Secret\n",
  };
  test("contains every page with its URL, the instructions once, and absolute links", async () => {
    const { "llms-full.txt": text } = await filesOf(site, baseUrl, versions);
    expect(text).toBe(`# Acme

> **Agent instructions**
>
> Ask first.

# Home

Source: ${baseUrl}

Hi.

# A

Source: ${baseUrl}/guides/a

[x](${baseUrl}/index.md#y) ![](${baseUrl}/guides/i.png)

`);
  });
  test("has relative links without a base URL", async () => {
    const files = await filesOf(site, undefined, versions);
    expect(files["llms-full.txt"]).toContain("Source: guides/a.html\n\n[x](index.md#y) ![](guides/i.png)");
    expect(files[".well-known/llms-full.txt"]).toContain(
      "Source: ../guides/a.html\n\n[x](../index.md#y) ![](../guides/i.png)",
    );
  });
  test("is copied to .well-known unless it is large", async () => {
    const source = mkdtempSync(join(tmpdir(), "offprint-test-"));
    const settings = { name: "Acme", theme: "mint", colors: { primary: "#0f766e" }, navigation: { pages: ["a"] } };
    writeFileSync(join(source, "docs.json"), JSON.stringify(settings));
    const copyOf = async (text: string): Promise<string> => {
      writeFileSync(join(source, "a.md"), text);
      const { files } = await exportInProcess({ source, output: "memory" });
      return Buffer.from(files!.get(".well-known/llms-full.txt")!).toString();
    };
    expect(await copyOf("Short.")).toBe("# Acme\n\n# A\n\nSource: ../a.html\n\nShort.\n\n");
    const long = await copyOf(`~~~\n${"x".repeat(2_000_000)}\n~~~\n`);
    expect(long).toBe("# Acme\n\nAll pages are in [llms-full.txt](../llms-full.txt).\n");
    rmSync(source, { recursive: true });
  });
  const rebased = [
    ["[a](b.md) and `[a](b.md)`", "[a](g/b.md) and `[a](b.md)`"],
    ["```\n[a](b.md)\n```\n[a](../b.md)", "```\n[a](b.md)\n```\n[a](b.md)"],
    ["- ~~~~\n  ~~~\n  [a](b)\n  ~~~~\n  [a](b)", "- ~~~~\n  ~~~\n  [a](b)\n  ~~~~\n  [a](g/b)"],
    ["[a](#x) [b](/c) [d](https://e) [f](mailto:g)", "[a](g/p.md#x) [b](/c) [d](https://e) [f](mailto:g)"],
    ['[a]: ../b.md "T"', '[a]: b.md "T"'],
    ["[a](<b c.md>)", "[a](<g/b c.md>)"],
  ] as const;
  for (const [text, expected] of rebased)
    test(`links are rewritten, code is not: ${JSON.stringify(text)}`, () =>
      expect(cutAtLinks(text, "g/p.md").join("")).toBe(expected));
});

describe("the script for copying a page", () => {
  const outputsOf = (options: NonNullable<SiteConfig["contextual"]>["options"]) => {
    const site = makeSite([{ sourcePath: "g/a.mdx", title: "A" }], { contextual: { options, display: "header" } });
    return createPageOutputs(site, { addresses: createAddresses(site), baseUrl, readSource: () => undefined })(
      site.pages[0]!,
      contentOf("x"),
      "x",
    );
  };
  test("contains the Markdown version", () => {
    const { files, markdown } = outputsOf(["copy"]);
    expect(markdown.script).toMatch(/^_offprint\/markdown\/g\/a\.[\da-f]{8}\.js$/);
    const script = files.find(({ path }) => path === markdown.script)!.text;
    expect(script).toBe(`offprintMarkdown(${JSON.stringify(files[0]!.text)});\n`);
    expect(markdown).toMatchObject({ path: "g/a.md", url: `${baseUrl}/g/a.md` });
  });
  test("is written for a page whose own menu copies", () => {
    const site = makeSite([
      { sourcePath: "g/a.mdx", contextual: { options: ["copy"], display: "header" } },
      { sourcePath: "g/b.mdx" },
    ]);
    const outputs = createPageOutputs(site, { addresses: createAddresses(site), readSource: () => undefined });
    const [own, other] = site.pages.map((plan) => outputs(plan, contentOf("x"), "x"));
    expect(own!.markdown.script).toBeDefined();
    expect(other!.markdown.script).toBeUndefined();
  });
  test("is not written if nothing copies", () => {
    expect(outputsOf(["view", "claude"]).files.map(({ path }) => path)).toEqual(["g/a.md"]);
    const own = { title: "T", description: "D", href: "https://example.com?q=$page" };
    expect(outputsOf([own]).files).toHaveLength(2);
  });
});

const addresses = [
  ["https://docs.acme.com/guide", true],
  ["https://203.0.113.9", true],
  ["http://localhost:3000", false],
  ["http://docs", false],
  ["http://10.0.0.7/docs", false],
  ["http://172.20.1.1", false],
  ["http://192.168.1.2", false],
  ["http://[::1]/", false],
  ["https://wiki.acme.internal.", false],
  [undefined, false],
] as const;
for (const [address, isPublic] of addresses)
  test(`${address} ${isPublic ? "is" : "is not"} public`, () => expect(isPublicAddress(address)).toBe(isPublic));

describe("rss.xml", () => {
  const feedOf = (source: string, page: Partial<PageSketch> = {}, config: Partial<SiteConfig> = {}) => {
    const site = makeSite([{ sourcePath: "changelog.mdx", title: "Changelog", description: "News.", ...page }], config);
    const outputs = createPageOutputs(site, { addresses: createAddresses(site), baseUrl, readSource: () => undefined });
    return outputs(site.pages[0]!, contentOf(source), source).files.find(({ path }) => path === "changelog/rss.xml")
      ?.text;
  };
  test("has an item for each heading, or one for the update, dated by its label", () => {
    const xml = feedOf(
      `<Update label="March 5, 2026">\n## New thing\n\nIt *works* with \`it\`.\n\n\`\`\`js\nhidden\n\`\`\`\n\n- one\n\n### Fix\n\ny\n</Update>\n\n<Update label="v1.2 it's" description="2026-01-31">\nJust <Badge>text</Badge> this.\n</Update>`,
    )!;
    expect(textsOf(xml, "title")).toEqual(["Changelog - Acme", "New thing", "Fix", "v1.2 it's"]);
    expect(textsOf(xml, "description")).toEqual(["News.", "It works with it.\n\n- one", "y", "Just this."]);
    expect(textsOf(xml, "guid")).toEqual(
      ["new-thing", "fix", "v1-2-it%E2%80%99s"].map((id) => `${baseUrl}/changelog#${id}`),
    );
    expect(textsOf(xml, "pubDate")).toEqual([
      "Thu, 05 Mar 2026 00:00:00 GMT",
      "Thu, 05 Mar 2026 00:00:00 GMT",
      "Sat, 31 Jan 2026 00:00:00 GMT",
    ]);
    expect(textsOf(xml, "lastBuildDate")).toEqual(["Thu, 05 Mar 2026 00:00:00 GMT"]);
  });
  test.each(["llms.txt", "404.html", "offprint.json"])("is left out if its folder would be the file %s", (name) => {
    const site = makeSite([{ sourcePath: `${name}.mdx`, urlPath: `/${name}` }]);
    const outputs = createPageOutputs(site, { addresses: createAddresses(site), baseUrl, readSource: () => undefined });
    const source = '<Update label="v1">x</Update>';
    const { files, feed, diagnostics } = outputs(site.pages[0]!, contentOf(source), source);
    expect([files.map(({ path }) => path), feed]).toEqual([[`${name}.md`], undefined]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["PATH_TAKEN"]);
  });
  test("links to an update by its anchor", () =>
    expect(textsOf(feedOf(`<Update label="v2 – beta (1)">x</Update>`)!, "guid")).toEqual([
      `${baseUrl}/changelog#v2-%E2%80%93-beta-1`,
    ]));
  test("uses the rss property of an update", () => {
    const source = `<Update label="v2" rss={{"title":"Two","description":"Short."}}>\n## Other\n</Update>`;
    const xml = feedOf(source)!;
    expect(textsOf(xml, "title")).toEqual(["Changelog - Acme", "Two"]);
    expect(textsOf(xml, "description")).toEqual(["News.", "Short."]);
  });
  test("has no date if the label is not a date", () =>
    expect(feedOf(`<Update label="Smarch 41, 2026">x</Update>`)).not.toContain("Date>"));
  test("exists only for public pages with updates", () => {
    expect(feedOf("No news.")).toBeUndefined();
    expect(feedOf(`<Update label="v1">x</Update>`, { noindex: true })).toBeUndefined();
  });
  test("is well-formed with any text", () => {
    const source = `<Update label="&quot;]]&gt;&lt;/title&gt;">\n## ]]> \\</item>\n\n]]> &amp; \\<b>\n</Update>`;
    const xml = feedOf(source, { title: hostile, description: hostile }, { name: hostile })!;
    expect(textsOf(xml, "title")).toHaveLength(2);
  });
});

describe("redirects, headers, own files", () => {
  test("a site without redirects has no _redirects", async () =>
    expect(await filesOf(makeSite([]))).not.toHaveProperty("_redirects"));
  test("headers cache files with a hash forever, and link llms.txt below the base path", async () => {
    const { _headers: headers } = await filesOf(makeSite([]), baseUrl);
    expect(headers).toMatch(/^\/_offprint\/\*\n {2}Cache-Control: public, max-age=31536000, immutable$/m);
    expect(headers).toContain("X-Llms-Txt: /guide/llms.txt");
  });
  test("headers send the speculation rules with pages, and as their own type", () => {
    const headers = hostHeaders("/guide", { speculationRules: "_offprint/pages.0a1b2c3d.speculationrules" });
    expect(headers).toContain('\n  Speculation-Rules: "/guide/_offprint/pages.0a1b2c3d.speculationrules"\n');
    expect(headers).toContain("\n  Server-Timing: speculation-rules\n");
    expect(headers).toMatch(
      /^\/_offprint\/pages\.0a1b2c3d\.speculationrules\n {2}Content-Type: application\/speculationrules\+json$/m,
    );
  });
  test("agents find the MCP server that the export names, unless the site says where it is", () => {
    const outputs = (staticFiles: readonly string[], mcp?: string) => {
      const site = { ...makeSite([]), staticFiles };
      const { files } = siteOutputs(site, {
        addresses: createAddresses(site),
        headScript: "_offprint/head.js",
        mcp,
        readMarkdown: () => undefined,
      });
      return new Map(files.flatMap(({ path, text }) => (typeof text === "string" ? [[path, text] as const] : [])));
    };
    const paths = [".well-known/mcp.json", ".well-known/mcp/server-card.json", ".well-known/mcp/server-cards.json"];
    const url = "https://docs.acme.com/mcp";
    const found = outputs(["mcp.json"], url);
    for (const path of paths) expect(JSON.stringify(JSON.parse(found.get(path)!))).toContain(`"url":"${url}"`);
    expect(found.get("_headers")).toContain('</.well-known/mcp/server-card.json>; rel="mcp-server-card"');
    for (const none of [outputs([]), outputs([".well-known/mcp"], url)])
      expect([...none.keys()].filter((path) => /mcp/.test(path))).toEqual([]);
    expect(outputs([], undefined).get("_headers")).not.toContain("mcp");
    expect(outputs([paths[0]!], url).has(paths[0]!)).toBe(false);
  });
  test("headers have the font of the text loaded with the page", () => {
    expect(hostHeaders("/guide", { mainFont: "_offprint/fonts/a.woff2" })).toContain(
      '\n  Link: </guide/_offprint/fonts/a.woff2>; rel=preload; as=font; type="font/woff2"; crossorigin\n',
    );
    expect(hostHeaders("/guide")).not.toContain("preload");
  });
  test("a file of the site is not replaced, and copies do not differ from it", async () => {
    const own = ["_headers", "_redirects", "llms-full.txt", "llms.txt", "robots.txt", "sitemap.xml"];
    const site = makeSite(
      [],
      { redirects: [{ source: "/a", destination: "https://x.org", permanent: true }] },
      { staticFiles: own },
    );
    expect(Object.keys(await filesOf(site, baseUrl))).toEqual(["a.html"]);
  });
  test("a file of the site at the path of a Markdown version is not replaced", () => {
    const site = makeSite([{ sourcePath: "a.mdx" }], {}, { staticFiles: ["a.md"] });
    const outputs = createPageOutputs(site, { addresses: createAddresses(site), readSource: () => undefined });
    expect(outputs(site.pages[0]!, contentOf("x"), "x").files).toEqual([]);
  });
});

describe("the base URL", () => {
  const { seo } = makeConfig();
  const resolve = (canonical: string | undefined, option?: string, fallback?: string) => {
    const metatags: Record<string, string> = canonical === undefined ? {} : { canonical };
    return resolveBaseUrl(makeConfig({ seo: { ...seo, metatags } }), option, fallback);
  };
  test("is that of the caller, without a trailing slash", () =>
    expect(resolve("https://a.b", "https://c.d/e/?x#y").baseUrl).toBe("https://c.d/e"));
  test("is that of the site before the fallback of the caller", () =>
    expect(resolve("https://a.b/", undefined, "https://f.g").baseUrl).toBe("https://a.b"));
  test("is the fallback if nothing else is set", () => {
    expect(resolve(undefined, undefined, "https://f.g/").baseUrl).toBe("https://f.g");
    expect(resolve("a.b", undefined, "https://f.g").diagnostics[0]?.what).toContain("https://f.g is used");
  });
  test("is otherwise that of the site", () => expect(resolve("https://a.b/").baseUrl).toBe("https://a.b"));
  test("is otherwise unknown", () => expect(resolve(undefined)).toEqual({ diagnostics: [] }));
  test("must be an http(s) URL", () => {
    expect(resolve("/docs").diagnostics.map(({ code }) => code)).toEqual(["BASE_URL_INVALID"]);
    expect(() => resolve(undefined, "javascript:alert(1)")).toThrow(RangeError);
  });
});

test("the 404 page has the site's text or a default, and a root for links", () => {
  const page = makePage({ sourcePath: "a.mdx" });
  expect(page.urlPath).toBe("/a");
  expect(
    notFoundPage(makeSite([], { notFound: { redirect: true, title: "Lost", description: "*Hm*" } }), baseUrl),
  ).toEqual({
    title: "Lost",
    description: "*Hm*",
    root: "/guide/",
  });
  expect(notFoundPage(makeSite([]), undefined)).toMatchObject({ title: "Page not found", root: "/" });
});
