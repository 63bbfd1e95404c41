import { describe, expect, test } from "vitest";
import { buildSite, page, type Written } from "../build-site.js";
import { live, openapi, plain, trees } from "./orchard.js";

const files = {
  "plain.json": plain,
  "specs/trees.yaml": trees,
  "api/near.json": openapi({ "/near": { get: {} } }),
  "live.yaml": live,
  "hooks.json": openapi({}, { webhooks: { "tree.felled": { post: {} } } }),
  "graph/tree.graphql": "type Query { tree(id: ID!): Tree } type Mutation { plant: Tree } type Tree { id: ID! }",
  "flows/berths.yaml": `arazzo: 1.0.1
info: { title: Berths }
sourceDescriptions: [{ name: plain, url: ../plain.json }]
workflows: [{ workflowId: bookBerth, steps: [{ stepId: one, operationPath: "{$sourceDescriptions.plain.url}#/paths/~1fruit/get" }] }]
`,
  "data.json": openapi({}, { components: { schemas: { Tree: {}, "Apple Tree": {} } } }),
};

/** The subject of a page with this line of front matter. */
async function aboutOf(line: string, navigation: Written = { pages: ["api/page"] }, api?: Written) {
  const { site, diagnostics } = await buildSite(navigation, { ...files, "api/page.mdx": page("Page", line) }, { api });
  const { api: about, title } = site.pages.find((each) => each.sourcePath === "api/page.mdx")!;
  return { about, title, diagnostics };
}

const fruit = { kind: "operation", spec: "plain.json", method: "get", path: "/fruit" };
const list = { kind: "operation", spec: "specs/trees.yaml", method: "get", path: "/trees" };
const near = { kind: "operation", spec: "api/near.json", method: "get", path: "/near" };
const felled = { kind: "webhook", spec: "hooks.json", method: "post", name: "tree.felled" };
const tree = { kind: "schema", spec: "data.json", name: "Tree" };
const growth = { kind: "channel", spec: "live.yaml", name: "growth" };
const graph = { kind: "graphql", spec: "graph/tree.graphql", list: "queries", name: "tree" };
const workflow = { kind: "workflow", spec: "flows/berths.yaml", name: "bookBerth", pointer: "#/workflows/0" };
const weather = { kind: "channel", spec: "live.yaml", name: "weather" };

describe("a page's front matter finds", () => {
  const cases: readonly (readonly [line: string, about: Written])[] = [
    ["openapi: GET /fruit", fruit],
    ["openapi: get /fruit", fruit],
    ["openapi: GET  /fruit", fruit],
    ["openapi: 'GET /fruit/'", fruit],
    ["openapi: GET fruit", fruit],
    ["OpenAPI: GET /fruit", fruit],
    ["openapi: plain.json GET /fruit", fruit],
    ["openapi: /plain.json GET /fruit", fruit],
    ["openapi: plain GET /fruit", fruit],
    ["openapi: ../plain.json GET /fruit", fruit],
    ["openapi: trees GET /trees", list],
    ["openapi: specs/trees.yaml GET /trees", list],
    ["openapi: specs/trees GET /trees", list],
    ["openapi: ./near.json GET /near", near],
    ["openapi: near.json GET /near", near],
    ["openapi: near GET /near", near],
    ["openapi: webhook tree.felled", felled],
    ["openapi: WEBHOOK tree.felled", felled],
    ["openapi: hooks.json webhook tree.felled", felled],
    ["openapi: hooks webhook tree.felled", felled],
    ["openapi-schema: Tree", tree],
    ["openapi-schema: data.json Tree", tree],
    ["openapi-schema: data Tree", tree],
    ["openapi-schema: Apple Tree", { ...tree, name: "Apple Tree" }],
    ["openapi-schema: data.json Apple Tree", { ...tree, name: "Apple Tree" }],
    ["asyncapi: live.yaml growth", growth],
    ["asyncapi: live growth", growth],
    ["asyncapi: growth", growth],
    ["asyncapi: /weather/now", weather],
    ["graphql: query tree", graph],
    ["graphql: graph/tree.graphql query tree", graph],
    ["graphql: tree Query  tree", graph],
    ["graphql: mutation plant", { ...graph, list: "mutations", name: "plant" }],
    ["graphql: type Tree", { ...graph, list: "types", name: "Tree" }],
    ["arazzo: bookBerth", workflow],
    ["arazzo: berths bookBerth", workflow],
    ["arazzo: flows/berths.yaml bookBerth", workflow],
    ["arazzo: ../flows/berths.yaml bookBerth", workflow],
  ];
  for (const [line, about] of cases)
    test(line, async () => {
      const found = await aboutOf(line);
      expect(found.diagnostics).toEqual([]);
      expect(found.about).toEqual(about);
    });
});

