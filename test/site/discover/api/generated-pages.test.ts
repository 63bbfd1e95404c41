import { describe, expect, test } from "vitest";
import { leadOf } from "../../../../src/site/discover/api/generated-pages.js";
import { buildSite, page, type Written } from "../build-site.js";
import { live, openapi } from "./orchard.js";

const siteOf = (paths: Written, parts: Written = {}, files: Readonly<Record<string, string>> = {}) =>
  buildSite({ groups: [{ group: "API", openapi: "api.json" }] }, { "api.json": openapi(paths, parts), ...files });

describe("the address of a generated page", () => {
  type Case = readonly [rule: string, path: string, operation: Written, urlPath: string];
  const cases: readonly Case[] = [
    [
      "is its tag and summary",
      "/x",
      { summary: "List all trees", tags: ["Trees", "B"] },
      "/api-reference/trees/list-all-trees",
    ],
    ["has no tag where there is none", "/x", { summary: "List" }, "/api-reference/list"],
    [
      "takes the name of the tag, not its label",
      "/x",
      { summary: "L", tags: ["labelled"] },
      "/api-reference/labelled/l",
    ],
    ["has the method and path where there is no summary", "/trees/{id}/fruit", {}, "/api-reference/get-trees-fruit"],
    ["of the path / is the method", "/", {}, "/api-reference/get"],
    ["leaves signs out", "/x", { summary: "What's (a. b, c)? #1 {x} 100%" }, "/api-reference/whats-a-b-c-1--100"],
    ["keeps the letters of all scripts", "/x", { summary: "Bäume 一覧" }, "/api-reference/bäume-一覧"],
    ["is what x-mint says", "/x", { summary: "L", tags: ["t"], "x-mint": { href: "/some/where/" } }, "/some/where"],
    ["is no address of another site", "/x", { summary: "L", "x-mint": { href: "https://x.y/z" } }, "/api-reference/l"],
    ["leads nowhere upwards by its href", "/x", { "x-mint": { href: "/../../etc/./passwd?a#b" } }, "/etc/passwd"],
    ["leads nowhere upwards by its path", "/../../etc/passwd", {}, "/api-reference/get-etcpasswd"],
    ["leads nowhere upwards by its tag", "/x", { summary: "../a", tags: ["../../.."] }, "/api-reference/a"],
  ];
  for (const [rule, path, operation, urlPath] of cases)
    test(rule, async () => {
      const { site } = await siteOf(
        { [path]: { get: operation } },
        { tags: [{ name: "labelled", "x-group": "Shown" }] },
      );
      expect(site.pages.map((each) => each.urlPath)).toEqual([urlPath]);
    });

  test("is unique, even for equal names and names that differ only in case", async () => {
    const { site } = await siteOf({
      "/a": { get: { summary: "List" }, post: { summary: "list" } },
      "/b": { get: { summary: "LIST" }, post: { summary: "List-1" } },
    });
    expect(site.pages.map((each) => each.urlPath)).toEqual([
      "/api-reference/list",
      "/api-reference/list-1",
      "/api-reference/list-2",
      "/api-reference/list-1-1",
    ]);
  });

  test("is a valid path on every system", async () => {
    const { site } = await siteOf({
      "/a": { get: { summary: "con", tags: ["aux"] } },
      "/b": { get: { summary: `${"long ".repeat(2000)}` } },
      "/c": { get: { summary: 'a<b>:c|d*"e' } },
    });
    expect(site.pages[0]).toMatchObject({
      urlPath: "/api-reference/aux/con",
      outputPath: "api-reference/~61ux/~63on.html",
    });
    expect(site.pages[1]!.outputPath.length).toBeLessThan(240);
    expect(site.pages[2]!.outputPath).toMatch(/^api-reference\/[\w~-]+\.html$/);
  });

  test("is not used if a page file has it, which is reported", async () => {
    const { site, diagnostics } = await siteOf(
      { "/a": { get: { summary: "List" } } },
      {},
      { "api-reference/list.mdx": page("Mine") },
    );
    expect(site.pages.map(({ title, urlPath }) => [title, urlPath])).toEqual([
      ["List", "/api-reference/list-1"],
      ["Mine", "/api-reference/list"],
    ]);
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["PATH_TAKEN", "warning"]]);
  });

  test("is that of the page file about the same operation", async () => {
    const { site, codes } = await siteOf(
      { "/a": { get: { summary: "List" } } },
      {},
      { "api-reference/list.mdx": page("Mine", "openapi: GET /a") },
    );
    expect(site.pages).toMatchObject([
      { title: "Mine", urlPath: "/api-reference/list", sourcePath: "api-reference/list.mdx", listed: true },
    ]);
    expect(codes).toEqual([]);
  });
});

