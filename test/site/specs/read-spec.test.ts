import { describe, expect, test } from "vitest";
import { formatDiagnostic } from "../../../src/lib/diagnostic/index.js";
import { createSpecReader, infoVersion, openSpecs } from "../../../src/site/specs/index.js";
import { createLocations } from "../../../src/site/specs/text/spec-locations.js";
import { splitYaml } from "../../../src/site/specs/text/split-yaml.js";
import { withinCpu } from "../../support/machine-time.js";
import { memoryFiles } from "../../support/memory-files.js";
import { codesOf, openapi, readJson, readText } from "./read-text.js";

const yamlText = `openapi: 3.1.0
info: {title: Orchard, version: "1"}
paths:
  /trees:
    get:
      summary: List trees
      deprecated: true
      responses:
        200: {description: All}
        default: &error {description: Failed}
    post:
      responses:
        default: *error
`;

describe("a specification", () => {
  test("is read from JSON", () => {
    const { spec, entries, diagnostics } = readJson(openapi({ paths: { "/trees": { get: { summary: "List" } } } }));
    expect(diagnostics).toEqual([]);
    expect(spec).toMatchObject({ source: "openapi.json", format: "openapi", version: "3.1.0" });
    expect(entries).toMatchObject([{ kind: "operation", method: "get", name: "/trees", title: "List" }]);
  });

  test("is read from YAML with quoted texts and JSON at the margin, but not if a quote is missing", () => {
    const withText = (text: string) =>
      readText(`openapi: 3.1.0\ninfo:\n  title: ${text}\n  version: "1"\npaths: {}\n`, "openapi.yaml");
    const certificate = withText('"-----BEGIN KEY-----\nMIIF\n-----END KEY-----"');
    expect(certificate.spec?.document).toMatchObject({
      info: { title: "-----BEGIN KEY----- MIIF -----END KEY-----", version: "1" },
    });
    expect(certificate.diagnostics).toEqual([]);
    const pasted = withText('T\n  x-example: { "a": [\n1, "}" ],\n"b": {} }');
    expect(pasted.spec?.document).toMatchObject({ info: { "x-example": { a: [1, "}"], b: {} }, version: "1" } });
    expect(codesOf(withText("{ a: [\n1,\n} ]").diagnostics)).toEqual(["SPEC_SYNTAX openapi.yaml:3:15"]);
    expect(codesOf(withText('"Orchard\n  summary: All "trees"').diagnostics)).toEqual([
      "SPEC_SYNTAX openapi.yaml:3:10",
    ]);
  });

  test("is read from YAML, keys as text and aliases in place", () => {
    const { spec, entries, diagnostics } = readText(yamlText, "openapi.yaml");
    expect(diagnostics).toEqual([]);
    expect(entries.map(({ method, deprecated }) => [method, deprecated])).toEqual([
      ["get", true],
      ["post", false],
    ]);
    expect(spec!.resolve("#/paths/~1trees/get/responses/200/description")).toBe("All");
    expect(spec!.resolve("#/paths/~1trees/post/responses/default")).toEqual({ description: "Failed" });
  });

  test("in YAML may merge maps", () => {
    const { spec } = readText("openapi: 3.0.3\nx-a: &a {one: 1, two: 2}\nx-b: {<<: *a, two: 3}\npaths: {}\n", "a.yml");
    expect(spec!.resolve("#/x-b")).toEqual({ two: 3, one: 1 });
  });

  test("may be JSON in a YAML file, and YAML in a JSON file", () => {
    expect(readText(JSON.stringify(openapi({ paths: {} })), "a.yaml").diagnostics).toEqual([]);
    expect(codesOf(readText(yamlText, "a.json").diagnostics)).toEqual(["SPEC_SYNTAX a.json:1:1"]);
  });

  test("in JSON may have comments and trailing commas, with a warning", () => {
    const { spec, diagnostics } = readText('{ "openapi": "3.1.0", // ours\n "paths": {}, }');
    expect(spec?.version).toBe("3.1.0");
    expect(codesOf(diagnostics)).toEqual(["JSON_NOT_STRICT openapi.json:1:23"]);
  });

  const versions: readonly (readonly [text: string, result: string])[] = [
    ["openapi: 3.0.0", "3.0.0"],
    ["openapi: 3.0.4", "3.0.4"],
    ['openapi: "3.1"', "3.1"],
    ["openapi: 3.1", "3.1"],
    ["openapi: 3.0", "3.0"],
    ["openapi: 3.2.0", "3.2.0"],
    ["asyncapi: 3.0.0", "3.0.0"],
    ["openapi: 2.0", "SPEC_VERSION"],
    ["openapi: 4.0.0", "SPEC_VERSION"],
    ['swagger: "1.2"', "SPEC_VERSION"],
    ["asyncapi: 1.2.0", "SPEC_VERSION"],
    ["openapi: true", "SPEC_NOT_RECOGNIZED"],
    ["openApi: 3.1.0", "SPEC_NOT_RECOGNIZED"],
    ["title: Orchard", "SPEC_NOT_RECOGNIZED"],
    ["- openapi: 3.1.0", "SPEC_NOT_RECOGNIZED"],
    ["just text", "SPEC_NOT_RECOGNIZED"],
  ];
  for (const [text, result] of versions)
    test(`that begins with ${text} is ${result}`, () => {
      const { spec, diagnostics } = readText(`${text}\n`, "a.yaml");
      expect(spec?.version ?? diagnostics[0]?.code).toBe(result);
    });

  const otherFormats: readonly (readonly [format: string, text: string])[] = [
    ["RAML", "#%RAML 1.0\ntitle: Orchard\n/trees:\n  get:\n"],
    ["an API Blueprint", "FORMAT: 1A\n\n# Orchard\n\n## Trees [/trees]\n\n+ Response 200\n"],
    ["WADL", '<?xml version="1.0"?>\n<application xmlns="http://wadl.dev.java.net/2009/02"></application>'],
    ["a Google discovery document", '{"kind": "discovery#restDescription", "resources": {}}'],
    [
      "a Postman collection",
      '{"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}',
    ],
    ["WSDL, which describes SOAP", '<?xml version="1.0"?>\n<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" />'],
    ["Protocol Buffers", '// Orchard\nsyntax = "proto3";\n'],
    ["a JSON Schema", '{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}'],
  ];
  for (const [format, text] of otherFormats)
    test(`that is ${format} is refused by this name, with what to do`, () => {
      const { diagnostics } = readText(text, "api.txt");
      expect(codesOf(diagnostics)).toEqual(["SPEC_NOT_RECOGNIZED api.txt:1:1"]);
      expect(formatDiagnostic(diagnostics[0]!)).toContain(`api.txt is ${format}; `);
      expect(formatDiagnostic(diagnostics[0]!)).toContain("describe the API in OpenAPI");
    });

  test("with a name twice in one mapping of YAML is read without the one further up, which is reported", () => {
    const text =
      "openapi: 3.1.0\ninfo: &info {title: Orchard, version: 1}\npaths:\n  /a: {}\n  /b: {}\n  /a: {<<: *info, title: A}\n";
    const { spec, diagnostics } = readText(text, "a.yaml");
    expect(codesOf(diagnostics)).toContain("SPEC_SYNTAX a.yaml:6:3");
    expect(codesOf(diagnostics).filter((code) => code.startsWith("SPEC_SYNTAX"))).toHaveLength(1);
    expect(spec?.resolve("#/paths/~1a/title")).toBe("A");
  });

  test("with a name twice in one object of JSON is read without the one further up, which is reported", () => {
    const { spec, diagnostics } = readText(
      '{"openapi": "3.1.0", "info": {"title": "a: \\"b\\"", "version": "1"},\n "paths": {"/a": {}, "/b": {}, "/a": {"title": "A"}}}',
    );
    expect(codesOf(diagnostics).filter((code) => code.startsWith("SPEC_SYNTAX"))).toEqual([
      "SPEC_SYNTAX openapi.json:2:33",
    ]);
    expect(spec?.resolve("#/paths/~1a/title")).toBe("A");
  });

  for (const [text, version] of [
    ["openapi: 3.1.0\ninfo: {title: Orchard, version: 1.10}\npaths: {}\n", "1.10"],
    ["openapi: 3.1.0\ninfo: {title: Orchard, version: 01}\npaths: {}\n", "01"],
    ['{"openapi": "3.1.0", "info": {"title": "Orchard", "version": 2}, "paths": {}}', "2"],
  ] as const)
    test(`whose version is the number ${version} has the version as written`, () => {
      expect(infoVersion(readText(text, "a.yaml").spec!.document)).toBe(version);
    });

  test("with broken JSON is reported with the location", () => {
    const { diagnostics } = readText(
      '{\n  "openapi": "3.1.0",\n  "paths": {\n    "/a": { "get": { summary: 1 } }\n  }\n}',
    );
    expect(codesOf(diagnostics)).toEqual(["SPEC_SYNTAX openapi.json:4:22"]);
  });

  test("with broken YAML is reported with the location", () => {
    const { diagnostics } = readText("openapi: 3.1.0\npaths:\n  /a: [\n", "a.yaml");
    expect(codesOf(diagnostics)).toEqual(["SPEC_SYNTAX a.yaml:3:7"]);
  });

  for (const [name, text] of [
    ["a.json", ""],
    ["a.json", " \n"],
    ["a.yaml", ""],
    ["a.yaml", "# nothing\n"],
  ] as const)
    test(`${name} of ${JSON.stringify(text)} is reported as empty`, () => {
      expect(formatDiagnostic(readText(text, name).diagnostics[0]!)).toContain("is empty");
    });

  test("reports a second YAML document, but no mark at the end", () => {
    const text = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\n';
    const further = (rest: string) => codesOf(readText(`---\n${text}${rest}`, "a.yaml").diagnostics);
    expect(further(`---\n${text}`)).toContain("SPEC_SYNTAX a.yaml:5:1");
    expect(further("...\n--- {a: 1}\n")).toContain("SPEC_SYNTAX a.yaml:6:1");
    for (const rest of ["", "...\n", "---\n", "---\n# more\n\n...\n"])
      expect(further(rest).join()).not.toContain("SYNTAX");
  });

  test("has locations: the key of an object, the value of anything else", () => {
    const { spec } = readText(
      '{\n  "openapi": "3.1.0",\n  "paths": {\n    "/a": { "get": { "summary": "A" } }\n  }\n}',
    );
    const place = (pointer: string) => {
      const { line, column, length } = spec!.locationOf(pointer);
      return [line, column, length];
    };
    expect(place("#")).toEqual([1, 1, 1]);
    expect(place("#/paths/~1a")).toEqual([4, 5, 4]);
    expect(place("#/paths/~1a/get/summary")).toEqual([4, 33, 3]);
    expect(place("#/paths/~1a/get/missing/deeper")).toEqual([4, 13, 5]);
    expect(place("other.json#/x")).toEqual([undefined, undefined, undefined]);
  });

  test("has locations in lists, after comments and trailing commas, and of the last of two names", () => {
    const locationOf = createLocations(
      "a.json",
      () => '// c\n{ "a": [1, { "b": [], }, [\n2, "]"], ],\n "a\\u0062": {}, "c": 1, "c": { "d": null } }',
    );
    const place = (pointer: string) => {
      const { line, column, length } = locationOf(pointer);
      return [line, column, length];
    };
    expect(place("#")).toEqual([2, 1, 1]);
    expect(place("#/a/0")).toEqual([2, 9, 1]);
    expect(place("#/a/1/b")).toEqual([2, 14, 3]);
    expect(place("#/a/2/1")).toEqual([3, 4, 3]);
    expect(place("#/a/3")).toEqual([2, 3, 3]);
    expect(place("#/ab")).toEqual([4, 2, 9]);
    expect(place("#/c/d")).toEqual([4, 37, 4]);
  });

  test("in YAML has locations too", () => {
    const { spec } = readText(yamlText, "openapi.yaml");
    const place = (pointer: string) => {
      const { line, column } = spec!.locationOf(pointer);
      return [line, column];
    };
    expect(place("#/paths/~1trees/get")).toEqual([5, 5]);
    expect(place("#/paths/~1trees/get/responses/200")).toEqual([9, 9]);
    expect(place("#/paths/~1trees/get/deprecated")).toEqual([7, 19]);
    expect(place("#/paths/~1trees/post/responses/default/description")).toEqual([10, 39]);
  });

  test("is the same when another thread opens it", () => {
    const files = memoryFiles({
      "a.json": JSON.stringify(openapi({ paths: { "/a": { get: {} } } })),
      "b.yaml": yamlText,
      "c.json": JSON.stringify({ overlay: "1.0.0", actions: [{ target: "$.info", update: { title: "Changed" } }] }),
    });
    const reader = createSpecReader(files);
    const readings = [reader.read("a.json", []), reader.read("b.yaml", []), reader.read("a.json", ["c.json"])];
    const plans = structuredClone(readings.map((each) => each.plan()!));
    expect(plans.map(({ key, json }) => [key, json !== undefined])).toEqual([
      ["a.json", false],
      ["b.yaml", true],
      ["a.json + c.json", true],
    ]);
    const open = openSpecs(plans, files);
    for (const { key, spec } of readings) {
      expect(open(key)?.document).toEqual(spec!.document);
      expect(open(key)).toBe(open(key));
      expect(open(key)?.locationOf("#/paths")).toEqual(spec!.locationOf("#/paths"));
    }
    expect(open("d.json")).toBeUndefined();
  });
});