describe("a reference without a specification is looked up", () => {
  const get = openapi({ "/x": { get: {} } });
  const specs = { "a.json": get, "b.json": get, "c.json": get };
  const cases: readonly (readonly [rule: string, navigation: Written, api: Written | undefined, spec: string])[] = [
    ["in the first file by path", { pages: ["page"] }, undefined, "a.json"],
    ["before that in what api names", { pages: ["page"] }, { openapi: ["c.json"] }, "c.json"],
    [
      "before that in the container's specification",
      { groups: [{ group: "G", openapi: "b.json", pages: ["page"] }] },
      { openapi: ["c.json"] },
      "b.json",
    ],
    [
      "in the nearest container that names one",
      { tabs: [{ tab: "T", openapi: "c.json", groups: [{ group: "G", openapi: "b.json", pages: ["page"] }] }] },
      undefined,
      "b.json",
    ],
  ];
  for (const [rule, navigation, api, spec] of cases)
    test(rule, async () => {
      const { site } = await buildSite(navigation, { ...specs, "page.mdx": page("P", "openapi: GET /x") }, { api });
      expect(site.pages.find((each) => each.sourcePath === "page.mdx")?.api).toMatchObject({ spec });
    });
});

test("specifications named at the root of the navigation fill its empty containers, of whatever format", async () => {
  const { site, diagnostics } = await buildSite(
    {
      openapi: "plain.json",
      asyncapi: "live.yaml",
      graphql: "graph/tree.graphql",
      arazzo: "flows/berths.yaml",
      tabs: [{ tab: "API", groups: [] }],
    },
    files,
  );
  expect(diagnostics).toEqual([]);
  const kinds = new Set(site.pages.filter(({ listed }) => listed).map(({ api }) => api?.kind));
  expect(kinds).toEqual(new Set(["operation", "channel", "graphql", "workflow"]));
});

test("a schema named at the root of the navigation is a navigation of its own", async () => {
  const { site, diagnostics } = await buildSite({ graphql: "graph/tree.graphql" }, files);
  expect(diagnostics).toEqual([]);
  expect(site.pages.some(({ api, listed }) => listed && api?.kind === "graphql")).toBe(true);
});

test("the service of a GraphQL schema is the same wherever it is named", async () => {
  const service = { endpoint: "/graphql", auth: { method: "basic" } };
  const { site, diagnostics } = await buildSite(
    { groups: [{ group: "G", graphql: "s.graphql", pages: ["page", "type Tree"] }] },
    { "s.graphql": files["graph/tree.graphql"], "page.mdx": page("P", "graphql: s.graphql query tree") },
    { api: { graphql: { source: "s.graphql", ...service } } },
  );
  expect(diagnostics).toEqual([]);
  expect(site.specs).toHaveLength(1);
  expect(JSON.parse(site.specs[0]!.json!)).toMatchObject({
    servers: [{ url: "/graphql" }],
    security: [{ auth: [] }],
    components: { securitySchemes: { auth: { type: "http", scheme: "basic" } } },
  });
  expect(site.pages.map(({ api }) => api?.spec)).toEqual([site.specs[0]!.key, site.specs[0]!.key]);
});