describe("a generated page", () => {
  type Case = readonly [rule: string, operation: Written, plan: Written];
  const cases: readonly Case[] = [
    [
      "is about its operation",
      { summary: "List" },
      {
        api: { kind: "operation", spec: "api.json", method: "get", path: "/a" },
        sourcePath: "api.json",
        generated: { text: "" },
        frontmatter: {},
        listed: true,
        visible: true,
        searchable: true,
        indexed: true,
      },
    ],
    ["is called by its summary", { summary: " List all " }, { title: "List all", sidebarTitle: undefined }],
    ["is called by method and path", {}, { title: "GET /a", sidebarTitle: "/a" }],
    ["says the first paragraph", { description: "All *of*\nthem.\n\nMore." }, { description: "All *of* them." }],
    ["may be deprecated", { deprecated: true }, { deprecated: true }],
    [
      "hides from the navigation",
      { "x-hidden": true },
      { listed: true, visible: false, noindex: true, searchable: false },
    ],
    [
      "takes what x-mint says",
      {
        summary: "L",
        "x-mint": {
          metadata: {
            title: "T",
            sidebarTitle: "S",
            description: "D",
            "og:image": "/a.png",
            deprecated: true,
            openapi: "x",
          },
          content: "Hello *you*.",
        },
      },
      {
        title: "T",
        sidebarTitle: "S",
        description: "D",
        deprecated: true,
        generated: { text: "Hello *you*." },
        frontmatter: { "og:image": "/a.png", deprecated: true },
      },
    ],
    [
      "may stay out of searches",
      { "x-mint": { metadata: { noindex: true } } },
      { visible: true, noindex: true, indexed: false },
    ],
    ["may hide by its metadata", { "x-mint": { metadata: { hidden: true } } }, { visible: false, noindex: true }],
  ];
  for (const [rule, operation, plan] of cases)
    test(rule, async () => {
      const { site } = await siteOf({ "/a": { get: operation } });
      expect(site.pages[0]).toMatchObject(plan);
    });

  test("is not made for an excluded operation", async () => {
    const { site } = await siteOf({ "/a": { get: { summary: "A" }, post: { "x-excluded": true } } });
    expect(site.pages.map(({ title }) => title)).toEqual(["A"]);
  });

  test("is made for each webhook, after the operations", async () => {
    const { site } = await siteOf(
      { "/a": { get: {} } },
      { webhooks: { "tree.felled": { post: {} }, b: { post: { summary: "B" } } } },
    );
    expect(site.pages.map(({ title, urlPath }) => [title, urlPath])).toEqual([
      ["GET /a", "/api-reference/get-a"],
      ["tree.felled", "/api-reference/treefelled"],
      ["B", "/api-reference/b"],
    ]);
    expect(site.pages[1]!.api).toEqual({ kind: "webhook", spec: "api.json", method: "post", name: "tree.felled" });
  });

  test("belongs to a group with the label of its tag", async () => {
    const { site } = await siteOf(
      { "/a": { get: { tags: ["t"] } } },
      { tags: [{ name: "t", "x-group": "All about T" }] },
    );
    expect(site.pages[0]).toMatchObject({
      urlPath: "/api-reference/t/get-a",
      breadcrumbs: [{ label: "API" }, { label: "All about T" }],
    });
  });

  test("has the language and version of its container", async () => {
    const { site } = await buildSite(
      {
        versions: [
          { version: "v2", openapi: { source: "api.json", directory: "v2" } },
          { version: "v1", openapi: { source: "api.json", directory: "v1" } },
        ],
      },
      { "api.json": openapi({ "/a": { get: {} } }) },
    );
    expect(site.pages).toMatchObject([
      { urlPath: "/v2/get-a", version: "v2", inDefaultScope: true },
      { urlPath: "/v1/get-a", version: "v1", inDefaultScope: false },
    ]);
  });

  test("is made for a channel", async () => {
    const { site } = await buildSite({ groups: [{ group: "Live", asyncapi: "live.yaml" }] }, { "live.yaml": live });
    expect(site.pages[0]).toMatchObject({
      title: "Growth",
      api: { kind: "channel", spec: "live.yaml", name: "growth" },
    });
    expect(site.specs).toMatchObject([{ key: "live.yaml", source: "live.yaml" }]);
  });
});

describe("leadOf", () => {
  const cases: readonly (readonly [rule: string, description: string, lead: string | undefined])[] = [
    ["takes the first paragraph on one line", "One\n two.\r\n\r\nThree.", "One two."],
    ["takes no heading", "# One\n\nTwo.", undefined],
    ["takes no list", "- One\n- Two", undefined],
    ["takes no numbered list", "1. One", undefined],
    ["takes no table", "| a | b |", undefined],
    ["takes no code", "```\nx\n```", undefined],
    ["takes no tag", "<div>x</div>", undefined],
    ["takes nothing of nothing", "  \n ", undefined],
  ];
  for (const [rule, description, lead] of cases) test(rule, () => expect(leadOf(description)).toBe(lead));
});
