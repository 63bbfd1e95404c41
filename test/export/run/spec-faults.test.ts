import { checkSite } from "offprint";
import { expect, test } from "vitest";
import { temporaryFolder, writeSite } from "../../support/cli.js";

test("a fault in the description of an API is reported once, at its place, with the number of pages", async () => {
  const operation = (summary: string) => ({
    get: { summary, responses: { 200: { description: "ok", content: { "application/json": { schema: pet } } } } },
  });
  const pet = { $ref: "#/components/schemas/Pet" };
  const spec = {
    openapi: "3.1.0",
    info: { title: "T", version: "1" },
    paths: { "/a": operation("A"), "/b": operation("B"), "/c": { get: { summary: "C", description: "[c](/gone)" } } },
    components: { schemas: { Pet: { type: "object", properties: { a: { description: "![i](/no.png)" } } } } },
  };
  const site = writeSite(temporaryFolder(), {
    "docs.json": JSON.stringify({
      theme: "mint",
      name: "T",
      colors: { primary: "#0a6c5b" },
      navigation: { groups: [{ group: "API", openapi: "openapi.json" }] },
    }),
    "openapi.json": JSON.stringify(spec, null, 1),
  });
  const { diagnostics } = await checkSite({ source: site });
  const lines = JSON.stringify(spec, null, 1).split("\n");
  expect(diagnostics.map(({ code, what }) => [code, what])).toEqual([
    ["LINK_NOT_FOUND", 'The link "/gone" points to /gone, which is not a page or file of the site.'],
    ["IMAGE_NOT_FOUND", '"/no.png" refers to /no.png, which does not exist in the site. This affects 3 API pages.'],
  ]);
  for (const { location, what } of diagnostics) {
    const { line, column, length } = location!;
    const quoted = /"([^"]+)"/.exec(what)![1];
    expect(lines[line! - 1]!.slice(column! - 1, column! - 1 + length!)).toBe(quoted);
  }
});

test("a fault in another file of a specification is reported at its place there", async () => {
  const files = {
    "api/openapi.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /boats: {$ref: paths/boats.yaml}\n",
    "api/paths/boats.yaml":
      "get:\n  description: |\n    All boats, see [the guide](/gone-guide).\n  responses:\n    '200':\n" +
      "      description: ok\n      content: {application/json: {schema: {$ref: ../boat.json}}}\n",
    "api/boat.json": JSON.stringify({ properties: { id: { type: "string", description: "See [ids](/gone-ids)." } } }),
  };
  const settings = { theme: "mint", name: "T", colors: { primary: "#0a6c5b" } };
  const navigation = { groups: [{ group: "API", openapi: "api/openapi.yaml" }] };
  const site = writeSite(temporaryFolder(), { "docs.json": JSON.stringify({ ...settings, navigation }), ...files });
  const { diagnostics } = await checkSite({ source: site });
  const places = diagnostics.map(({ location }) => {
    const { sourcePath, line, column, length } = location!;
    const text = files[sourcePath as keyof typeof files].split("\n")[line! - 1]!;
    return [sourcePath, text.slice(column! - 1, column! - 1 + length!)];
  });
  expect(places).toEqual([
    ["api/boat.json", "/gone-ids"],
    ["api/paths/boats.yaml", "/gone-guide"],
  ]);
});
