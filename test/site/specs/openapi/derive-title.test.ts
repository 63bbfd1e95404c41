import { expect, test } from "vitest";
import { deriveTitle, pathLabels } from "../../../../src/site/specs/openapi/derive-title.js";
import { withinCpu } from "../../../support/machine-time.js";

type Case = readonly [operation: string, operationId: string, tag: string, title: string | undefined];

/** Shapes of names that real specifications have: by hand, by generators of several languages, none. */
const cases: readonly Case[] = [
  // operationId: a phrase, or a verb with its object
  ["GET /trees", "List all Trees", "", "List all Trees"],
  ["GET /trees", "listFruitTrees", "", "List fruit trees"],
  ["GET /trees/{id}", "get_tree_by_id", "", "Get tree by ID"],
  ["POST /x", "enableVPCEndpoints", "", "Enable VPC endpoints"],
  ["POST /x", "GET_ListTreeIDs", "", "List tree IDs"],
  ["GET /trees", "listTreesUsingGET_1", "", "List trees"],
  ["PUT /{Orchard}#acl", "PutOrchardAcl", "", "Put orchard ACL"],
  // a resource, then the verb
  ["GET /x/{parent}/fruitTrees", "orchard.rows.fruitTrees.list", "rows", "List fruit trees"],
  ["DELETE /v1/{name}", "orchard.fruitTrees.delete", "", "Delete a fruit tree"],
  ["POST /v1/{parent}/trees", "orchard.trees.insert", "", "Create a tree"],
  ["PUT /o/{o}/FruitTrees/{name}", "FruitTrees_CreateOrUpdate", "", "Create or update a fruit tree"],
  ["GET /o/{o}/FruitTrees", "FruitTrees_ListByOrchard", "", "List fruit trees by orchard"],
  ["POST /o/{o}/Trees/{name}/move", "Trees_MoveToOrchard", "", "Move a tree to orchard"],
  ["POST /x/{tree}:setLabels", "orchard.trees.setLabels", "", "Set labels for a tree"],
  ["GET /trees", "TreeController_findAllTrees", "", "Find all trees"],
  ["PATCH /dcim/fruit-trees/{id}/", "dcim_fruit-trees_partial_update", "dcim", "Update a fruit tree"],
  ["PATCH /dcim/fruit-trees/", "dcim_fruit-trees_bulk_partial_update", "dcim", "Bulk update fruit trees"],
  ["POST /trees.setShade", "trees_setShade", "trees", "Set shade for trees"],
  ["POST /v1/trees", "Orchard_PlantTree", "Orchard", "Plant tree"],
  ["GET /o/{o}/trees", "Trees_ListByOrchard", "Trees", "List trees by orchard"],
  ["POST /auth/logout", "Auth_Logout", "Auth", "Log out"],
  ["POST /trees/{id}/reset", "trees_reset_create", "trees", "Reset a tree"],
  ["POST /tree_import", "tree_import_create", "trees", "Create tree import"],
  ["PUT /trees/{id}/owner", "createTreeOwner-fruit-put", "", "Create tree owner fruit"],
  ["GET /v1/fruitTrees", "fruitTrees-get_collection", "FruitTrees", "List fruit trees"],
  ["DELETE /v1/fruitTrees/{id}", "fruitTrees-delete_instance", "FruitTrees", "Delete a fruit tree"],
  ["GET /v1/trees/{id}/owner", "trees-owner-get_to_one_related", "Trees", "Get owner of a tree"],
  ["POST /v1/trees/{id}/relationships/pests", "trees-pests-add_to_many_relationship", "", "Add pests relationship"],
  // a verb alone takes the tag
  ["GET /things", "list", "Fruit trees", "List fruit trees"],
  ["DELETE /things/{id}", "destroy", "Fruit trees", "Delete a fruit tree"],
  ["GET /fruit_trees/{id}", "show", "", "Get a fruit tree"],
  ["POST /orchards/echo", "echo", "", "Echo"],
  ["GET /trees/ping", "ping", "Ping", "Ping"],
  // an operationId that repeats method and path, or says nothing
  ["POST /v1/payment_intents", "PostPaymentIntents", "", "Create a payment intent"],
  ["GET /v1/payment_intents", "GetPaymentIntents", "", "List payment intents"],
  ["GET /v1/payment_intents/{intent}", "GetPaymentIntentsIntent", "", "Get a payment intent"],
  ["POST /v1/payment_intents/{intent}/confirm", "PostPaymentIntentsIntentConfirm", "", "Confirm a payment intent"],
  ["GET /users/{id}", "apiV1UsersByIdGet", "", "Get a user"],
  ["GET /users/{id}", "8f14e45fceea167a5a36dedd4bea2543", "", "Get a user"],
  ["GET /users/{id}", "operation_12", "", "Get a user"],
  ["DELETE /{Orchard}", "DeleteOrchard", "", "Delete orchard"],
  // path and method
  ["POST /v1/payment_intents", "", "", "Create a payment intent"],
  ["GET /api/v2/customers/{c}/sources", "", "", "List sources of a customer"],
  ["POST /customers/{c}/sources", "", "", "Create a source for a customer"],
  ["PUT /customers/{c}/addresses/{id}", "", "", "Update an address of a customer"],
  ["GET /balance", "", "", "Get balance"],
  ["GET /invoices/search.json", "", "", "Search invoices"],
  ["POST /signin", "", "", "Sign in"],
  ["DELETE /statuses/{id}", "", "", "Delete a status"],
  ["HEAD /universities/{id}", "", "", "Check a university"],
  ["OPTIONS /hours/{id}", "", "", "Get the options of an hour"],
  ["GET /test_clocks", "", "", "List test clocks"],
  ["GET /", "", "", undefined],
  ["PURGE /trees", "", "", undefined],
  ["GET /日本", "", "", "Get 日本"],
];

for (const [operation, operationId, tag, title] of cases)
  test(`${operation} ${operationId || "without operationId"} is called ${title ?? "nothing"}`, () => {
    const [method = "", path = ""] = operation.split(" ");
    const facts = { ...(operationId && { operationId }), ...(tag && { tag }) };
    expect(deriveTitle(facts, method.toLowerCase(), path)).toBe(title);
  });

test("names of a megabyte take no time", async () => {
  const parts = ["AA", "aA", "a_", "//", "{{", "a "];
  await withinCpu(1000, () => {
    for (const long of parts.map((part) => part.repeat(5e5))) deriveTitle({ operationId: long }, "get", `/${long}`);
  });
});

test("a path names its resources, or else its parameters", () => {
  expect(pathLabels("/api/v2/payment_intents/{id}/refunds")).toEqual(["Payment intents", "Refunds"]);
  expect(pathLabels("/{Bucket}/{Key+}")).toEqual(["Bucket", "Key"]);
});
