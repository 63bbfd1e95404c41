/** What a schema, a parameter or a body says besides its fields is on the page, wherever it stands. */
import { expect, test } from "vitest";
import { operationMarkdown, sectionOf, withOperation } from "./spec-of.js";

const bodyOf = (schema: string, rest = ""): string =>
  sectionOf(
    operationMarkdown(
      withOperation(`requestBody: {content: {application/json: {schema: ${schema}}}}\nresponses: {}`, rest),
    ),
    "Body",
  );

test("a derived schema names the value of the discriminator that selects it", () => {
  const derived =
    "{x-ms-discriminator-value: Boats.Sloop, allOf: [{$ref: '#/components/schemas/Boat'}, {properties: {a: {}}}]}";
  const markdown = bodyOf(
    "{$ref: '#/components/schemas/Boat'}",
    `components: {schemas: {Boat: {discriminator: {propertyName: rig}, properties: {rig: {type: string}}}, Sloop: ${derived}}}`,
  );
  expect(markdown).toContain("`rig` = `Boats.Sloop`");
});
