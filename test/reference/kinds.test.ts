import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { referenceKinds } from "../../src/reference/index.js";

const src = fileURLToPath(new URL("../../src", import.meta.url));

/** The files of `src` that import from this folder, without those in it. */
function importersOf(folder: string): string[] {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  return files.filter((path) => {
    const text = readFileSync(join(src, path), "utf8");
    const targets = [...text.matchAll(/\bfrom "(\.[^"]+)"/g)].map(([, target]) =>
      relative(src, normalize(join(src, dirname(path), target!))),
    );
    return !path.startsWith(folder) && targets.some((target) => target.startsWith(folder));
  });
}

for (const kind of Object.keys(referenceKinds))
  test(`only the list of kinds, and the playground in the reader's browser, import from reference/${kind}`, () => {
    const importers = importersOf(`reference/${kind}/`);
    expect(importers.filter((path) => !path.startsWith("reader/playground/"))).toEqual(["reference/kinds.ts"]);
  });

test("each kind of specification has a name and a heading for its entries", () => {
  expect(Object.entries(referenceKinds).map(([key, { name, entriesTitle }]) => [key, name, entriesTitle])).toEqual([
    ["openapi", "OpenAPI", "operations"],
    ["asyncapi", "AsyncAPI", "channels"],
    ["graphql", "GraphQL", "operations"],
    ["arazzo", "Arazzo", "workflows"],
  ]);
});
