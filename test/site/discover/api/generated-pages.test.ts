import { describe, expect, test } from "vitest";
import { assignAddresses } from "../../../../src/site/discover/api/generated-addresses.js";
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
    ["has the method and path if there is no summary", "/trees/{id}/fruit", {}, "/api-reference/get-trees-fruit"],
    ["of the path / is the method", "/", {}, "/api-reference/get"],
    ["leaves signs out", "/x", { summary: "What's (a. b, c)? #1 {x} 100%" }, "/api-reference/whats-a-b-c-1--100"],
    ["keeps the letters of all scripts", "/x", { summary: "Bäume 一覧" }, "/api-reference/bäume-一覧"],
    ["is what x-mint says", "/x", { summary: "L", tags: ["t"], "x-mint": { href: "/some/where/" } }, "/some/where"],
    [
      "is not an address of another site",
      "/x",
      { summary: "L", "x-mint": { href: "https://x.y/z" } },
      "/api-reference/l",
    ],
    ["leads nowhere upwards by its href", "/x", { "x-mint": { href: "/../../etc/./passwd?a#b" } }, "/etc/passwd"],
    ["leads nowhere upwards by its path", "/../../etc/passwd", {}, "/api-reference/get-etc-passwd"],
    [
      "separates the words of a tag on two lines",
      "/x",
      { summary: "L", tags: ["two\nwords"] },
      "/api-reference/two-words/l",
    ],
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

  test("separates the words of a path, and the address without hyphens leads there", async () => {
    const { site } = await siteOf({ "/api/identity-provider/{id}/link": { delete: {} } });
    const readable = "/api-reference/delete-api-identity-provider-link";
    expect(site.pages.map((each) => each.urlPath)).toEqual([readable]);
    expect(site.config.redirects).toMatchObject([
      { source: "/api-reference/delete-apiidentity-provider-link", destination: readable },
    ]);
  });

  test("is method and path for operations of equal titles, even if only the case differs", async () => {
    const { site } = await siteOf({
      "/a": { get: { summary: "List" }, post: { summary: "list" } },
      "/b": { get: { summary: "LIST" }, post: { summary: "List-1" } },
    });
    expect(site.pages.map((each) => each.urlPath)).toEqual([
      "/api-reference/get-a",
      "/api-reference/post-a",
      "/api-reference/get-b",
      "/api-reference/list-1",
    ]);
    expect(site.config.redirects).toMatchObject([
      { source: "/api-reference/list", destination: "/api-reference/get-a" },
    ]);
  });

  test("stays when operations of the same title come and go, wherever they are", async () => {
    const addresses = async (...holders: string[]) => {
      const paths = holders.map((name) => [`/${name}/$count`, { get: { summary: "Get the count", tags: ["Counts"] } }]);
      const { site } = await siteOf(Object.fromEntries(paths));
      return new Map(site.pages.map(({ api, urlPath }) => [JSON.stringify(api), urlPath]));
    };
    const before = await addresses("users", "groups", "mail");
    const after = await addresses("admins", "mail", "files", "users");
    expect([...before.values()]).toEqual(
      ["users", "groups", "mail"].map((name) => `/api-reference/counts/get-${name}-count`),
    );
    const shared = [...before].filter(([api]) => after.has(api));
    expect(shared).toHaveLength(2);
    for (const [api, urlPath] of shared) expect(after.get(api)).toBe(urlPath);
  });

  test("has the names of parameters where paths differ only in them, and a hash where even that is not enough", async () => {
    const { site } = await siteOf({
      "/users": { get: {} },
      "/users/{id}": { get: {} },
      "/a/b": { get: { summary: "Same" } },
      "/a-b": { get: { summary: "Same" } },
    });
    const [users, user, ...same] = site.pages.map(({ urlPath }) => urlPath);
    expect([users, user]).toEqual(["/api-reference/get-users", "/api-reference/get-users-id"]);
    for (const address of same) expect(address).toMatch(/^\/api-reference\/get-a-b-[0-9a-f]{8}$/);
    expect(new Set(same).size).toBe(2);
  });

  test("is not the index of a folder that has a page of its own, which hosts would hide", () => {
    const request = { identity: "index", addresses: ["/rest/index", "/rest/index-shop"] };
    const among = (...files: string[]) => assignAddresses([request], (address) => files.includes(address)).addresses;
    expect(among("/rest")).toEqual(["/rest/index-shop"]);
    expect(among("/guides")).toEqual(["/rest/index"]);
  });

  test("has no characters that a file system, a URL or a shell could misread", async () => {
    const { site } = await siteOf({
      "/": { get: {} },
      "/{Bucket}": { get: {}, put: { summary: "Put & keep: a + b; c=d! [x]" } },
      "/{Bucket}#acl": { get: {} },
      "/{Bucket}/{Key+}#attributes&x-amz-object-attributes": { get: {} },
      "/drives/{id}/delta(token='{token}')": { get: { summary: "~ $ @ ^ ` |", tags: ["A/B: <c>*?"] } },
    });
    const addresses = site.pages.map(({ urlPath }) => urlPath.slice("/api-reference/".length));
    expect(addresses).toEqual([
      "get",
      "get-bucket",
      "put-keep-a-b-c-d-x",
      "get-bucket-acl",
      "get-bucket-key-attributes-x-amz-object-attributes",
      "a-b-c/get-drives-id-delta-token-token",
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
    expect(site.pages[2]!.outputPath).toBe("api-reference/a-c-d-e.html");
  });

  test("is not used if a page file has it, which is reported", async () => {
    const { site, diagnostics } = await siteOf(
      { "/a": { get: { summary: "List" } } },
      {},
      { "api-reference/list.mdx": page("Mine") },
    );
    expect(site.pages.map(({ title, urlPath }) => [title, urlPath])).toEqual([
      ["List", "/api-reference/get-a"],
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
    ["is called by what its names say", { operationId: "listA" }, { title: "List a", sidebarTitle: undefined }],
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
      ["Get a", "/api-reference/get-a"],
      ["tree.felled", "/api-reference/tree-felled"],
      ["B", "/api-reference/b"],
    ]);
    expect(site.pages[1]!.api).toEqual({ kind: "webhook", spec: "api.json", method: "post", name: "tree.felled" });
  });

  test("is called by method and path if nothing says more", async () => {
    const { site } = await siteOf({ "/": { post: {} } });
    expect(site.pages[0]).toMatchObject({ title: "POST /", sidebarTitle: "/" });
  });

  test("has no full stop in its title if the summary is one sentence, unless it ends in an abbreviation", async () => {
    const titles = async (...summaries: string[]) =>
      (await siteOf(Object.fromEntries(summaries.map((summary, i) => [`/${i}`, { get: { summary } }])))).site.pages.map(
        ({ title }) => title,
      );
    expect(
      await titles(
        "List all trees.",
        "Get a job.",
        "Prune. Then water.",
        "Apples, pears etc.",
        "木を一覧する。",
        "Wait...",
      ),
    ).toEqual(["List all trees", "Get a job", "Prune. Then water.", "Apples, pears etc.", "木を一覧する", "Wait..."]);
  });

  test("whose summary is a long sentence has a title from its names, with the summary below it", async () => {
    const summary = `Plants a tree in the orchard that the request names, ${"after all checks of soil and water, ".repeat(2)}at once.`;
    const plant = { summary, operationId: "plantTree" };
    const { site } = await siteOf({
      "/a": { post: plant },
      "/b": { post: { ...plant, description: `${summary} Slowly.` } },
      // Writers break lines, and leave two spaces.
      "/c": { post: { ...plant, description: `${summary.replace("tree in", "tree  in")} Slowly.` } },
    });
    expect(site.pages.map(({ title, description }) => ({ title, description }))).toEqual([
      { title: "Plant tree", description: summary },
      { title: "Plant tree", description: `${summary} Slowly.` },
      { title: "Plant tree", description: `${summary.replace("tree in", "tree  in")} Slowly.` },
    ]);
  });

  test("has its path in the sidebar if another row of the group has the same text", async () => {
    const list = { summary: "List", tags: ["t"] };
    const { site } = await siteOf({
      "/v1/a/x": { get: list, post: list },
      "/v1/b": { get: { ...list, summary: "list" } },
      "/v1/c": { get: { summary: "List" } },
    });
    expect(site.pages.map(({ sidebarTitle }) => sidebarTitle)).toEqual([
      "List · …/a/x",
      undefined,
      "list · …/b",
      undefined,
    ]);
  });

  test("only has the differing parts of long paths in the sidebar", async () => {
    const list = { get: { summary: "List", tags: ["t"] } };
    const rest = "/drives/{drive-id}/items/{item-id}/children";
    const { site } = await siteOf({ [`/users/{id}${rest}`]: list, [`/groups/{id}/sites${rest}`]: list });
    expect(site.pages.map(({ sidebarTitle }) => sidebarTitle)).toEqual([
      "List · /users/{id}/…",
      "List · /groups/{id}/sites/…",
    ]);
  });

  test("without a tag is in a group of the resource in its path", async () => {
    const { site } = await siteOf({
      "/v1/payment_intents": { get: {}, post: {} },
      "/v1/payment_intents/{id}/confirm": { post: {} },
      "/v1/balance": { get: {} },
    });
    expect(
      site.pages.map(({ title, breadcrumbs }) => [title, ...breadcrumbs.slice(1).map(({ label }) => label)]),
    ).toEqual([
      ["List payment intents", "Payment intents"],
      ["Create a payment intent", "Payment intents"],
      ["Confirm a payment intent", "Payment intents"],
      ["Get balance", "Balance"],
    ]);
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
    ["ends before a list without an empty line above", "One\n- Two\n- Three", "One"],
    ["ends before a quote, table or fence", "One\ntwo.\n> Three", "One two."],
    ["ends before an element that is a block", "One\n<table></table>", "One"],
    ["takes no line of a paragraph of which another begins with a tag", "One:\n<b>Two</b>\nThree", undefined],
    ["does not end at a number that begins a line", "Since\n2020. Two", "Since 2020. Two"],
    ["takes no link to an anchor, which the body leads to its page", "See [jobs](#tag/jobs).", undefined],
    ["takes no link whose address is defined below", "See [jobs][1].\n\n[1]: /jobs", undefined],
    ["takes no line that announces what follows", "The path has:\n- a name\n- a number", undefined],
    ["takes what only looks like such a link", "Set a[0][1].\n\n[2]: /jobs", "Set a[0][1]."],
    ["takes no underlined heading", "One\n===\n\nTwo.", undefined],
    ["takes no table", "| a | b |", undefined],
    ["takes no code", "```\nx\n```", undefined],
    ["takes no tag", "<div>x</div>", undefined],
    ["takes no paragraph with a tag in it", "One.<br>Two.\n\nThree.", undefined],
    [
      "takes tags in code, and addresses",
      "Use `<b>` and <https://example.com>.",
      "Use `<b>` and <https://example.com>.",
    ],
    ["takes nothing of nothing", "  \n ", undefined],
  ];
  for (const [rule, description, lead] of cases) test(rule, () => expect(leadOf(description)).toBe(lead));
});