describe("references", () => {
  const withSchema = (schema: unknown) =>
    readJson(openapi({ paths: {}, components: { schemas: { User: {}, A: schema } } }));
  const cases: readonly (readonly [rule: string, schema: unknown, codes: readonly string[]])[] = [
    ["that lead somewhere are right", { $ref: "#/components/schemas/User" }, []],
    ["that lead in a circle are right", { properties: { a: { $ref: "#/components/schemas/A" } } }, []],
    ["that lead nowhere are told", { $ref: "#/components/schemas/Usr" }, ["SPEC_REF_BROKEN"]],
    [
      "are told once a target",
      { anyOf: [{ $ref: "#/x" }, { $ref: "#/x" }, { $ref: "#/y" }] },
      ["SPEC_REF_BROKEN", "SPEC_REF_BROKEN"],
    ],
    ["to files are told", { $ref: "./user.json" }, ["SPEC_REF_EXTERNAL"]],
    ["to addresses are told", { $ref: "https://x.y/user.json" }, ["SPEC_REF_EXTERNAL"]],
    ["to anchors that no schema has", { $ref: "#User" }, ["SPEC_REF_BROKEN"]],
    ["in examples are data", { example: { $ref: "#/x" }, default: { $ref: "./y" }, enum: [{ $ref: "#/z" }] }, []],
    ["in extensions are data", { "x-note": { $ref: "#/x" } }, []],
    ["may be the name of a property", { properties: { $ref: { type: "string" } } }, []],
    ["below a property called default count", { properties: { default: { $ref: "#/x" } } }, ["SPEC_REF_BROKEN"]],
  ];
  for (const [rule, schema, codes] of cases)
    test(rule, () => expect(withSchema(schema).diagnostics.map(({ code }) => code)).toEqual(codes));

  test("that are misspelt are reported with the nearest name", () => {
    expect(withSchema({ $ref: "#/components/schemas/Usr" }).diagnostics[0]?.fix).toBe(
      'write "#/components/schemas/User".',
    );
  });

  test("are reported twenty times at most, then counted", () => {
    const { diagnostics } = withSchema({ anyOf: Array.from({ length: 50 }, (_, i) => ({ $ref: `#/x/${i}` })) });
    expect(diagnostics).toHaveLength(21);
    expect(diagnostics.at(-1)?.what).toContain("30 more");
  });
});