describe("a page about a workflow", () => {
  const faulty = String(files["flows/berths.yaml"]).replace("~1fruit", "~1frut");

  test("is checked and linked although the navigation does not name its document", async () => {
    const { site, codes } = await buildSite(
      { pages: ["page"] },
      { ...files, "flows/berths.yaml": faulty, "page.mdx": page("P", "arazzo: bookBerth") },
    );
    expect(codes).toEqual(["WORKFLOW_REFERENCE"]);
    expect(site.specs.map(({ source, sources }) => [source, sources])).toEqual([
      ["flows/berths.yaml", { plain: "plain.json" }],
      ["plain.json", undefined],
    ]);
  });

  const twice = {
    "a.yaml": files["flows/berths.yaml"].replace("../", ""),
    "z.yaml": files["flows/berths.yaml"].replace("../", ""),
  };
  const places: readonly (readonly [where: string, navigation: Written, api: Written])[] = [
    ["a group", { groups: [{ group: "G", arazzo: "z.yaml", pages: ["page"] }] }, { arazzo: "a.yaml" }],
    ["the navigation", { arazzo: "z.yaml", pages: ["page"] }, { arazzo: "a.yaml" }],
    ["api", { pages: ["page"] }, { arazzo: ["z.yaml"] }],
  ];
  for (const [where, navigation, api] of places)
    test(`takes the document of ${where}`, async () => {
      const { site, diagnostics } = await buildSite(
        navigation,
        { "plain.json": plain, ...twice, "page.mdx": page("P", "arazzo: bookBerth") },
        { api },
      );
      expect(diagnostics.map(({ what }) => what)).toEqual(
        api.arazzo === "a.yaml"
          ? ["a.yaml gets no pages: neither the navigation nor the front matter of a page refers to it."]
          : [],
      );
      expect(site.pages.find(({ sourcePath }) => sourcePath === "page.mdx")?.api?.spec).toBe("z.yaml");
    });

  test("is made for an entry of the navigation, which has its document checked and linked", async () => {
    const { site, codes, diagnostics } = await buildSite(
      {
        groups: [
          { group: "Own", arazzo: "flows/berths.yaml", pages: ["flows/berths.yaml bookBerth"] },
          { group: "Others", pages: ["live.yaml growth", "flows/berths.yaml bookBert"] },
        ],
      },
      { ...files, "flows/berths.yaml": faulty },
    );
    expect(site.pages.map(({ api, urlPath }) => [api?.kind, urlPath])).toEqual([
      ["workflow", "/workflows/book-berth"],
      ["channel", "/api-reference/websockets/growth"],
    ]);
    expect(site.specs.find(({ source }) => source === "flows/berths.yaml")?.sources).toEqual({ plain: "plain.json" });
    expect(codes).toEqual(["WORKFLOW_REFERENCE", "WORKFLOW_NOT_FOUND"]);
    expect(diagnostics[1]).toMatchObject({
      what: 'The navigation lists "flows/berths.yaml bookBert", but flows/berths.yaml does not describe that workflow.',
      fix: 'write "flows/berths.yaml bookBerth".',
    });
  });

  test("is made for an entry of the navigation though no setting names its document", async () => {
    const { site, codes } = await buildSite(
      { pages: ["flows/berths.yaml bookBerth"] },
      { ...files, "flows/berths.yaml": faulty },
    );
    expect(site.pages.map(({ api }) => api)).toEqual([workflow]);
    expect(codes).toEqual(["WORKFLOW_REFERENCE"]);
  });

  test("replaces the generated page at its address", async () => {
    const { site, diagnostics } = await buildSite(
      { arazzo: "flows/berths.yaml" },
      { ...files, "workflows/book-berth.mdx": page("Mine", "arazzo: bookBerth") },
    );
    expect(diagnostics).toEqual([]);
    expect(site.pages.map(({ title, urlPath }) => [title, urlPath])).toEqual([["Mine", "/workflows/book-berth"]]);
  });
});

