/** How many openings and links are between the page of an operation and a field. */
import type { Nodes } from "mdast";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/lib/json/index.js";
import { messagesFor } from "../../src/lib/language/index.js";
import { maxFolds } from "../../src/reference/schema/schema-fields.js";
import type { ApiTarget } from "../../src/site/specs/index.js";
import { object, ref, referenceOf, specOf } from "./spec-of.js";

const fields = (prefix: string, count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, { type: "string" }]));
const answers = (schema: JsonObject): JsonObject => ({
  get: { responses: { "200": { description: "Done", content: { "application/json": { schema } } } } },
});

const contentOf = (document: JsonObject, target: ApiTarget) =>
  referenceOf(specOf(document)).content(target, {
    messages: messagesFor("en"),
    models: { from: "api/page.html", folder: () => "models/" },
  });

interface Part {
  readonly node: Extract<Nodes, { type: "mdxJsxFlowElement" }>;
  /** Closed parts around it. */
  readonly folds: number;
}

function partsIn(nodes: readonly Nodes[], folds = 0): Part[] {
  return nodes.flatMap((node) => {
    const own = node.type === "mdxJsxFlowElement" ? [{ node, folds }] : [];
    const isClosed = own[0]?.node.name === "Expandable" && own[0].node.data?.props?.["defaultOpen"] !== true;
    return [...own, ...("children" in node ? partsIn(node.children, folds + (isClosed ? 1 : 0)) : [])];
  });
}

const linksIn = (nodes: readonly Nodes[]): { url: string; text: string }[] =>
  nodes.flatMap((node) => [
    ...(node.type === "link" ? [{ url: node.url, text: JSON.stringify(node.children) }] : []),
    ...("children" in node ? linksIn(node.children) : []),
  ]);

const propOf = ({ node }: Part, name: string) => node.data?.props?.[name];

test("a part with a page of its own is below at most one closed part, so that its fields are two steps away", () => {
  const deep = object({ b: object({ c: object({ item: ref("Item") }), d: object(fields("d", 3)) }) });
  const plain = object({ f: object({ g: object(fields("g", 3)) }) });
  const document = {
    openapi: "3.1.0",
    paths: Object.fromEntries(["/a", "/b", "/c"].map((path) => [path, answers(ref("Whole"))])),
    components: {
      schemas: { Whole: object({ a: deep, e: plain, rest: ref("Item") }), Item: object(fields("i", 120)) },
    },
  };
  const { tree } = contentOf(document, { kind: "operation", spec: "x", method: "get", path: "/a" });
  const parts = partsIn(tree as Nodes[]);
  const pages = parts.filter((part) => propOf(part, "source") !== undefined);
  expect(pages.map(({ folds }) => folds)).toEqual([1, 0]);
  // Other parts stay closed as before.
  const depthOf = (name: string) => parts.find((part) => propOf(part, "name") === name)!.folds;
  expect([depthOf("b"), depthOf("c"), depthOf("g0")]).toEqual([1, 1, maxFolds]);
});

/** Thirty fields with the same 180 values, among them one further down the page than its structure is opened. */
const prices = {
  openapi: "3.1.0",
  paths: { "/orders": answers(ref("Order")) },
  components: {
    schemas: {
      Order: object({
        first: object({ inner: ref("Price") }),
        ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`price${i}`, ref("Price")])),
      }),
      Price: object({ amount: { type: "number" }, currency: { enum: Array.from({ length: 180 }, (_, i) => `C${i}`) } }),
    },
  },
} satisfies JsonObject;

test("the page of a too large object shows a structure once, and its other places link there", () => {
  const pointer = "#/components/schemas/Order";
  const { tree, models, diagnostics } = contentOf(prices, {
    kind: "model",
    spec: "x",
    name: "Order",
    pointer,
    skip: 0,
  });
  expect({ models, diagnostics }).toEqual({ models: undefined, diagnostics: [] });
  const parts = partsIn(tree as Nodes[]);
  expect(parts.filter((part) => propOf(part, "name") === "currency").length).toBe(1);
  const ids = new Set(parts.map((part) => propOf(part, "id")));
  const links = linksIn(tree as Nodes[]).filter(({ url }) => url.startsWith("#"));
  expect(links.length).toBe(30);
  // The first place is nearer to the top of the structure, and further down the page, than one of the others.
  for (const { url, text } of links) {
    expect(ids).toContain(url.slice(1));
    expect(text).toContain("price0");
  }
});

test("the page of an object contains everything that no other page of the site has", () => {
  // More than its usual room, in parts with and without a name, small and large.
  const parts = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`part${i}`, object(fields(`p${i}x`, 55))]));
  const document = {
    openapi: "3.1.0",
    paths: Object.fromEntries(["/a", "/b", "/c"].map((path) => [path, answers(ref("Whole"))])),
    components: { schemas: { Whole: object({ ...parts, small: ref("Small") }), Small: object(fields("s", 4)) } },
  };
  const pointer = "#/components/schemas/Whole";
  const { tree, models } = contentOf(document, { kind: "model", spec: "x", name: "Whole", pointer, skip: 0 });
  expect(models).toBeUndefined();
  expect(
    partsIn(tree as Nodes[]).filter((part) => propOf(part, "id") !== undefined && part.node.name === "ParamField"),
  ).toHaveLength(6 * 56 + 5);
});

/** A structure that two schemas describe, as all those inside it, so that only the whole has a page. */
const combined = (): JsonObject => {
  const owner = () => object(fields("o", 20));
  const repo = () => object({ ...fields("r", 90), owner: owner() });
  const side = () => object({ repo: repo(), user: owner() });
  const rough = () => object({ base: side(), head: side() });
  const pull = { allOf: [object({ ...fields("p", 40), base: side(), head: side() }), rough()] };
  return answers(object({ pull, other: object(fields("x", 90)) }));
};

test("what a page has no room for is on the page of the nearest structure around it that has one", () => {
  const document = { openapi: "3.1.0", paths: { "/a": combined() } };
  const { models, diagnostics } = contentOf(document, { kind: "operation", spec: "x", method: "get", path: "/a" });
  expect({ diagnostics, models: models?.map(({ target }) => target.name) }).toEqual({
    diagnostics: [],
    models: ["pull"],
  });
  const model = contentOf(document, models![0]!.target);
  expect(model.diagnostics).toEqual([]);
  // A link of the page does not lead to another one.
  const parts = partsIn(model.tree as Nodes[]);
  expect(parts.filter((part) => propOf(part, "name") === "o19").length).toBeGreaterThan(2);
});

test("below a callback, which is closed, one part is closed and its content is open", () => {
  const body = object({ data: object({ payload: object(fields("p", 3)) }) });
  const post = { requestBody: { content: { "application/json": { schema: body } } }, responses: {} };
  const callbacks = { sent: { "{$request.query.url}": { post } } };
  const document = { openapi: "3.1.0", paths: { "/a": { get: { callbacks, responses: {} } } } };
  const { tree } = contentOf(document, { kind: "operation", spec: "x", method: "get", path: "/a" });
  const field = partsIn(tree as Nodes[]).find((part) => propOf(part, "name") === "p0");
  expect(field?.folds).toBe(1);
});