describe("hostile documents end in a diagnostic:", () => {
  const deepArray = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
  const deepObject = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 40; i++)
    bomb.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(", ")}]`,
    );
  const cases: readonly (readonly [rule: string, name: string, text: string, code: string])[] = [
    ["lists 10,000 deep", "a.json", `{"openapi":"3.1.0","x":${deepArray(10_000)}}`, "SPEC_TOO_DEEP"],
    ["objects 100,000 deep", "a.json", `{"openapi":"3.1.0","x":${deepObject(100_000)}}`, "SPEC_TOO_DEEP"],
    ["the same broken at the end", "a.json", `{"openapi":"3.1.0","x":${deepObject(10_000)}`, "SPEC_TOO_DEEP"],
    ["YAML lists 10,000 deep", "a.yaml", `openapi: 3.1.0\nx: ${deepArray(10_000)}`, "SPEC_TOO_DEEP"],
    ["YAML lists 300 deep", "a.yaml", `openapi: 3.1.0\nx: ${deepArray(300)}`, "SPEC_TOO_DEEP"],
    ["YAML dashes 20,000 deep", "a.yaml", `x:\n  ${"- ".repeat(20_000)}1`, "SPEC_TOO_DEEP"],
    ["aliases that multiply", "a.yaml", bomb.join("\n"), "SPEC_TOO_LARGE"],
    ["an alias of itself", "a.yaml", "openapi: 3.1.0\nx: &a\n  b: *a\n", "SPEC_SYNTAX"],
    ["an alias of nothing", "a.yaml", "openapi: 3.1.0\nx: *b\n", "SPEC_SYNTAX"],
    ["five million values", "a.json", `{"openapi":"3.1.0","x":[${"0,".repeat(5_000_000)}0]}`, "SPEC_TOO_LARGE"],
  ];
  for (const [rule, name, text, code] of cases)
    test(rule, () => {
      const { spec, diagnostics } = readText(text, name);
      expect(spec).toBeUndefined();
      expect(diagnostics.map((each) => each.code)).toEqual([code]);
    });

  test("a file of 50 MB is not read", () => {
    const files = {
      ...memoryFiles({ "a.json": "{}" }),
      sizeOf: () => 50_000_000,
      readText: () => {
        throw new Error("it was read");
      },
    };
    expect(codesOf(createSpecReader(files).read("a.json", []).diagnostics)).toEqual(["SPEC_TOO_LARGE a.json::"]);
  });

  test("ten thousand anchors and aliases take linear time", async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `k${i}: &a${i} v\nj${i}: *a${i}`).join("\n");
    await withinCpu(2500, () => {
      readText(`openapi: 3.1.0\n${lines}\n`, "a.yaml");
    });
  });

  for (const [name, text, places] of [
    [
      "a.json",
      '{"openapi":"3.1.0","paths":{"/a":{"get":{"__proto__":{"x-hidden":true},"constructor":1}}},"__proto__":{"polluted":1}}',
      [
        [1, 43, 9],
        [1, 92, 9],
      ],
    ],
    [
      "a.yaml",
      "openapi: 3.1.0\npaths:\n  /a:\n    get: {__proto__: {x-hidden: true}, constructor: 1}\n__proto__: {polluted: 1}\n",
      [
        [4, 11, 9],
        [5, 1, 9],
      ],
    ],
  ] as const)
    test(`names such as "__proto__" are left out of ${name}, which is reported with the place`, () => {
      const { spec, entries, diagnostics } = readText(text, name);
      const located = diagnostics.filter(({ code }) => code === "SPEC_NAME_LEFT_OUT").map(({ location }) => location);
      expect(located.map(({ line, column, length } = {} as never) => [line, column, length])).toEqual(places);
      expect(entries).toMatchObject([{ name: "/a", hidden: false }]);
      expect(Object.hasOwn(spec!.document, "__proto__")).toBe(false);
      expect(({} as { polluted?: number }).polluted).toBeUndefined();
      expect(spec!.resolve("#/paths/~1a/get/constructor")).toBe(1);
    });
});

test("a name that is left out of YAML that is read in parts has its place, too", () => {
  const description = "word ".repeat(2_000).trim();
  const paths = Array.from({ length: 100 }, (_, i) => `  /a${i}:\n    get:\n      description: ${description}\n`);
  const text = `openapi: 3.1.0\npaths:\n${paths.join("")}  /last:\n    get: {__proto__: 1}\n`;
  expect(splitYaml(text)!.length).toBeGreaterThan(1);
  const { entries, diagnostics } = readText(text, "a.yaml");
  expect(entries).toHaveLength(101);
  expect(diagnostics).toMatchObject([{ code: "SPEC_NAME_LEFT_OUT", location: { line: 304, column: 11 } }]);
});

test("a specification of 3 MB with 320 operations is read in 2 s of CPU", async () => {
  const schema = {
    type: "object",
    description: "A tree of the orchard, as it was planted.",
    properties: {} as Record<string, unknown>,
  };
  for (let i = 0; i < 40; i++)
    schema.properties[`field${i}`] = { type: "string", description: "What it says of itself.", example: "x" };
  const operation = {
    summary: "Do it",
    description: "Does it.",
    responses: { 200: { description: "Done", content: { "application/json": { schema } } } },
  };
  const paths = Object.fromEntries(
    Array.from({ length: 161 }, (_, i) => [`/trees/${i}`, { get: operation, post: operation }]),
  );
  const text = JSON.stringify(openapi({ paths }), null, 2);
  expect(text.length).toBeGreaterThan(2_500_000);
  readText(text);
  await withinCpu(2_000, () => {
    expect(readText(text).entries).toHaveLength(322);
  });
});