describe("a page about an operation", () => {
  test("takes its title, description and deprecation from it, unless its front matter has them", async () => {
    const spec = openapi({ "/x": { get: { summary: "Get it", description: "One.\n\nTwo.", deprecated: true } } });
    const { at } = await buildSite(
      { pages: ["a", "b"] },
      {
        "api.json": spec,
        "a.mdx": "---\nopenapi: GET /x\n---\n",
        "b.mdx": "---\nopenapi: GET /x\ntitle: Mine\ndescription: Said\ndeprecated: false\n---\n",
      },
    );
    expect(at("/a")).toMatchObject({ title: "Get it", description: "One.", deprecated: true });
    expect(at("/b")).toMatchObject({ title: "Mine", description: "Said", deprecated: false });
  });

  test("is found even if the operation is hidden or excluded", async () => {
    for (const mark of ["x-hidden", "x-excluded"]) {
      const { site, codes } = await buildSite(
        { pages: ["a"] },
        { "api.json": openapi({ "/x": { get: { [mark]: true } } }), "a.mdx": "---\nopenapi: GET /x\n---\n" },
      );
      expect(site.pages).toMatchObject([{ api: { path: "/x" }, visible: true }]);
      expect(codes).toEqual([]);
    }
  });
});

describe("an entry of the navigation", () => {
  test("shows an operation that is marked as hidden", async () => {
    const { site } = await buildSite(
      { groups: [{ group: "G", openapi: "api.json", pages: ["GET /x"] }] },
      { "api.json": openapi({ "/x": { get: { "x-hidden": true } } }) },
    );
    expect(site.pages).toMatchObject([{ visible: true, noindex: false }]);
  });

  test("may be a part of a GraphQL schema, next to one of an API with the method QUERY", async () => {
    const { site, diagnostics } = await buildSite(
      {
        groups: [
          { group: "G", graphql: { source: "s.graphql", directory: "graph" }, pages: ["query tree", "type Tree"] },
          { group: "H", pages: ["QUERY /x"] },
        ],
      },
      { "s.graphql": files["graph/tree.graphql"], "api.json": openapi({ "/x": { query: {} } }) },
    );
    expect(diagnostics).toEqual([]);
    expect(site.pages.map(({ urlPath, api }) => [urlPath, api?.kind])).toEqual([
      ["/graph/queries/tree", "graphql"],
      ["/graph/types/tree", "graphql"],
      ["/api-reference/query-x", "operation"],
    ]);
  });

  test("cannot show one that is excluded", async () => {
    const { codes } = await buildSite(
      { pages: ["a", "GET /x"] },
      { "a.mdx": page("A"), "api.json": openapi({ "/x": { get: { "x-excluded": true } } }) },
    );
    expect(codes).toEqual(["OPERATION_EXCLUDED"]);
  });

  test("next to a page about the same operation is reported", async () => {
    const spec = { "api.json": openapi({ "/x": { get: { summary: "X" } } }) };
    const mine = { "mine.mdx": page("Mine", "openapi: GET /x") };
    for (const pages of [["mine", "GET /x"], ["GET /x"]]) {
      const { diagnostics } = await buildSite({ pages }, { ...spec, ...mine });
      expect(diagnostics.map(({ code, fix }) => [code, fix])).toEqual([
        ["OPERATION_TWICE", 'remove the entry, or list "mine" instead.'],
      ]);
    }
  });

  test("in another language than a page about the same operation is not reported", async () => {
    const { codes } = await buildSite(
      {
        languages: [
          { language: "en", openapi: "api.json", pages: ["GET /x"] },
          { language: "fr", pages: ["fr/mine"] },
        ],
      },
      { "api.json": openapi({ "/x": { get: { summary: "X" } } }), "fr/mine.mdx": page("Mine", "openapi: GET /x") },
    );
    expect(codes).toEqual([]);
  });
});

