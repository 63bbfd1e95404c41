import assert from "node:assert/strict";
import { test } from "vitest";
import { createIdFinder } from "../../../src/lib/url/index.js";

const headings = [
  "step-2-create",
  "using-cloudflare’s-proxy",
  "global-payouts-tax",
  "1-1-get-a-list",
  "doesn’t",
  "domain-com-records",
  "read/write-access",
  "faq-2",
  "faq2",
  "v11-2",
  "größe",
  "über-uns",
  "हिन्दी-में",
  "⚙️-setup",
];
const cases = [
  // a fragment …                              as typed                      means
  ["with the colon of its heading", "step-2:-create", "step-2-create"],
  ["without an apostrophe", "using-cloudflares-proxy", "using-cloudflare’s-proxy"],
  ["with a hyphen for an apostrophe", "doesn-t", "doesn’t"],
  ["with the signs of its heading", "global-payouts-+-tax", "global-payouts-tax"],
  ["without the dot of a number", "11-get-a-list", "1-1-get-a-list"],
  ["without the dot of a name", "domaincom-records", "domain-com-records"],
  ["with other slashes", "readwrite-access", "read/write-access"],
  ["in capitals", "Step-2-Create", "step-2-create"],
  ["with accents in the other Unicode form", "gro\u0308\u00dfe", "größe"],
  ["in a script with vowel signs", "हिन्दीमें", "हिन्दी-में"],
  ["without a variation selector", "\u2699-setup", "⚙️-setup"],
  ["that two ids may mean", "faq:2", undefined],
  ["with numbers divided elsewhere", "v1-12", undefined],
  ["with other letters", "step-2-created", undefined],
  ["without an accent", "uber-uns", undefined],
  ["in a script with other vowel signs", "हिन्दि-में", undefined],
  ["without letters", "--", undefined],
] as const;
for (const [rule, fragment, id] of cases)
  test(`a fragment ${rule}`, () => assert.equal(createIdFinder(headings)(fragment), id));

const fields = [
  "param-name",
  "authorizations",
  "param-authorization",
  "path-parameters",
  "param-id",
  "query-parameters",
  "param-limit",
  "body",
  "param-body-id",
  "param-customer",
  "param-customer:name",
  "param-customer:items",
  "param-table-name",
  "param-customer:zip",
  "param-address:city",
  "param-billing:city",
  "response",
  "response-200",
  "param-data",
  "param-data:id",
  "param-200-id",
  "param-404-id",
  "param-404-message",
  "on-paid-body",
  "param-event",
];
const anchors = [
  // the anchor …                                    of another system              means
  ["of a field of the body", "body-customer", "param-customer"],
  ["of a field below another", "body-customer-name", "param-customer:name"],
  ["of a field in camel case", "body-tableName", "param-table-name"],
  ["of a field of the first option", "body-one-of-0-customer", "param-customer"],
  ["of a field that may be null", "body-customer-name-one-of-0", "param-customer:name"],
  ["of a field of another option", "body-one-of-1-customer", undefined],
  ["of a field of a list", "response-items-data-items-id", "param-data:id"],
  ["of a field in another by its own name", "param-zip", "param-customer:zip"],
  ["of a field that two others have", "param-city", undefined],
  ["of a field called items", "body-customer-items", "param-customer:items"],
  ["of a field whose plain id another section has", "body-id", "param-body-id"],
  ["of a field of the first response", "response-id", "param-200-id"],
  ["of a parameter in the path", "parameter-id", "param-id"],
  ["of a parameter in the query", "parameter-limit", "param-limit"],
  ["of a credential", "authorization-authorization", "param-authorization"],
  ["of a field that only another section has", "response-customer", undefined],
  ["of a field that the page's own text has", "body-name", undefined],
  ["of a field of a callback", "body-event", undefined],
  // No field called \`message\` came before, so the qualifier is part of the name.
  ["of a field with a longer name", "response-message", undefined],
] as const;
for (const [rule, fragment, id] of anchors)
  test(`the anchor ${rule}`, () => assert.equal(createIdFinder(fields)(fragment), id));

test("10,000 look-ups in 10,000 ids take no longer than a moment", () => {
  const ids = Array.from({ length: 10_000 }, (_, i) => `heading-${i}`);
  const find = createIdFinder(ids);
  for (const [i, id] of ids.entries()) assert.equal(find(`Heading:${i}`), id);
});
