import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkBundle } from "../../scripts/sweep/specs/check-spec.js";
import { writeSite } from "../../scripts/sweep/specs/export-spec.js";
import { findSpecs, type SpecFile } from "../../scripts/sweep/specs/find-specs.js";
import { exportInProcess } from "../support/pool-in-process.js";

const specs = findSpecs(fileURLToPath(new URL("../../fixtures/specs", import.meta.url)));
const options = { walkSeconds: 60, examplesOfKind: 5, samples: 0 };

let folder: string;
const bundleOf = (spec: SpecFile): string => join(folder, spec.name.replaceAll("/", "-"), "bundle");
const specNamed = (name: string): SpecFile => specs.find((spec) => spec.name === name)!;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "offprint-test-"));
  for (const spec of specs) {
    const source = writeSite(spec, join(bundleOf(spec), ".."));
    await exportInProcess({ source, output: bundleOf(spec) });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All misses of a bundle, one line each. */
async function missesOf(spec: SpecFile, bundle = bundleOf(spec), samples = 0): Promise<string[]> {
  const { counts } = await checkBundle(spec, bundle, { ...options, samples });
  return [...counts.kinds].flatMap(([kind, { examples }]) =>
    examples.map(({ place, what }) => `${kind}: ${place}: ${what}`),
  );
}

test("the small specifications have every dialect", () => {
  expect(new Set(specs.map(({ dialect }) => dialect))).toEqual(
    new Set(["arazzo", "asyncapi", "graphql", "openapi", "swagger"]),
  );
});

describe("pages show everything that the source says:", () => {
  for (const spec of specs) test(spec.name, async () => expect(await missesOf(spec)).toEqual([]));
});

test("samples send what the source requires", async () => {
  const spec = specNamed("html-and-forms.yaml");
  expect(await missesOf(spec, bundleOf(spec), 40)).toEqual([]);
});

type Edit = (html: string) => string;
const without =
  (pattern: RegExp): Edit =>
  (html) =>
    html.replace(pattern, "");

/** A page of the bundle, the damage to it, and the kind and location that the gate must report. */
const damages: readonly (readonly [
  about: string,
  spec: string,
  page: RegExp,
  edit: Edit | "remove" | "copy",
  miss: RegExp,
])[] = [
  ["a page that is not there", "swagger-forms.yaml", /find-a-dog/, "remove", /^page: GET \/dog\/\{dogId\}/],
  ["a page that is there twice", "swagger-forms.yaml", /find-a-dog/, "copy", /^page only once: GET \/dog\/\{dogId\}/],
  [
    "words without a space",
    "html-and-forms.yaml",
    /get-.*coupons|list/,
    (html) => html.replaceAll("list of your", "listof your"),
    /^description: GET \/v1\/coupons/,
  ],
  [
    "words in another order",
    "html-and-forms.yaml",
    /./,
    (html) => html.replaceAll("the terms of a discount", "a discount of the terms"),
    /^property description: .*data|^property description: .*coupon/,
  ],
  [
    "a property with another name",
    "swagger-forms.yaml",
    /./,
    (html) => html.replaceAll('<code class="field-name">email</code>', '<code class="field-name">mail</code>'),
    /^property: .*owner\.email/,
  ],
  [
    "a parameter that is lost",
    "common-parameters.json",
    /batch/,
    (html) => html.replaceAll('<code class="field-name">$.xgafv</code>', ""),
    /^parameter: .*\$\.xgafv/,
  ],
  ["a status that is lost", "swagger-forms.yaml", /find-a-dog/, (html) => html.replaceAll("404", ""), /^status: .*404/],
  [
    "a media type that is lost",
    "swagger-forms.yaml",
    /find-a-dog/,
    (html) => html.replaceAll("application/xml", ""),
    /^media type: .*application\/xml/,
  ],
  [
    "a scope that is lost",
    "swagger-forms.yaml",
    /change-a-dog/,
    (html) => html.replaceAll("write:dogs", ""),
    /^scope: .*write:dogs/,
  ],
  [
    "a value of an enum that is lost",
    "swagger-forms.yaml",
    /find-a-dog/,
    without(/<code>sold<\/code>/g),
    /^enum value: .*sold/,
  ],
  [
    "an example that is lost",
    "multi-file/api.yaml",
    /./,
    (html) => html.replaceAll("Tug of the North", "string"),
    /^example: POST \/v2\/ships/,
  ],
  [
    "a page without content",
    "swagger-forms.yaml",
    /find-a-dog/,
    without(/<div id="content"[\s\S]*?<\/main>/),
    /^empty page: GET/,
  ],
  [
    "a page above the limit",
    "swagger-forms.yaml",
    /find-a-dog/,
    (html) => html + " ".repeat(400_000),
    /^page above 400 kB/,
  ],
  [
    "too many elements",
    "swagger-forms.yaml",
    /find-a-dog/,
    (html) => html + "<i></i>".repeat(6_000),
    /^elements of the heaviest page/,
  ],
  [
    "a link to a structure that leads nowhere",
    "html-and-forms.yaml",
    /./,
    // The sidebar leads to objects too.
    (html) => html.replaceAll('href="#param-', 'href="#gone-').replaceAll("/objects/", "/gone/"),
    /^property: /,
  ],
  [
    "a field of a type",
    "schema.graphql",
    /connection/,
    without(/totalCount/g),
    /^property: BookConnection: totalCount/,
  ],
  ["a message of a channel", "asyncapi-2.yaml", /measured/, without(/lumens/g), /^property: .*lumens/],
  [
    "a step of a workflow",
    "workflows/shop.arazzo.yaml",
    /buy/,
    without(/Finds the thing by its word\./g),
    /^step description/,
  ],
];

describe("the gate reports", () => {
  for (const [about, name, page, edit, miss] of damages)
    test(about, async () => {
      const spec = specNamed(name);
      const bundle = join(folder, "damaged");
      cpSync(bundleOf(spec), bundle, { recursive: true });
      const paths = readdirSync(bundle, { recursive: true, encoding: "utf8" }).filter(
        (path) => path.endsWith(".html") && page.test(path),
      );
      expect(paths.length).toBeGreaterThan(0);
      for (const path of paths.map((each) => join(bundle, each)))
        if (edit === "remove") rmSync(path);
        else if (edit === "copy") cpSync(path, path.replace(".html", "-copy.html"));
        else writeFileSync(path, edit(readFileSync(path, "utf8")));
      const misses = await missesOf(spec, bundle);
      rmSync(bundle, { recursive: true });
      expect(misses.filter((line) => miss.test(line))).not.toEqual([]);
    });

  test("a sample that sends something else", async () => {
    const spec = specNamed("swagger-forms.yaml");
    const bundle = join(folder, "damaged");
    cpSync(bundleOf(spec), bundle, { recursive: true });
    for (const path of readdirSync(bundle, { recursive: true, encoding: "utf8" }).filter((each) =>
      each.endsWith(".html"),
    ))
      writeFileSync(
        join(bundle, path),
        readFileSync(join(bundle, path), "utf8").replace(
          /--request <\/span><span([^>]*)>PUT/g,
          "--request </span><span$1>DELETE",
        ),
      );
    const misses = await missesOf(spec, bundle, 4);
    rmSync(bundle, { recursive: true });
    expect(misses).toContainEqual(expect.stringMatching(/^sample: method: PUT \/dog: cURL: DELETE instead of PUT/));
    expect(misses).toContainEqual(expect.stringMatching(/^sample: languages agree: PUT \/dog/));
  });
});

test("the command of all three gates runs as Node runs it, without a build", () => {
  const script = fileURLToPath(new URL("../../scripts/sweep/run.ts", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script, "specs"], { encoding: "utf8" });
  expect(stderr).toMatch(/^Name a folder of specifications/);
  expect(status).toBe(2);
});
