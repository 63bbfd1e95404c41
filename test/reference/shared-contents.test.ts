import type { RootContent } from "mdast";
import { expect, test } from "vitest";
import { messagesFor } from "../../src/lib/language/index.js";
import type { ApiTarget } from "../../src/site/specs/api-target.js";
import { rendererOf } from "../page/render/render-markdown.js";
import {
  documentOf,
  htmlOf,
  markdownMaker,
  markdownOf,
  operationTarget,
  referenceOf,
  specOf,
  targetsOf,
} from "./spec-of.js";

/** Operations on one resource, which is also their request body; parameters have the names of its fields. */
const spec = specOf(
  documentOf(`
openapi: 3.1.0
info: {title: Boats, version: "1"}
servers: [{url: "https://boats.example"}]
paths:
  /boats:
    get:
      parameters: [{name: id, in: query, schema: {type: string}}]
      responses:
        '200': {description: all, content: {application/json: {schema: {$ref: '#/components/schemas/Boats'}}}}
        '404': {$ref: '#/components/responses/Gone'}
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
      responses:
        '200': {description: new, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        '404': {$ref: '#/components/responses/Gone'}
  /boats/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        '404': {$ref: '#/components/responses/Gone'}
    patch:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        '404': {$ref: '#/components/responses/Gone'}
    delete:
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        '404': {$ref: '#/components/responses/Gone'}
  /harbours:
    get:
      responses:
        '200': {description: all, content: {application/json: {schema: {$ref: '#/components/schemas/Linked'}}}}
        '404': {$ref: '#/components/responses/Gone'}
components:
  responses:
    Gone: {description: gone, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  schemas:
    Boats: {type: object, properties: {data: {type: array, items: {$ref: '#/components/schemas/Boat'}}}}
    Boat:
      type: object
      description: A **boat** with \`oars\`.
      required: [name]
      properties:
        id: {type: string, readOnly: true}
        name: {type: string, description: name of the boat, default: Ann}
        length: {type: number, minimum: 2}
        drive:
          oneOf:
            - {title: Sail, type: object, properties: {area: {type: number}, kind: {const: sail}}}
            - {title: Engine, type: object, properties: {power: {type: number}, kind: {const: engine}}}
        owner: {type: object, properties: {name: {type: string}, id: {type: string}}}
    Problem: {type: object, properties: {code: {type: string, enum: [a, b]}, id: {type: string}}}
    Linked:
      type: object
      properties:
        text: {type: string, description: "See [the list](/guides/install)."}
        next: {$ref: '#/components/schemas/Linked'}
`),
);
const operations = targetsOf(spec).filter((each) => each.kind === "operation");

/** Makes pages in order, sharing the kept contents. */
async function pagesOf(targets: readonly ApiTarget[]) {
  const reference = referenceOf(spec);
  const renderer = await rendererOf();
  const maker = markdownMaker();
  const pages = new Map<ApiTarget, unknown>();
  for (const target of targets) {
    const { tree } = reference.content(target, { messages: messagesFor("en") });
    const { body, panel, page } = await htmlOf(tree, renderer);
    pages.set(target, { body, panel, page, markdown: markdownOf(tree, "", maker) });
  }
  return pages;
}

test("a page does not depend on earlier pages", async () => {
  const alone = new Map<ApiTarget, unknown>();
  for (const target of operations) alone.set(target, (await pagesOf([target])).get(target));
  for (const order of [operations, operations.toReversed(), [...operations.slice(3), ...operations]]) {
    const pages = await pagesOf(order);
    for (const target of operations) expect(pages.get(target)).toEqual(alone.get(target));
  }
});

test("the search index includes shared fields", async () => {
  const pages = await pagesOf(operations);
  const { page } = pages.get(listed("get /boats/{id}")) as Awaited<ReturnType<typeof htmlOf>>;
  const found = page.sections.map(({ id, heading, text }) => [id, heading, text]);
  expect(found).toContainEqual(["param-name", "name", "string required default: Ann name of the boat"]);
  expect(found).toContainEqual(["param-drive:power", "power", "number"]);
});

const listed = (name: string): ApiTarget => {
  const wanted = operationTarget(spec, name);
  return operations.find((each) => JSON.stringify(each) === JSON.stringify(wanted))!;
};

test("operations on one resource share its nodes if its fields have the same ids", () => {
  const reference = referenceOf(spec);
  const nodesOf = (name: string): Set<RootContent> =>
    sharedIn(reference.content(operationTarget(spec, name), { messages: messagesFor("en") }).tree);
  const [one, none, all] = [nodesOf("get /boats/{id}"), nodesOf("delete /boats/{id}"), nodesOf("get /boats")];
  expect([...one].filter((node) => none.has(node))).toHaveLength(2);
  // A path parameter takes the plain id of the field "id"; on the list, a query parameter takes it.
  expect([...one].filter((node) => all.has(node))).toHaveLength(1);
});

test("content with a link into the site is not shared", () => {
  const reference = referenceOf(spec);
  const { tree } = reference.content(operationTarget(spec, "get /harbours"), { messages: messagesFor("en") });
  expect(sharedIn(tree).size).toBe(1);
});

test("content in another language is not shared", () => {
  const reference = referenceOf(spec);
  const [english, german] = ["en", "de"].map((language) =>
    sharedIn(reference.content(operationTarget(spec, "get /boats/{id}"), { messages: messagesFor(language) }).tree),
  );
  expect([...english!].filter((node) => german!.has(node))).toEqual([]);
});

function sharedIn(nodes: readonly RootContent[]): Set<RootContent> {
  const found = new Set<RootContent>();
  for (const node of nodes) {
    if (node.data?.shared) found.add(node);
    if ("children" in node) for (const each of sharedIn(node.children as RootContent[])) found.add(each);
  }
  return found;
}
