import { expect, test } from "vitest";
import { openapi, readJson } from "../read-text.js";

const operation = (...names: string[]) => ({ security: names.map((name) => ({ [name]: [] })), responses: {} });

test("a security scheme that nothing defines is reported once, where it is first required, with its operations", () => {
  const { diagnostics } = readJson(
    openapi({
      security: [{ bearr: [] }, {}],
      paths: {
        "/trees": { get: { responses: {} }, post: { responses: {} }, put: operation("bearer", "gone", "gone") },
        "/open": { get: operation(), post: operation("#/components/securitySchemes/bearer") },
      },
      webhooks: { felled: { post: operation("gone") } },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
    }),
  );
  expect(diagnostics.map(({ code, what, fix }) => [code, what, fix])).toEqual([
    [
      "SPEC_SECURITY_UNKNOWN",
      'The security scheme "bearr" is not defined in openapi.json, so the pages of 2 operations do not show it.',
      'write "bearer".',
    ],
    [
      "SPEC_SECURITY_UNKNOWN",
      'The security scheme "gone" is not defined in openapi.json, so the pages of 2 operations do not show it.',
      "define it under the security schemes, or correct the name.",
    ],
  ]);
  expect(diagnostics.every(({ location }) => location?.line !== undefined)).toBe(true);
});
