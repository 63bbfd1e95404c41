import { expect, test } from "vitest";
import { buildSite, drawNavigation, page, type Written } from "../build-site.js";
import { openapi } from "./orchard.js";

/** The texts of a specification about the whole API and its tags, as pages of the navigation. */
const trees = { summary: "List trees", tags: ["trees"] };
const users = { summary: "List users", tags: ["users"] };
const paths: Written = { "/trees": { get: trees }, "/users": { get: users } };
const info = { title: "Orchard", version: "1", description: "All about *trees*.\n\nMore." };
const told = { name: "trees", description: "They grow." };

const api = { groups: [{ group: "API", openapi: "api.json" }] };
const drawn = async (spec: string, files: Readonly<Record<string, string>> = {}, navigation: Written = api) => {
  const { site, codes } = await buildSite(navigation, { "api.json": spec, ...files });
  expect(codes).toEqual([]);
  // Without the line of the root and the group around everything.
  return drawNavigation(site).split("\n").slice(2).join("\n");
};

const cases: readonly [rule: string, spec: string, drawing: string, files?: Readonly<Record<string, string>>][] = [
  [
    "the overview is the first page of the container, the page of a tag the first of its group",
    openapi(paths, { info, tags: [told, { name: "users" }] }),
    `- Overview /api-reference/overview
     trees (closed)
       - Overview /api-reference/trees
       - List trees /api-reference/trees/list-trees
     users (closed)
       - List users /api-reference/users/list-users`,
  ],
  [
    "an object is called by the words of its name",
    openapi(
      {
        "/trees": {
          get: {
            ...trees,
            responses: { 200: { content: { "a/b": { schema: { $ref: "#/components/schemas/farm_yard.BigTree" } } } } },
          },
        },
      },
      { components: { schemas: { "farm_yard.BigTree": { properties: { a: { type: "string" } } } } } },
    ),
    `trees (closed)
       - List trees /api-reference/trees/list-trees
       Objects (closed)
         - farm_yard.BigTree /api-reference/objects/farm-yard-big-tree
     - Objects /api-reference/objects`,
  ],
  [
    "objects of other files have addresses that stay when others come, and titles that tell equal names apart",
    openapi(
      {
        "/trees": {
          get: {
            ...trees,
            responses: Object.fromEntries(
              ["#/components/schemas/Tree", "more.yaml#/Tree", "a/Leaf.yaml", "b/Leaf.yaml"].map(($ref, i) => [
                `20${i}`,
                { content: { "a/b": { schema: { $ref } } } },
              ]),
            ),
          },
        },
      },
      { components: { schemas: { Tree: { properties: { a: { type: "string" } } } } } },
    ),
    `trees (closed)
       - List trees /api-reference/trees/list-trees
       Objects (closed)
         - Leaf (a) /api-reference/objects/a-leaf
         - Leaf (b) /api-reference/objects/b-leaf
         - Tree /api-reference/objects/tree
         - Tree (more) /api-reference/objects/more-tree
     - Objects /api-reference/objects`,
    {
      "more.yaml": "Tree: { properties: { b: { type: string } } }",
      "a/Leaf.yaml": "properties: { c: { type: string } }",
      "b/Leaf.yaml": "properties: { d: { type: string } }",
    },
  ],
  [
    "documents elsewhere are enough to say",
    openapi(
      { "/trees": { get: trees } },
      { externalDocs: { url: "https://x.y" }, tags: [{ ...told, description: "" }] },
    ),
    `- Overview /api-reference/overview
     trees (closed)
       - List trees /api-reference/trees/list-trees`,
  ],
  [
    "a specification that says nothing has neither",
    openapi(paths, { tags: [{ name: "trees" }, { name: "users", description: " " }] }),
    `trees (closed)
       - List trees /api-reference/trees/list-trees
     users (closed)
       - List users /api-reference/users/list-users`,
  ],
  [
    "a tag without operations introduces the others",
    openapi({ "/users": { get: users } }, { tags: [{ name: "users" }, { ...told, "x-displayName": "On trees" }] }),
    `- On trees /api-reference/trees
     users (closed)
       - List users /api-reference/users/list-users`,
  ],
  [
    "a tag whose operations are all hidden has no page, nor has one that is not for the navigation",
    openapi(
      { "/trees": { get: { ...trees, "x-hidden": true } }, "/users": { get: users } },
      { tags: [told, { name: "beta", kind: "badge", description: "Not ready." }] },
    ),
    `users (closed)
       - List users /api-reference/users/list-users`,
  ],
  [
    "x-tagGroups are groups around those of tags, in their order; other tags come after them",
    openapi(
      { ...paths, "/pears": { get: { summary: "List pears", tags: ["pears"] } } },
      {
        tags: [told],
        "x-tagGroups": [
          { name: "People", tags: ["users"] },
          { name: "Plants", tags: ["pears", "none"] },
        ],
      },
    ),
    `People (closed)
       users (closed)
         - List users /api-reference/users/list-users
     Plants (closed)
       pears (closed)
         - List pears /api-reference/pears/list-pears
     trees (closed)
       - Overview /api-reference/trees
       - List trees /api-reference/trees/list-trees`,
  ],
  [
    "the page of a tag is in the group of its parent",
    openapi(
      { "/trees": { get: trees } },
      {
        tags: [
          { ...told, parent: "plants", summary: "Trees" },
          { name: "plants", description: "Green." },
        ],
      },
    ),
    `plants (closed)
       - Overview /api-reference/plants
       Trees (closed)
         - Overview /api-reference/trees
         - List trees /api-reference/trees/list-trees`,
  ],
  [
    "operations keep their addresses",
    openapi(
      { "/a": { get: { summary: "Overview" } }, "/b": { get: { summary: "Trees" } }, "/trees": { get: trees } },
      { info, tags: [told] },
    ),
    `- Overview /api-reference/overview-orchard
     Orchard (closed)
       - Overview /api-reference/overview
       - Trees /api-reference/trees
     trees (closed)
       - Overview /api-reference/trees-orchard
       - List trees /api-reference/trees/list-trees`,
  ],
  [
    "a page file at the address is shown instead",
    openapi({ "/trees": { get: trees } }, { info, tags: [told] }),
    `trees (closed)
       - List trees /api-reference/trees/list-trees`,
    { "api-reference/overview.mdx": page("Mine"), "api-reference/trees.mdx": page("Mine too") },
  ],
];