test("a specification behind the folder of a language that lacks it is the one without the folder, with a warning", async () => {
  const { about, diagnostics } = await aboutOf("openapi: /de/specs/trees.yaml GET /trees");
  expect(about).toMatchObject(list);
  expect(diagnostics).toMatchObject([
    {
      code: "SPEC_NOT_FOUND",
      severity: "warning",
      what: "The API specification /de/specs/trees.yaml does not exist in the site; specs/trees.yaml is used.",
      fix: 'write "specs/trees.yaml".',
    },
  ]);
});

describe("something that does not exist is reported:", () => {
  type Case = readonly [line: string, what: string, fix: string];
  const cases: readonly Case[] = [
    [
      "openapi: plain.json POST /fruit",
      'The page\'s "openapi" is "plain.json POST /fruit", but plain.json does not describe that operation.',
      'write "plain.json GET /fruit".',
    ],
    [
      "openapi: plain.json GET /trees",
      'The page\'s "openapi" is "plain.json GET /trees", but plain.json does not describe that operation.',
      'write "/specs/trees.yaml GET /trees".',
    ],
    [
      "openapi: plan.json GET /fruit",
      "The API specification plan.json does not exist in the site.",
      'write "plain.json".',
    ],
    [
      "openapi: plain.json /fruit",
      'The page\'s "openapi" is "plain.json /fruit", which does not identify an operation.',
      'write "plain.json GET /fruit".',
    ],
    [
      "openapi: plain.json",
      'The page\'s "openapi" is "plain.json", which does not identify an operation.',
      'write the method and the path, such as "GET /users" or "openapi.json GET /users".',
    ],
    [
      "openapi: live.yaml GET /growth",
      "live.yaml is AsyncAPI, but this setting expects OpenAPI.",
      'rename the setting to "asyncapi".',
    ],
    [
      "openapi-schema: data.json Tre",
      'The page\'s "openapi-schema" is "data.json Tre", but data.json does not describe that schema.',
      'write "data.json Tree".',
    ],
    [
      "asyncapi: live.yaml growht",
      'The page\'s "asyncapi" is "live.yaml growht", but live.yaml does not describe that channel.',
      'write "live.yaml growth".',
    ],
  ];
  for (const [line, what, fix] of cases)
    test(line, async () => {
      const { about, diagnostics } = await aboutOf(line);
      expect(about).toBeUndefined();
      expect(diagnostics).toMatchObject([{ what, fix, location: { sourcePath: "api/page.mdx", line: 3 } }]);
    });

  test("a specification of the navigation, once", async () => {
    const { diagnostics } = await buildSite(
      {
        tabs: [
          { tab: "A", openapi: "plan.json" },
          { tab: "B", openapi: "plan.json" },
          { tab: "C", pages: ["a"] },
        ],
      },
      { ...files, "a.mdx": page("A") },
    );
    expect(diagnostics.map(({ code, location }) => `${code} ${location?.line}:${location?.column}`)).toEqual([
      "SPEC_NOT_FOUND 11:20",
    ]);
  });
});

