import { expect, test } from "vitest";
import { contentOf, documentOf, htmlOf, specOf } from "./spec-of.js";

const written = [
  "tag/Big-Users",
  "tag/big-users/GET/users/{id}",
  "tag/Big-Users/operation/listUsers",
  "operation/listUsers",
  "section/How-to/Errors",
  "/operations/listUsers",
  "/paths/~1users/get",
  "/Big%20Users/listUsers",
  "/components/schemas/User",
  "listUsers",
  "errors",
  "section/Authentication",
  "section/Authentication/Key",
  "/components/securitySchemes/Key",
  "tag/Big-Users/paths/~1users~1{id}/get",
  "response",
  "tag/none",
];
const spec = specOf(
  documentOf(`
openapi: 3.1.0
info: {title: T, version: '1', description: "# How to\\n\\n## Errors\\n\\nGo on."}
tags: [{name: Big Users, description: All}]
paths:
  /users: {get: {operationId: listUsers, tags: [Big Users], description: "${written.map((anchor) => `[a](#${anchor})`).join(" ")} <a href='#operation/listUsers'>b</a>", responses: {'200': {description: "<p>See <a href='#tag/Big-Users'>c</a></p>"}}}}
  /users/{id}: {get: {operationId: getUser, tags: [Big Users]}}
components: {schemas: {User: {type: string}}, securitySchemes: {Key: {type: apiKey, in: header, name: X-Key}}}
`),
);

test("anchors of other tools in descriptions lead to the pages of the API", async () => {
  const { tree } = contentOf(
    spec,
    { kind: "operation", spec: "openapi.json", method: "get", path: "/users" },
    {
      pageOf: (target) =>
        `/${target.kind}${"path" in target ? target.path : "name" in target ? `/${target.name}` : ""}`,
    },
  );
  const found = JSON.stringify(tree);
  const urls = [...found.matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
  expect(urls.slice(0, written.length)).toEqual([
    "/group/Big Users",
    "/operation/users/{id}",
    "/operation/users",
    "/operation/users",
    "/overview#errors",
    "/operation/users",
    "/operation/users",
    "/operation/users",
    "/schema/User",
    "/operation/users",
    "/overview#errors",
    "/overview#authorizations",
    "/overview#authorizations",
    "/overview#authorizations",
    "/operation/users/{id}",
    "#response",
    "#tag/none",
  ]);
  const { body } = await htmlOf(tree);
  expect(body).toContain(">b</a>");
});

test("an anchor of the description itself stays", () => {
  const { tree } = contentOf(
    specOf({
      openapi: "3.1.0",
      info: { title: "T", version: "1", description: "# Errors" },
      paths: { "/a": { get: { description: "[a](#errors)\n\n# Errors\n\nOwn." } } },
    }),
    { kind: "operation", spec: "openapi.json", method: "get", path: "/a" },
    { pageOf: () => "/x" },
  );
  expect(JSON.stringify(tree)).toContain('"url":"#errors"');
});

test("a link to a schema leads to the page of the object if the schema has no page by its name", () => {
  const { tree } = contentOf(
    specOf({
      openapi: "3.1.0",
      info: { title: "T", version: "1" },
      paths: { "/a": { get: { description: "[a](#/components/schemas/User) [b](#/definitions/User)" } } },
      components: { schemas: { User: { type: "string" } } },
    }),
    { kind: "operation", spec: "openapi.json", method: "get", path: "/a" },
    { pageOf: (target) => (target.kind === "model" ? target.pointer.replace("#", "/objects") : undefined) },
  );
  const urls = [...JSON.stringify(tree).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
  expect(urls).toEqual(["/objects/components/schemas/User", "/objects/components/schemas/User"]);
});

test("a link to a shared response, parameter or body leads to the first operation that has it", () => {
  const links = ["responses/Lost", "parameters/Berth", "requestBodies/Boat", "responses/Unused", "examples/Lost"];
  const description = links.map((name) => `[a](#/components/${name})`).join(" ");
  const spec = specOf(
    documentOf(`
openapi: 3.1.0
info: {title: T, version: '1'}
paths:
  /a: {get: {description: "${description} [a](#/responses/Lost)"}}
  /b:
    parameters: [{$ref: '#/components/parameters/Berth'}]
    put: {requestBody: {$ref: '#/components/requestBodies/Boat'}, responses: {'200': {description: d}, '404': {$ref: '#/components/responses/Lost'}}}
components:
  responses: {Lost: {description: d}, Unused: {description: d}}
  parameters: {Berth: {name: berth_id, in: query, schema: {type: string}}}
  requestBodies: {Boat: {content: {}}}
`),
  );
  const { tree } = contentOf(
    spec,
    { kind: "operation", spec: "openapi.json", method: "get", path: "/a" },
    { pageOf: (target) => (target.kind === "operation" ? target.path : undefined) },
  );
  const urls = [...JSON.stringify(tree).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
  expect(urls).toEqual([
    "/b#response-404",
    "/b#param-berth-id",
    "/b#body",
    "#/components/responses/Unused",
    "#/components/examples/Lost",
    "/b#response-404",
  ]);
});