for (const [rule, spec, drawing, files] of cases)
  test(rule, async () => {
    const lines = (await drawn(spec, files)).replace(/^ {4}/gm, "");
    expect(lines).toBe(drawing.replace(/^ {5}/gm, ""));
  });

test("the overview comes first where operations are listed by hand, if the specification is asked for it", async () => {
  const spec = openapi(paths, { info, tags: [told] });
  const listed = (overview?: boolean) => {
    const source = { source: "api.json", ...(overview === undefined ? {} : { overview }) };
    return drawn(spec, {}, { groups: [{ group: "API", openapi: source, pages: ["GET /users", "GET /trees"] }] });
  };
  const byHand = "    - List users /api-reference/users/list-users\n    - List trees /api-reference/trees/list-trees";
  expect(await listed()).toBe(byHand);
  expect(await listed(true)).toBe(`    - Overview /api-reference/overview\n${byHand}`);
});

test("the objects of operations that are listed by hand come once per sidebar, with the first group that names the specification", async () => {
  const content = { "a/b": { schema: { $ref: "#/components/schemas/Tree" } } };
  const responses = { 200: { content } };
  const spec = openapi(
    { "/trees": { get: { ...trees, responses } }, "/users": { get: { ...users, responses } } },
    { components: { schemas: { Tree: { properties: { a: { type: "string" } } } } } },
  );
  const groups = ["trees", "users"].map((name) => ({ group: name, openapi: "api.json", pages: [`GET /${name}`] }));
  const once = await drawn(spec, {}, { groups });
  expect(once.match(/- Tree /g)).toHaveLength(1);
  expect(once.indexOf("- Tree ")).toBeLessThan(once.indexOf("- List users "));
  expect(
    (await drawn(spec, {}, { tabs: groups.map(({ group, ...rest }) => ({ tab: group, ...rest })) })).match(/- Tree /g),
  ).toHaveLength(2);
});

test("a specification may have no overview", async () => {
  const navigation = { groups: [{ group: "API", openapi: { source: "api.json", overview: false } }] };
  expect(await drawn(openapi(paths, { info }), {}, navigation)).not.toContain("Overview");
});

