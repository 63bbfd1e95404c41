import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { componentTexts } from "../../scripts/component-texts.ts";
import { docsSchema, frontMatterSchema } from "../../scripts/schemas.ts";
import { componentDefinitions } from "../../src/page/components/index.js";
import { parseFrontmatter } from "../../src/page/content/index.js";
import { loadConfig } from "../../src/site/config/index.js";
import { openFolder } from "../../src/site/source/index.js";
import { findCorpora } from "../support/corpora.js";

const project = join(import.meta.dirname, "../..");
const made = { "docs.json": docsSchema(), "front-matter.json": frontMatterSchema() };

for (const [name, { schema, missing, unused }] of Object.entries(made)) {
  test(`schemas/${name} is made from the keys that the program reads`, () => {
    const file = join(project, "schemas", name);
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env["UPDATE_GOLDEN"]) {
      mkdirSync(join(project, "schemas"), { recursive: true });
      writeFileSync(file, text);
    }
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(text));
  });
  test(`every property of schemas/${name} has a description, and no description is unused`, () =>
    expect({ missing, unused }).toEqual({ missing: [], unused: [] }));
}

test("schemas/components.json has the handbook's description of each component", () => {
  const file = join(project, "schemas/components.json");
  const texts = componentTexts();
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(file, `${JSON.stringify(texts, null, 2)}\n`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(texts);
  const internal = /^(?:Api|FieldNote)/;
  const without = [...componentDefinitions.keys()].filter((name) => !texts[name]?.text && !internal.test(name));
  expect(without).toEqual([]);
});

test("the package has them", () => {
  const { exports, files } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  for (const name of Object.keys(made)) expect(exports[`./schemas/${name}`]).toBe(`./schemas/${name}`);
  expect(files).toContain("schemas");
});

describe("the schema of docs.json", () => {
  const isValid = new Ajv({ allErrors: true, strict: false }).compile(made["docs.json"].schema);
  const faultsOf = (value: unknown): string[] =>
    isValid(value) ? [] : isValid.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);

  for (const { name, folder } of findCorpora().filter((each) => existsSync(join(each.folder, "docs.json"))))
    test(`accepts that of a real site: ${name}`, () =>
      expect(faultsOf(JSON.parse(readFileSync(join(folder, "docs.json"), "utf8")))).toEqual([]));

  test("every example in it is valid", () => {
    const walk = (schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { examples, ...rest } = schema as { examples?: unknown[] };
      if (examples && !("$ref" in rest)) {
        const check = new Ajv({ strict: false }).compile({
          ...rest,
          definitions: made["docs.json"].schema["definitions"],
        });
        for (const example of examples) expect(check(example), JSON.stringify({ example, rest })).toBe(true);
      }
      Object.values(schema).forEach(walk);
    };
    walk(made["docs.json"].schema["properties"]);
  });

  // What a schema can say: names and forms of values.
  const inSchema = /^CONFIG_(?:UNKNOWN_KEY|BAD_VALUE)$/;
  const mistakes = join(project, "fixtures/mistakes");
  const settings = readdirSync(mistakes).filter((name) => name.startsWith("config-"));
  for (const name of settings) {
    const folder = join(mistakes, name);
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(join(folder, "docs.json"), "utf8"));
    } catch {
      continue;
    }
    const { diagnostics } = loadConfig(openFolder(folder).files);
    if (diagnostics.some(({ code, location }) => inSchema.test(code) && location?.sourcePath === "docs.json"))
      test(`refuses ${name}, as the reader does`, () => expect(faultsOf(value)).not.toEqual([]));
    else if (diagnostics.length === 0) test(`accepts ${name}`, () => expect(faultsOf(value)).toEqual([]));
  }
});

test("the schema of front matter accepts every page of real sites and of the handbook", () => {
  const isValid = new Ajv({ allErrors: true, strict: false }).compile(made["front-matter.json"].schema);
  for (const folder of [join(project, "fixtures/handbook"), ...findCorpora().map((each) => each.folder)]) {
    const { files } = openFolder(folder);
    for (const path of files.paths.filter((each) => each.endsWith(".mdx"))) {
      const { frontmatter } = parseFrontmatter(files.readText(path), path);
      expect(isValid({ ...frontmatter }) ? [] : isValid.errors, path).toEqual([]);
    }
  }
});