describe("overlays", () => {
  const overlay = (title: string, head: Written = {}): string =>
    JSON.stringify({
      overlay: "1.0.0",
      info: { title, version: "1" },
      ...head,
      actions: [{ target: "$.paths['/a'].get", update: { summary: title } }],
    });
  const spec = openapi({ "/a": { get: { summary: "Own", tags: [] } } });
  type Case = readonly [
    rule: string,
    openapi: unknown,
    files: Readonly<Record<string, string>>,
    title: string,
    codes: readonly string[],
  ];
  const cases: readonly Case[] = [
    ["are applied as listed", { source: "s/api.json", overlays: ["one.json", "two.json"] }, {}, "Two", []],
    ["in that order", { source: "s/api.json", overlays: ["two.json", "one.json"] }, {}, "One", []],
    ["that are missing are told", { source: "s/api.json", overlays: ["onee.json"] }, {}, "Own", ["OVERLAY_NOT_FOUND"]],
    [
      "are found by what they extend",
      "s/api.json",
      { "s/o.json": overlay("Found", { extends: "./api.json" }) },
      "Found",
      [],
    ],
    [
      "are found in YAML",
      "s/api.json",
      {
        "o.yaml": `# mine\noverlay: 1.0.0\nextends: s/api.json\ninfo: {title: O, version: "1"}\nactions:\n  - target: $.paths.*.get\n    update: {summary: Yaml}\n`,
      },
      "Yaml",
      [],
    ],
    [
      "that are found go by their paths",
      "s/api.json",
      { "a.json": overlay("A", { extends: "s/api.json" }), "b.json": overlay("B", { extends: "s/api.json" }) },
      "B",
      [],
    ],
    [
      "that extend another are let be",
      "s/api.json",
      { "o.json": overlay("Found", { extends: "s/other.json" }) },
      "Own",
      [],
    ],
    [
      "that are listed keep others out",
      { source: "s/api.json", overlays: ["one.json"] },
      { "z.json": overlay("Z", { extends: "s/api.json" }) },
      "One",
      [],
    ],
    [
      "are kept out by an empty list",
      { source: "s/api.json", overlays: [] },
      { "z.json": overlay("Z", { extends: "s/api.json" }) },
      "Own",
      [],
    ],
    [
      "that cannot be read are told",
      "s/api.json",
      { "z.yaml": "overlay: 1.0.0\nextends: s/api.json\nactions: [" },
      "Own",
      ["SPEC_SYNTAX"],
    ],
  ];
  for (const [rule, named, more, title, codes] of cases)
    test(rule, async () => {
      const built = await buildSite(
        { groups: [{ group: "API", openapi: named }] },
        { "s/api.json": spec, "one.json": overlay("One"), "two.json": overlay("Two"), ...more },
      );
      expect(built.site.pages.map((each) => each.title)).toEqual([title]);
      expect(built.codes).toEqual(codes);
    });
});

describe("a specification that could not be fetched", () => {
  const url = "https://api.example/openapi.json";
  const about = { "a.mdx": page("A", `openapi: ${url} GET /x`) };
  type Case = readonly [rule: string, navigation: Written, pages: readonly Written[], own?: typeof about];
  const cases: readonly Case[] = [
    [
      "has one page for all that it would have given",
      { groups: [{ group: "Endpoints", openapi: url }] },
      [{ title: "Endpoints", urlPath: "/api-reference/endpoints", unavailableSpec: url, sourcePath: url }],
    ],
    [
      "has a page for each entry",
      { groups: [{ group: "G", openapi: { source: url, directory: "ref" }, pages: ["GET /users/{id}"] }] },
      [{ title: "GET /users/{id}", sidebarTitle: "/users/{id}", urlPath: "/ref/get-users", unavailableSpec: url }],
    ],
    [
      "may be named by the entry",
      { pages: [`${url} GET /x`] },
      [{ title: "GET /x", urlPath: "/api-reference/get-x", unavailableSpec: url }],
    ],
    [
      "may be the subject of a page",
      { pages: ["a"] },
      [{ title: "A", urlPath: "/a", unavailableSpec: url, sourcePath: "a.mdx" }],
      about,
    ],
  ];
  for (const [rule, navigation, pages, own = {}] of cases)
    test(rule, async () => {
      const { site, diagnostics } = await buildSite(navigation, own);
      expect(site.pages).toMatchObject(pages);
      expect(diagnostics).toMatchObject([
        {
          code: "SPEC_UNAVAILABLE",
          severity: "warning",
          what: `The specification at ${url} could not be fetched: this export fetches nothing from the network. Its pages only say that it is missing.`,
        },
      ]);
      expect(diagnostics[0]?.location?.line).toBeGreaterThan(0);
    });
});