test("they have the title of the API, the label of the tag, and the first paragraph", async () => {
  const { at } = await buildSite(api, {
    "api.json": openapi(paths, { info, tags: [{ ...told, "x-displayName": "Trees" }] }),
  });
  expect(at("/api-reference/overview")).toMatchObject({
    title: "Orchard",
    description: "All about *trees*.",
    api: { kind: "overview", spec: "api.json" },
  });
  expect(at("/api-reference/trees")).toMatchObject({
    title: "Trees",
    description: "They grow.",
    api: { kind: "group", spec: "api.json", name: "trees", pointer: "#/tags/0" },
  });
});

test("the sidebar uses a word of its language for them, and the API's title if there are several", async () => {
  const spec = openapi(paths, { info });
  const languages = [
    {
      language: "de",
      groups: [
        { group: "API", openapi: ["api.json", "other.json"] },
        { group: "B", openapi: "api.json" },
      ],
    },
  ];
  const { site } = await buildSite({ languages }, { "api.json": spec, "other.json": spec });
  const names = site.pages
    .filter((each) => each.api?.kind === "overview")
    .map(({ sidebarTitle, title }) => sidebarTitle ?? title);
  expect(names).toEqual(["Orchard", "Orchard"]);
  const alone = await buildSite({ languages: [{ language: "de", openapi: "api.json" }] }, { "api.json": spec });
  expect(alone.at("/api-reference/overview").sidebarTitle).toBe("Überblick");
});

test("info and tags of AsyncAPI are shown like those of OpenAPI", async () => {
  const live = `asyncapi: 2.6.0
info: {title: Live, version: "1", description: About it.}
tags: [{name: growth, description: How they grow.}]
channels: {weather: {}}
`;
  const navigation = { groups: [{ group: "API", asyncapi: "live.yaml" }] };
  const lines = await drawn("{}", { "live.yaml": live }, navigation);
  expect(lines.replace(/^ {4}/gm, "")).toBe(
    `- Overview /api-reference/overview
- growth /api-reference/growth
- weather /api-reference/websockets/weather`,
  );
});

test("a channel is in the folder of its protocol, with a redirect from that of WebSockets", async () => {
  const channel = (server: string) => ({ servers: [{ $ref: `#/servers/${server}` }] });
  const spec = JSON.stringify({
    asyncapi: "3.0.0",
    info: { title: "T", version: "1" },
    servers: {
      k: { host: "h", protocol: "kafka-secure" },
      m: { host: "h", protocol: "mqtts" },
      w: { host: "h", protocol: "wss" },
    },
    channels: { a: channel("k"), b: channel("m"), c: channel("w") },
  });
  const { site } = await buildSite({ groups: [{ group: "API", asyncapi: "live.json" }] }, { "live.json": spec });
  expect(site.pages.map(({ urlPath }) => urlPath)).toEqual([
    "/api-reference/overview",
    "/api-reference/kafka/a",
    "/api-reference/mqtt/b",
    "/api-reference/websockets/c",
  ]);
  expect(site.config.redirects.map(({ source, destination }) => [source, destination])).toEqual([
    ["/api-reference/websockets/a", "/api-reference/kafka/a"],
    ["/api-reference/websockets/b", "/api-reference/mqtt/b"],
  ]);
});

test("an API that only has a title and a version has an overview, which shows them", async () => {
  const spec = openapi(paths, { info: { title: "Orchard", version: "v9.9-x" } });
  expect(await drawn(spec)).toContain("- Overview /api-reference/overview");
});

test("overviews of several specifications in one folder are told apart by the titles of the APIs", async () => {
  const of = (title: string) => openapi(paths, { info: { title, version: "1" } });
  const navigation = { groups: [{ group: "API", openapi: ["a.json", "b.json", "c.json"] }] };
  const { site } = await buildSite(navigation, {
    "a.json": of("One"),
    "b.json": of("Two (b)"),
    "c.json": of("Two (b)"),
  });
  const overviews = site.pages.flatMap(({ api, urlPath }) => (api?.kind === "overview" ? [urlPath] : []));
  expect(overviews.slice(0, 2)).toEqual(["/api-reference/overview", "/api-reference/overview-two-b"]);
  expect(overviews[2]).toMatch(/^\/api-reference\/overview-two-b-[0-9a-f]{8}$/);
});
