import { describe, expect, test } from "vitest";
import { buildSite, drawNavigation, page, type Written } from "../build-site.js";
import { live, plain, trees } from "./orchard.js";

const files = {
  "a.mdx": page("A"),
  "b.mdx": page("B"),
  "trees.json": trees,
  "plain.json": plain,
  "live.yaml": live,
};

describe("a specification in the navigation", () => {
  type Case = readonly [rule: string, navigation: Written, drawing: string];
  const cases: readonly Case[] = [
    [
      "at the root gives everything",
      { openapi: "trees.json" },
      `root Acme* @/api-reference/trees/list-trees
         trees
           - List trees /api-reference/trees/list-trees
           - Plant a tree /api-reference/trees/plant-a-tree
         Orchard
           - Health /api-reference/health`,
    ],
    [
      "without tags gives pages without groups",
      { openapi: "plain.json" },
      `root Acme* @/api-reference/list-fruit
         - List fruit /api-reference/list-fruit
         - Eat it /api-reference/eat-it`,
    ],
    ...(["languages", "versions", "products", "tabs", "anchors", "dropdowns"] as const).map((list): Case => {
      const kind = list.slice(0, -1);
      const label = kind === "language" ? "en" : "One";
      return [
        `fills a bare ${kind}`,
        { [list]: [{ [kind]: label, openapi: "plain.json" }] },
        [
          "root Acme* @/api-reference/list-fruit",
          `  ${kind} ${label}* @/api-reference/list-fruit`,
          "    - List fruit /api-reference/list-fruit",
          "    - Eat it /api-reference/eat-it",
        ].join("\n"),
      ];
    }),
    [
      "fills a bare item of a menu",
      { tabs: [{ tab: "T", menu: [{ item: "API", openapi: "plain.json" }] }] },
      `root Acme* @/api-reference/list-fruit
         tab T* @/api-reference/list-fruit
           menu API* @/api-reference/list-fruit
             - List fruit /api-reference/list-fruit
             - Eat it /api-reference/eat-it`,
    ],
    [
      "fills a bare group, at any depth",
      { groups: [{ group: "G", pages: ["a", { group: "API", openapi: ["plain.json"], pages: [] }] }] },
      `root Acme* @/a
         G
           - A /a
           API (closed)
             - List fruit /api-reference/list-fruit
             - Eat it /api-reference/eat-it`,
    ],
    [
      "goes into the directory it names",
      { openapi: { source: "plain.json", directory: "/ref/v1/" } },
      `root Acme* @/ref/v1/list-fruit
         - List fruit /ref/v1/list-fruit
         - Eat it /ref/v1/eat-it`,
    ],
    [
      "may be one of several, each with its directory",
      { openapi: [{ source: "plain.json", directory: "one" }, "trees.json"] },
      `root Acme* @/one/list-fruit
         Orchard
           - List fruit /one/list-fruit
           - Eat it /one/eat-it
           - Health /api-reference/health
         trees
           - List trees /api-reference/trees/list-trees
           - Plant a tree /api-reference/trees/plant-a-tree`,
    ],
    [
      "of AsyncAPI gives a page for each channel",
      { groups: [{ group: "Live", asyncapi: "live.yaml" }] },
      `root Acme* @/api-reference/websockets/growth
         Live
           - Growth /api-reference/websockets/growth
           - weather /api-reference/websockets/weather`,
    ],
    [
      "stands after the pages of its group",
      { groups: [{ group: "API", openapi: "plain.json", pages: ["a"] }] },
      `root Acme* @/a
         API
           - A /a
           - List fruit /api-reference/list-fruit
           - Eat it /api-reference/eat-it`,
    ],
    [
      "fills the empty group of a tab that names it",
      {
        tabs: [
          {
            tab: "API",
            openapi: "plain.json",
            groups: [
              { group: "Start", pages: ["a"] },
              { group: "Endpoints", pages: [] },
            ],
          },
        ],
      },
      `root Acme* @/a
         tab API* @/a
           Start
             - A /a
           Endpoints
             - List fruit /api-reference/list-fruit
             - Eat it /api-reference/eat-it`,
    ],
    [
      "gives only the operations that are listed",
      { groups: [{ group: "API", openapi: "trees.json", pages: ["a", "GET /health"] }] },
      `root Acme* @/a
         API
           - A /a
           - Health /api-reference/health`,
    ],
    [
      "gives nothing more when one is listed further down",
      {
        tabs: [
          {
            tab: "API",
            openapi: "trees.json",
            groups: [{ group: "G", pages: [{ group: "H", pages: ["GET /health"] }] }],
          },
        ],
      },
      `root Acme* @/api-reference/health
         tab API* @/api-reference/health
           G
             H (closed)
               - Health /api-reference/health`,
    ],
    [
      "counts below what names it, unless that names another",
      {
        tabs: [
          {
            tab: "API",
            openapi: { source: "trees.json", directory: "one" },
            groups: [
              { group: "G", pages: ["GET /health"] },
              { group: "H", openapi: { source: "plain.json", directory: "two" }, pages: ["GET /fruit"] },
            ],
          },
        ],
      },
      `root Acme* @/one/health
         tab API* @/one/health
           G
             - Health /one/health
           H
             - List fruit /two/list-fruit`,
    ],
    [
      "may be named by the entry itself",
      { pages: ["plain.json GET /fruit", "./plain delete /fruit", "live.yaml weather", "a"] },
      `root Acme* @/api-reference/list-fruit
         - List fruit /api-reference/list-fruit
         - Eat it /api-reference/eat-it
         - weather /api-reference/websockets/weather
         - A /a`,
    ],
    [
      "is not needed where some file describes the operation",
      { pages: ["GET /fruit/", "get /health"] },
      `root Acme* @/api-reference/list-fruit
         - List fruit /api-reference/list-fruit
         - Health /api-reference/health`,
    ],
    [
      "is a group's root",
      { groups: [{ group: "G", root: "GET /health", pages: ["a"] }] },
      `root Acme* @/api-reference/health
         G /api-reference/health
           - A /a`,
    ],
    [
      "fills languages that have nothing else, at addresses of their own",
      {
        languages: [
          { language: "en", openapi: "plain.json" },
          { language: "fr", openapi: { source: "plain.json", directory: "fr/api" } },
        ],
      },
      `root Acme* @/api-reference/list-fruit
         language en* @/api-reference/list-fruit
           - List fruit /api-reference/list-fruit
           - Eat it /api-reference/eat-it
         language fr @/fr/api/list-fruit
           - List fruit /fr/api/list-fruit
           - Eat it /fr/api/eat-it`,
    ],
    [
      "gives the same pages to every place that names it alike",
      {
        tabs: [
          { tab: "A", openapi: "plain.json" },
          { tab: "B", openapi: "plain.json" },
        ],
      },
      `root Acme* @/api-reference/list-fruit
         tab A* @/api-reference/list-fruit
           - List fruit /api-reference/list-fruit
           - Eat it /api-reference/eat-it
         tab B @/api-reference/list-fruit
           - List fruit /api-reference/list-fruit
           - Eat it /api-reference/eat-it`,
    ],
  ];
  for (const [rule, navigation, drawing] of cases)
    test(rule, async () => {
      const { site, codes } = await buildSite(navigation, files);
      expect(drawNavigation(site)).toBe(drawing.replace(/^ {9}/gm, "  "));
      expect(codes).toEqual([]);
    });
});

test("a specification whose files are missing has one message, not one more for having no operations", async () => {
  const paths = Array.from({ length: 13 }, (_, i) => [`/p${i}`, { $ref: `paths/p${i}.yaml` }]);
  const spec = { openapi: "3.1.0", info: { title: "Trees", version: "1" }, paths: Object.fromEntries(paths) };
  const { codes } = await buildSite(
    {
      tabs: [
        { tab: "Home", pages: ["a"] },
        { tab: "API", openapi: "parts.json" },
      ],
    },
    { ...files, "parts.json": JSON.stringify(spec) },
  );
  expect(codes.filter((code) => code === "SPEC_EMPTY")).toHaveLength(1);
});
