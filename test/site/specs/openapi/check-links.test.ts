import { expect, test } from "vitest";
import { openapi, readJson } from "../read-text.js";

test("a link of a response that leads to no operation is reported once, where it was written", () => {
  const response = (links: object) => ({ responses: { 200: { links } } });
  const { diagnostics } = readJson(
    openapi({
      paths: {
        "/trees": {
          get: { operationId: "listTrees", ...response({ a: { $ref: "#/components/links/shared" } }) },
          post: response({
            near: { operationId: "listTree" },
            known: { operationId: "listTrees" },
            byPath: { operationRef: "#/paths/~1trees/get" },
            gone: { operationRef: "#/paths/~1pears/get" },
            elsewhere: { operationRef: "https://example.com/api.json#/paths/~1x/get" },
            none: { description: "Where to?" },
            shared: { $ref: "#/components/links/shared" },
          }),
        },
      },
      webhooks: { felled: { post: response({ odd: 5, none: null }) } },
      components: { links: { shared: { operationId: "nowhere" } } },
    }),
  );
  expect(diagnostics.map(({ code, what, fix }) => [code, what.replace(/ in .*/, ""), fix?.slice(0, 71)])).toEqual([
    [
      "SPEC_ENTRY_INVALID",
      '"odd" must be an object, not 5, so pages do not show it.',
      "describe it with an object, or remove it.",
    ],
    [
      "SPEC_LINK_BROKEN",
      'A response link points to the operation "nowhere", which openapi.json does not describe.',
      'name an operation of the specification by its operationId, such as "lis',
    ],
    [
      "SPEC_LINK_BROKEN",
      'A response link points to the operation "listTree", which openapi.json does not describe.',
      'write "listTrees".',
    ],
    [
      "SPEC_LINK_BROKEN",
      'A response link points to the operation "#/paths/~1pears/get", which openapi.json does not describe.',
      'name an operation of the specification by its operationId, such as "lis',
    ],
    ["SPEC_LINK_BROKEN", "A response link", 'name an operation of the specification by its operationId, such as "lis'],
  ]);
});
