/** Everything that an author writes is on the page, in full or folded, or the page and a diagnostic say what is left out. */
import { describe, expect, test } from "vitest";
import {
  contentOf,
  documentOf,
  markdownOf,
  operationMarkdown,
  operationTarget,
  sectionOf,
  specOf,
  withOperation,
} from "./spec-of.js";

const body = (schema: string): string =>
  `requestBody: {content: {application/json: {schema: ${schema}}}}\nresponses: {}`;
const many = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join(", ");

describe("several parts of a schema", () => {
  test("the description of a property begins with that of the later part", () => {
    const base = "{properties: {name: {type: string, description: Any name.}}}";
    const own = "{properties: {name: {description: The name of a boat.}}}";
    const markdown = operationMarkdown(withOperation(body(`{allOf: [${base}, ${own}]}`)));
    expect(markdown).toMatch(/`name` \(string\): The name of a boat\.\s+Any name\./);
  });

  test("one written here refines one that it refers to, in any order", () => {
    const own = "{properties: {kind: {enum: [SLOOP], description: The kind of a sloop.}}}";
    const components = "components: {schemas: {Base: {properties: {kind: {type: string, description: Any kind.}}}}}";
    const base = "{$ref: '#/components/schemas/Base'}";
    for (const parts of [`${own}, ${base}`, `${base}, ${own}`]) {
      const markdown = operationMarkdown(withOperation(body(`{allOf: [${parts}]}`), components));
      expect(sectionOf(markdown, "Body")).toContain("The kind of a sloop.");
    }
  });

  test("one that refines a read-only property is what a request sends", () => {
    const base = "{properties: {id: {type: string, readOnly: true}, kind: {type: string, readOnly: true}}}";
    const own = "{required: [kind], properties: {kind: {enum: [sloop]}}}";
    const markdown = operationMarkdown(withOperation(body(`{allOf: [${base}, ${own}]}`)));
    expect(sectionOf(markdown, "Body")).toMatch(/`kind` \([^)]*required/);
    expect(sectionOf(markdown, "Body")).not.toContain("`id`");
    expect(markdown).toContain('"kind": "sloop"');
  });

  test("the description of the whole begins with that of its last part", () => {
    const parts = "[{description: First words., properties: {a: {}}}, {description: Last words.}]";
    const markdown = operationMarkdown(withOperation(body(`{properties: {boat: {allOf: ${parts}}}}`)));
    expect(markdown).toMatch(/`boat` \(object\): Last words\.[^`]*First words\./);
  });

  test("if no value is shared by all parts, the values of the later part are shown", () => {
    const parts = "[{properties: {size: {enum: [1, 2]}}}, {properties: {size: {enum: [small, large]}}}]";
    expect(operationMarkdown(withOperation(body(`{allOf: ${parts}}`)))).toContain("`small`, `large`");
  });

  test("items that two parts give a list are merged, even where other pages show large structures", () => {
    const fields = many(150, (i) => `f${i}: {type: string}`);
    const first = "{properties: {details: {type: array, items: {$ref: '#/components/schemas/Detail'}}}}";
    const second =
      "{properties: {details: {type: array, items: {anyOf: [{title: Wind, properties: {issue: {enum: [GALE, CALM]}}}, {title: Sea, properties: {issue: {enum: [SWELL]}}}]}}}}";
    const components = `components: {schemas: {Detail: {properties: {issue: {type: string}, where: {type: string}}}, Big: {properties: {${fields}}}}}`;
    const spec = withOperation(
      `responses: {'200': {description: d, content: {application/json: {schema: {allOf: [${first}, ${second}, {properties: {big: {$ref: '#/components/schemas/Big'}}}]}}}}}`,
      components,
    );
    const models = { from: "a.html", folder: () => "models/" };
    const markdown = operationMarkdown(spec, { models });
    for (const word of ["GALE", "SWELL", "where"]) expect(markdown).toContain(word);
  });
});

test("a parameter that is the key of a security scheme keeps its own description", () => {
  const parameters =
    "parameters: [{name: key, in: query, description: Ask the harbour master for it., schema: {type: string}}]";
  const components = "components: {securitySchemes: {K: {type: apiKey, in: query, name: key}}}";
  const markdown = operationMarkdown(withOperation(`${parameters}\nsecurity: [{K: []}]\nresponses: {}`, components));
  expect(sectionOf(markdown, "Authorizations")).toContain("Ask the harbour master for it.");
});

test("long examples of a property and a parameter are folded, and all short ones are on its line", () => {
  const long = "a rope that ".repeat(20).trim();
  const schema = `{properties: {note: {type: string, examples: [short one, other one, ${long}]}, text: {type: string, default: ${long}s}}}`;
  const parameters = `parameters: [{name: q, in: query, schema: {type: string}, examples: {a: {value: reef}, b: {value: cleat}, c: {value: reef}}}]`;
  const markdown = operationMarkdown(withOperation(`${parameters}\n${body(schema)}`));
  const field = sectionOf(markdown, "Body");
  for (const word of ["short one", "other one", long, `${long}s`]) expect(field).toContain(word);
  expect(sectionOf(markdown, "Query parameters")).toMatch(/`reef`, `cleat`$/m);
});

describe("nothing is cut silently:", () => {
  test("all statuses, examples, media types, scopes, options and callbacks are on the page", () => {
    const spec = withOperation(
      `
security: [{S: [${many(90, (i) => `scope-${i}`)}]}]
requestBody: {content: {application/json: {schema: {enum: [${many(500, (i) => `option-${i}`)}]}}}}
callbacks: {${many(25, (i) => `back${i}: {'http://h/${i}': {post: {summary: Back, responses: {}}}}`)}}
responses: {${many(30, (i) => `'${400 + i}': {description: d, content: {application/json: {examples: {${many(14, (n) => `n${n}: {value: {at: ${i}-${n}-x}}`)}}}}}`)}}
`,
      "components: {securitySchemes: {S: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.example', scopes: {scope-0: d}}}}}}",
    );
    const { diagnostics } = contentOf(spec, operationTarget(spec));
    const markdown = operationMarkdown(spec);
    expect(diagnostics).toEqual([]);
    for (const word of ["scope-89", "option-499", "back24", "29-13-x"]) expect(markdown).toContain(word);
  });

  test("the page and a diagnostic name the parts that are too long", () => {
    const long = (letter: string): string => letter.repeat(55_000);
    const examples = many(4, (i) => `e${i}: {value: {text: ${long("abcd"[i]!)}}}`);
    const response = (value: string) =>
      withOperation(`responses: {'200': {description: d, content: {application/json: {${value}}}}}`);
    const four = response(`examples: {${examples}}`);
    const found = contentOf(four, operationTarget(four));
    expect(found.diagnostics.map(({ code, what }) => [code, what])).toEqual([
      ["API_PAGE_TOO_LARGE", expect.stringContaining("maxExamplesLength")],
    ]);
    expect(operationMarkdown(four)).toContain("200 · e3");
    const one = response(`example: {first: ${long("a").repeat(2)}, second: ${long("b").repeat(2)}, third: c}`);
    expect(contentOf(one, operationTarget(one)).diagnostics.map(({ what }) => what)).toEqual([
      expect.stringContaining("maxBodyLength"),
    ]);
    const request = withOperation(
      `requestBody: {content: {application/json: {example: {first: ${long("a")}, second: b}}}}\nresponses: {}`,
    );
    expect(contentOf(request, operationTarget(request)).diagnostics.map(({ what }) => what)).toContainEqual(
      expect.stringContaining("maxSampleLength"),
    );
  });
});

describe("examples of all bodies:", () => {
  test("a callback has them in each media type, and a form in lines that are not escaped", () => {
    const media = "{schema: {properties: {boat: {type: string, example: Gull & Co}}}}";
    const markdown = operationMarkdown(
      withOperation(
        `callbacks: {moored: {'http://h': {post: {requestBody: {content: {application/json: ${media}, application/xml: ${media}, application/x-www-form-urlencoded: ${media}}}, responses: {}}}}}\nresponses: {}`,
      ),
    );
    expect(markdown).toContain("boat=Gull & Co");
    expect(markdown).toContain("<boat>");
  });

  test("a callback has those of its responses", () => {
    const answers =
      "{'202': {description: taken, content: {application/json: {example: {berth: B7}}}}, '204': {description: none}}";
    const callback = `callbacks: {moored: {'http://h': {post: {responses: ${answers}}}}}\nresponses: {}`;
    expect(operationMarkdown(withOperation(callback))).toContain('"berth": "B7"');
  });

  test("a form is the payload of a webhook", () => {
    const document = documentOf(`
openapi: 3.1.0
info: {title: T, version: "1"}
webhooks:
  moored: {post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {boat: {type: string, example: Gull}}}}}}, responses: {}}}
`);
    const spec = specOf(document);
    const target = { kind: "webhook", spec: spec.source, name: "moored", method: "post" } as const;
    const markdown = markdownOf(contentOf(spec, target).tree);
    expect(markdown).toContain("boat=Gull");
  });

  test("a media type with an example and without a schema is named", () => {
    const content =
      "{application/json: {schema: {properties: {a: {type: string}}}}, application/xml: {schema: {properties: {b: {type: string}}}}, text/plain: {example: OK}}";
    const markdown = operationMarkdown(withOperation(`responses: {'200': {description: d, content: ${content}}}`));
    expect(sectionOf(markdown, "Response")).toContain("text/plain");
  });
});

test("an operation's own only server shows its description", () => {
  const own = "servers: [{url: 'https://upload.example', description: For large files.}]\nresponses: {}";
  expect(operationMarkdown(withOperation(own))).toContain("For large files.");
});

test("an operation shows the summary of its path, unless it has the same one", () => {
  const item =
    "summary: One berth.\nget: {description: Reads it., responses: {}}\nput: {summary: Move, responses: {}}\ndelete: {summary: One berth., responses: {}}";
  const spec = specOf({ openapi: "3.1.0", info: {}, paths: { "/berth": documentOf(item) } });
  const markdownFor = (method: string) => markdownOf(contentOf(spec, operationTarget(spec, `${method} /berth`)).tree);
  expect(markdownFor("get")).toMatch(/Reads it\.\n\nOne berth\./);
  expect(markdownFor("put")).toContain("One berth.");
  expect(markdownFor("delete")).not.toContain("One berth.");
});

test("a JSON body that is a text or a number is sent as JSON", () => {
  const schema = "{anyOf: [{type: string, description: Its name.}, {type: integer}]}";
  const body = `requestBody: {content: {application/json: {schema: ${schema}}}}\nresponses: {}`;
  expect(operationMarkdown(withOperation(body))).toContain(`--data '"string"'`);
});

test("what a list must contain is said where its items are not opened, since they are shown around it", () => {
  const tree =
    "{properties: {name: {type: string}, parts: {type: array, items: {$ref: '#/components/schemas/Tree'}, contains: {required: [leaf]}}}}";
  const operation = body("{$ref: '#/components/schemas/Tree'}");
  const markdown = operationMarkdown(withOperation(operation, `components: {schemas: {Tree: ${tree}}}`));
  expect(markdown).toMatch(/Has the same attributes as[\s\S]*Must contain[^\n]*`leaf`/);
});

test("a rule of a schema shows its own description", () => {
  const rules = [
    "contains: {type: string, description: One leaf.}",
    "propertyNames: {pattern: '^x', description: Names of rows.}",
    "not: {required: [b], description: Never both.}",
    "contentMediaType: application/json, contentSchema: {description: A tree., properties: {c: {}}}",
    "if: {description: In spring., properties: {a: {const: 1}}}, then: {description: It needs b., required: [b]}, else: {description: Or none.}",
  ];
  const markdown = operationMarkdown(withOperation(body(`{type: object, ${rules.join(", ")}}`)));
  for (const text of ["One leaf.", "Names of rows.", "Never both.", "A tree.", "In spring.", "It needs b.", "Or none."])
    expect(markdown).toContain(text);
});

test("a sample has no property that the schema forbids", () => {
  const markdown = operationMarkdown(withOperation(body("{properties: {name: {type: string}, gone: false}}")));
  expect(markdown).toContain('"name": "');
  expect(markdown).not.toContain('"gone":');
});

describe("the examples of a parameter", () => {
  const markdownWith = (examples: string): string => {
    const schema = "{type: string, example: usual}";
    return operationMarkdown(
      withOperation(`parameters: [{name: code, in: query, schema: ${schema}, ${examples}}]\nresponses: {}`),
    );
  };
  test("replace those of its schema", () => {
    expect(markdownWith("example: own")).toMatch(/`code` \(string\):\s+Example: `own`/);
    expect(markdownWith("example: own")).not.toContain("`usual`");
  });
  test("are shown with their descriptions", () => {
    const markdown = markdownWith(
      "examples: {a: {value: '*5', summary: Ends in five.}, b: {value: '5*', description: Begins.}}",
    );
    expect(markdown).toMatch(/- `\*5`: Ends in five\.\s+- `5\*`: Begins\./);
  });
});

test("a status and a header are named although their reference leads nowhere", () => {
  const lost = "{$ref: 'lost.yaml#/x'}";
  const markdown = operationMarkdown(
    withOperation(`responses: {'200': {description: d, headers: {X-Lost: ${lost}}}, '401': ${lost}, '404': null}`),
  );
  for (const name of ["X-Lost", "401", "404"]) expect(markdown).toContain(name);
});

test("the summary of an example is shown, even if it is the only one", () => {
  const examples = "{one: {summary: A small boat, value: {size: 1}}}";
  const content = `{application/json: {schema: {type: object}, examples: ${examples}}}`;
  const markdown = operationMarkdown(withOperation(`responses: {'200': {description: d, content: ${content}}}`));
  expect(markdown).toContain('title="200 · A small boat"');
});

test("descriptions of examples and addresses of those in other files are shown once", () => {
  const examples = (word: string): string =>
    `{small: {summary: Small ${word}, description: For one *${word}*., value: 1}, whole: {externalValue: 'https://example.com/${word}.json'}}`;
  const content = (word: string): string =>
    `{application/json: {examples: ${examples(word)}}, application/xml: {examples: ${examples(word)}}}`;
  const markdown = operationMarkdown(
    withOperation(
      `requestBody: {content: ${content("boat")}}\nresponses: {'200': {description: d, content: ${content("sail")}}}`,
    ),
  );
  for (const word of ["boat", "sail"]) {
    expect(markdown.match(new RegExp(`For one \\*${word}\\*\\.`, "g"))).toHaveLength(1);
    expect(markdown).toContain(`[whole](https://example.com/${word}.json)`);
  }
});

test("the example of the schema of a plain text is that of the response", () => {
  const schema = "{type: string, example: 'DONE 12'}";
  const responses = `responses: {'200': {description: d, content: {text/plain: {schema: ${schema}}}}}`;
  expect(operationMarkdown(withOperation(responses))).toMatch(/title="200"\nDONE 12/);
});

test("of many long examples the first ones have colours, and all their text is shown", () => {
  const examples = many(12, (i) => `e${i}: {value: {a: '${`${i}-`.padEnd(3_000, "x")}'}}`);
  const responses = `responses: {'200': {description: d, content: {application/json: {examples: {${examples}}}}}}`;
  const markdown = operationMarkdown(withOperation(responses));
  expect(markdown.match(/```json title="200/g)).toHaveLength(3);
  expect(markdown.match(/```text title="200/g)).toHaveLength(9);
  expect(markdown).toContain("11-xxx");
});

test("a component that is a reference has the keywords next to it", () => {
  const schemas = [
    "Name: {type: string, description: Any name.}",
    "BoatName: {$ref: '#/components/schemas/Name', description: That of a boat., maxLength: 77}",
    "Alias: {$ref: '#/components/schemas/BoatName'}",
  ];
  const components = `components: {schemas: {${schemas.join(", ")}}}`;
  const markdown = operationMarkdown(
    withOperation(body("{properties: {name: {$ref: '#/components/schemas/Alias'}}}"), components),
  );
  expect(markdown).toMatch(/`name` \(string\): That of a boat\.\s+Any name\.\s+Required length: `<= 77`/);
});

test("members beside each reference of a chain count for a parameter and a response", () => {
  const operation =
    "parameters: [{$ref: '#/components/parameters/Alias'}]\nresponses: {'200': {$ref: '#/components/responses/Alias'}}";
  const markdown = operationMarkdown(
    withOperation(
      operation,
      `components:
  parameters:
    Alias: {$ref: '#/components/parameters/Page', description: The page of the fleet list.}
    Page: {name: page, in: query, description: Any page., schema: {type: integer}}
  responses:
    Alias: {$ref: '#/components/responses/Fleet', description: The fleet of a harbour.}
    Fleet: {description: Any fleet.}`,
    ),
  );
  for (const words of ["The page of the fleet list.", "The fleet of a harbour."]) expect(markdown).toContain(words);
});

test("a callback shows the authorization of its own caller, and not that of clients of the API", () => {
  const back = (security: string): string =>
    `callbacks: {moored: {'http://h': {post: {${security} responses: {'200': {description: Fine}}}}}}\nresponses: {}`;
  const schemes =
    "security: [{Client: []}]\ncomponents: {securitySchemes: {Client: {type: http, scheme: basic}, Caller: {type: apiKey, in: header, name: X-Harbour, description: The key of the berth.}}}";
  const [own, none] = [back("security: [{Caller: []}],"), back("")].map((callback) =>
    operationMarkdown(withOperation(callback, schemes)),
  );
  expect(own).toContain("The key of the berth.");
  expect(none).not.toContain("X-Harbour");
  expect(own!.match(/Basic/g)).toEqual(none!.match(/Basic/g));
});

test("the title of a property is shown if it says more than its name", () => {
  const markdown = operationMarkdown(
    withOperation(
      "responses: {'200': {description: d, content: {application/json: {schema: {properties: {draught: {type: number, title: Depth below the water line}, hullNumber: {type: string, title: Hull Number}, flag: {type: array, title: Flags of the mast, description: From top to bottom.}}}}}}}",
    ),
  );
  expect(markdown).toContain("Depth below the water line");
  expect(markdown).toContain("Flags of the mast");
  expect(markdown.replace(/^## OpenAPI[\s\S]*/m, "")).not.toContain("Hull Number");
});

test("the options of a base schema show what each adds to it, and the value that their own schemas fix", () => {
  const markdown = operationMarkdown(
    withOperation(
      "responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}",
      `components:
  schemas:
    Boat: {type: object, required: [kind], properties: {kind: {type: string}, berth: {type: string, description: Where it lies.}}, discriminator: {propertyName: kind, mapping: {s: '#/components/schemas/Sail', m: '#/components/schemas/Motor'}}}
    Sail: {allOf: [{$ref: '#/components/schemas/Boat'}, {properties: {masts: {type: integer}}}]}
    Motor: {allOf: [{$ref: '#/components/schemas/Boat'}, {required: [berth], properties: {kind: {const: diesel}}}]}`,
    ),
  );
  const [fields = "", tabs = ""] = markdown.split("One of:");
  expect(fields).toContain("Where it lies.");
  const [sail = "", motor = ""] = tabs.split("**Motor**");
  expect(sail).toMatch(/`kind` = `s`\s+- `masts`/);
  // Motor requires it.
  expect(motor).toContain("- `berth` (string, required)");
  expect(motor).not.toContain("`kind` = `m`");
});

test("of OpenAPI 3.2, the default option of a discriminator is marked with Otherwise, whether it is listed or not", () => {
  for (const union of ["oneOf: [{$ref: '#/components/schemas/Sail'}, {$ref: '#/components/schemas/Raft'}], ", ""]) {
    const markdown = operationMarkdown(
      withOperation(
        "responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}",
        `components:
  schemas:
    Boat: {type: object, ${union}discriminator: {propertyName: kind, mapping: {s: Sail}, defaultMapping: Raft}}
    Sail: {type: object, properties: {masts: {type: integer}}}
    Raft: {type: object, properties: {logs: {type: integer}}}`,
      ),
    );
    expect(markdown).toMatch(/`kind` = `s`\s+- `masts`[\s\S]*\*\*Raft\*\*[\s\S]*`kind`: Otherwise\s+- `logs`/);
  }
});

test("the name of a discriminator alone, as Swagger 2.0 and AsyncAPI write it, makes options of the schemas that extend its own", () => {
  const markdown = operationMarkdown(
    withOperation(
      "responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}}",
      `components:
  schemas:
    Boat: {type: object, required: [kind], discriminator: kind, properties: {kind: {type: string}}}
    Sail: {allOf: [{$ref: '#/components/schemas/Boat'}, {properties: {masts: {type: integer}}}]}
    Motor: {allOf: [{$ref: '#/components/schemas/Boat'}, {properties: {power: {type: integer}}}]}`,
    ),
  );
  expect(markdown).toMatch(/`kind` = `Sail`\s+- `masts`[\s\S]*`kind` = `Motor`\s+- `power`/);
});

test("the form of a token, an old scheme, a query that may be empty and a body that is null are described", () => {
  const schemes =
    "components: {securitySchemes: {T: {type: http, scheme: bearer, bearerFormat: JWT}, K: {type: apiKey, in: header, name: X-Old, deprecated: true}}}";
  const markdown = operationMarkdown(
    withOperation(
      "security: [{T: [], K: []}]\nparameters: [{name: quiet, in: query, allowEmptyValue: true, schema: {type: boolean}}]\nrequestBody: {content: {application/json: {schema: {type: 'null'}}}}\nresponses: {}",
      schemes,
    ),
  );
  expect(markdown).toContain("bearerFormat: `JWT`");
  expect(markdown).toMatch(/`X-Old` \(string, header, required, deprecated\)/);
  expect(markdown).toContain("allowEmptyValue: `true`");
  expect(markdown).not.toContain("example-file");
});

test("a scope that two flows describe in different ways shows both texts, and the same text once", () => {
  const flow = (about: string, short = ""): string =>
    `{tokenUrl: 'https://a.example/t', scopes: {dock: ${about}, sail: Leave the harbour.${short}}}`;
  const markdown = operationMarkdown(
    withOperation(
      "security: [{S: [dock, sail, fish]}]\nresponses: {}",
      `components: {securitySchemes: {S: {type: oauth2, flows: {password: ${flow("Dock by hand.", ", fish: Catch fish")}, clientCredentials: ${flow("Dock by machine.", ", fish: Catch")}}}}}`,
    ),
  );
  expect(markdown).toContain("`fish`: Catch fish / Catch");
  expect(markdown).toContain("`dock`: Dock by hand. / Dock by machine.");
  expect(markdown.match(/Leave the harbour\./g)).toHaveLength(1);
});

test("the example of a binary body without a schema is sent, and a file in place of one that is not given", () => {
  const sent = (media: string): string =>
    operationMarkdown(withOperation(`requestBody: {content: {application/octet-stream: ${media}}}\nresponses: {}`));
  expect(sent("{example: '\"mainsail\"'}")).toContain('"mainsail"');
  expect(sent("{}")).toContain("--data-binary");
  expect(sent("{schema: {type: string, format: binary}, example: mainsail}")).toContain("--data-binary");
});

test("all options that list items have beside the fields of another schema are on a large page", () => {
  const options = many(30, (i) => `{title: Case ${i}, properties: {issue: {enum: [CODE_${i}]}}}`);
  const fields = (name: string, count: number): string =>
    `{properties: {${many(count, (i) => `${name}${i}: {type: string}`)}}}`;
  const content = (schema: string): string => `{description: d, content: {application/json: {schema: ${schema}}}}`;
  const fault =
    "{allOf: [{$ref: '#/components/schemas/Fault'}, {properties: {big: {$ref: '#/components/schemas/Big'}}}]}";
  const spec = withOperation(
    `responses: {'200': ${content(fields("a", 110))}, '400': ${content(fault)}}`,
    `components:
  schemas:
    Fault: {allOf: [{properties: {details: {type: array, items: {$ref: '#/components/schemas/Detail'}}}}, {properties: {details: {type: array, items: {anyOf: [${options}]}}}}]}
    Detail: {properties: {issue: {type: string}, where: {type: string}}}
    Big: ${fields("b", 200)}`,
  );
  const markdown = operationMarkdown(spec, { models: { from: "a.html", folder: () => "models/" } });
  for (const i of [0, 15, 29]) expect(markdown).toContain(`CODE_${i}\``);
});

describe("what is written of the items of a list, of an option or in a rule is shown:", () => {
  const shown = (schema: string): string =>
    sectionOf(operationMarkdown(withOperation(body(`{properties: {sails: ${schema}}}`))), "Body");
  const words =
    "title: A good sail, default: jib, deprecated: true, x-deprecated-message: Use masts., x-mint: {post: [new]}, examples: [reef, spinnaker], externalDocs: {url: 'https://example.com/sails', description: All sails}";
  const all = ["A good sail", "jib", "deprecated", "Use masts.", "new", "reef", "spinnaker", "All sails"];
  for (const [place, schema] of [
    ["items", `{type: array, items: {type: string, ${words}}}`],
    ["items of items", `{type: array, items: {type: array, items: {type: string, ${words}}}}`],
    ["an option", `{oneOf: [{type: string, ${words}}, {type: boolean}]}`],
    [
      "an option that has only documentation",
      "{oneOf: [{type: string, externalDocs: {url: 'https://example.com/', description: All sails}}, {type: boolean}]}",
    ],
    ["what a list must contain", `{type: array, contains: {type: string, ${words}}}`],
    [
      "the content of a text",
      `{type: string, contentMediaType: application/json, contentSchema: {type: string, ${words}}}`,
    ],
  ] as const)
    test(place, () => {
      const section = shown(schema);
      for (const word of schema.includes(words) ? all : ["All sails"]) expect(section).toContain(word);
    });

  test("the state of items is on one line, and lists of plain items have none", () => {
    expect(shown("{type: array, items: {type: string, default: jib, deprecated: true}}")).toMatch(
      /`sails` \(string\[\]\): items: deprecated, default: `jib`$/m,
    );
    expect(shown("{type: array, items: {type: string}}")).not.toContain("items:");
  });

  test("the texts about values in a rule", () => {
    const values = "{enum: [1, 2], x-enum-varnames: [ONE, TWO]}";
    expect(shown(`{not: ${values}}`)).toMatch(/Not allowed[\s\S]*`1`: ONE/);
    const rule = `{properties: {size: {type: integer}}, if: {properties: {size: ${values}}}, then: {required: [mast]}}`;
    expect(shown(rule)).toMatch(/Condition[\s\S]*`1`: ONE/);
  });
});

test("a format that the type does not name, and the media type of a file, are shown", () => {
  const fields =
    "both: {allOf: [{type: string, format: uri}, {format: iri}]}, list: {type: array, format: csv, items: {type: string}}, value: {type: string, enum: [a], format: slug}, picture: {type: string, contentMediaType: image/png}, file: {type: string, format: binary}";
  const section = sectionOf(operationMarkdown(withOperation(body(`{properties: {${fields}}}`))), "Body");
  for (const line of [
    /`both` \(string\\?<uri>\): format: `iri`$/m,
    /`list` \(string\[\]\): format: `csv`$/m,
    /`value` \(enum\\?<string>\): format: `slug`/,
    /`picture` \(file\): Content: `image\/png`$/m,
    /`file` \(file\)$/m,
  ])
    expect(section).toMatch(line);
});

test("a type permits null if one of its options does", () => {
  const fields =
    "one: {oneOf: [{type: [string, 'null']}, {type: boolean}]}, list: {type: array, items: {anyOf: [{type: [string, 'null']}, {type: boolean}]}}";
  const section = sectionOf(operationMarkdown(withOperation(body(`{properties: {${fields}}}`))), "Body");
  expect(section).toContain("`one` (string | boolean | null)");
  expect(section).toContain("`list` ((string | boolean | null)[])");
});

test("a body shows its own title, and all its examples but the one of the sample", () => {
  const schema = "{type: string, title: The name of a boat, examples: [Gull, Tern]}";
  const response = `responses: {'200': {description: d, content: {application/json: {schema: ${schema}}}}}`;
  const section = sectionOf(operationMarkdown(withOperation(response)), "Response");
  expect(section).toContain("The name of a boat");
  expect(section).toContain("Example: `Tern`");
  const object = "{title: The whole boat, properties: {name: {type: string}}}";
  expect(operationMarkdown(withOperation(body(object)))).toContain("The whole boat");
});

test("a title of one word is shown, unless it is the name of the field or of a component", () => {
  const components = "components: {schemas: {Kind: {type: string, title: BoatKind}}}";
  const fields =
    "qty: {type: integer, title: Quantity}, berth_no: {type: string, title: BerthNo}, kind: {$ref: '#/components/schemas/Kind'}";
  const section = sectionOf(operationMarkdown(withOperation(body(`{properties: {${fields}}}`), components)), "Body");
  expect(section).toContain("`qty` (integer): Quantity");
  for (const word of ["BerthNo", "BoatKind"]) expect(section).not.toContain(word);
});

test("a description that only repeats the name of its field is left out", () => {
  const fields = "berth_no: {type: string, description: Berth no}, kind: {type: string, description: Kind of boat}";
  const section = sectionOf(operationMarkdown(withOperation(body(`{properties: {${fields}}}`))), "Body");
  expect(section).toContain("`kind` (string): Kind of boat");
  expect(section).not.toContain("Berth no");
});

test("a callback shows the words of its path and its tags, a webhook its servers", () => {
  const item =
    "summary: For each boat., description: Called once., post: {summary: Moored, description: It lies still., tags: [harbour], responses: {}}";
  const callbacks = operationMarkdown(withOperation(`callbacks: {moored: {'http://h': {${item}}}}\nresponses: {}`));
  for (const word of ["Moored", "It lies still.", "Called once.", "For each boat.", "tags: `harbour`"])
    expect(callbacks).toContain(word);
  const hook = "{post: {servers: [{url: 'https://pier.example', description: The pier.}], responses: {}}}";
  const spec = specOf(documentOf(`openapi: 3.1.0\ninfo: {title: T, version: '1'}\nwebhooks: {moored: ${hook}}`));
  const target = { kind: "webhook", spec: spec.source, name: "moored", method: "post" } as const;
  expect(markdownOf(contentOf(spec, target).tree)).toMatch(/https:\/\/pier\.example[\s\S]*The pier\./);
});

test("the words about the whole query are above its fields", () => {
  const content = "{application/x-www-form-urlencoded: {schema: {properties: {depth: {type: integer}}}}}";
  const parameter = `{name: q, in: querystring, description: How to sound., content: ${content}}`;
  const markdown = operationMarkdown(withOperation(`parameters: [${parameter}]\nresponses: {}`));
  expect(sectionOf(markdown, "Query parameters")).toMatch(/How to sound\.\s+- `depth`/);
});

test("a JSON body without a schema is sent as an empty object, not as a file", () => {
  const written = "requestBody: {required: true, content: {application/json: {examples: {}}}}\nresponses: {}";
  const markdown = operationMarkdown(withOperation(written));
  expect(markdown).toContain("--data '{}'");
  expect(markdown).not.toContain("@file");
});

test("callbacks of callbacks are shown, and so is one with a method of its own; one that leads back to itself ends", () => {
  const inner = "callbacks: {answered: {'{$request.body#/answer}': {post: {description: It answers., responses: {}}}}}";
  const back = "again: {$ref: '#/paths/~1a/post/callbacks/moored'}";
  const item = `{additionalOperations: {NOTIFY: {${inner.replace("{answered", `{${back}, answered`)}, responses: {}}}}`;
  const spec = `openapi: 3.2.0\ninfo: {title: T, version: '1'}\npaths: {/a: {post: {callbacks: {moored: {'http://h': ${item}}}, responses: {}}}}`;
  const target = { kind: "operation", spec: "api.yaml", method: "post", path: "/a" } as const;
  const markdown = markdownOf(contentOf(specOf(documentOf(spec)), target).tree);
  expect(markdown.split("## OpenAPI")[0]!.match(/NOTIFY http|answered `POST|It answers/g)).toEqual([
    "NOTIFY http",
    "answered `POST",
    "It answers",
  ]);
});

test("an example of a parameter in another file shows its description", () => {
  const examples = "{whole: {externalValue: 'https://example.com/whole.json', description: All boats of a pier.}}";
  const parameter = `{name: boats, in: query, schema: {type: string}, examples: ${examples}}`;
  expect(operationMarkdown(withOperation(`parameters: [${parameter}]\nresponses: {}`))).toContain(
    "All boats of a pier.",
  );
});

test("workflows show the names of actions, and their overview the APIs that they call", () => {
  const onFailure = "[{name: wait_for_tide, type: retry, retryAfter: 2, criteria: [{condition: $statusCode == 503}]}]";
  const spec = specOf(
    documentOf(`
arazzo: 1.0.1
info: {title: T, version: '1'}
sourceDescriptions: [{name: harbour, url: 'https://example.com/harbour.json', type: openapi}]
workflows: [{workflowId: moor, steps: [{stepId: one, operationId: moorBoat, onFailure: ${onFailure}}]}]
`),
    "arazzo.json",
  );
  const workflow = { kind: "workflow", spec: spec.source, name: "moor", pointer: "#/workflows/0" } as const;
  expect(markdownOf(contentOf(spec, workflow).tree)).toMatch(/`wait_for_tide`: If `\$statusCode == 503`/);
  const overview = contentOf(spec, { kind: "overview", spec: spec.source });
  expect(markdownOf(overview.tree)).toContain("harbour: [https://example.com/harbour.json]");
});

test("a JSON example that is written as a text is JSON if nothing says that the body is a text", () => {
  const responses = (schema: string) =>
    `responses: {200: {description: ok, content: {application/json: {${schema} example: '{"id": 7}'}}}}`;
  expect(operationMarkdown(withOperation(responses("")))).toContain('"id": 7\n');
  expect(operationMarkdown(withOperation(responses("schema: {type: string},")))).toContain('\\"id\\": 7');
});

test("a word in place of the JSON of an example is shown, and not sent", () => {
  const schema = "{type: object, required: [name], properties: {name: {type: string}}}";
  const examples = "{ref: {description: In a file., value: /examples/boat.json#body}}";
  const content = `{application/json: {schema: ${schema}, examples: ${examples}}}`;
  const markdown = operationMarkdown(withOperation(`requestBody: {content: ${content}}\nresponses: {}`));
  expect(markdown).toMatch(/ref: `\/examples\/boat\.json#body`\s+In a file\./);
  expect(markdown).toContain(`"name": "string"`);
});

test("the items of a list are shown although it also has the properties of its element in XML", () => {
  const list = "{type: array, xml: {name: boats}, properties: {boats: {type: array}}, items: {properties: {hull: {}}}}";
  const markdown = operationMarkdown(withOperation(body(`{type: object, properties: {boats: ${list}}}`)));
  expect(sectionOf(markdown, "Body")).toMatch(/`boats` \(object\[\]\)[^`]*`hull`/);
});

test("the properties of an option are shown although its list has items that say nothing", () => {
  const list = "{type: array, items: {}, anyOf: [{type: object, properties: {hull: {type: string}}}]}";
  const markdown = operationMarkdown(withOperation(body(`{type: object, properties: {boats: ${list}}}`)));
  expect(sectionOf(markdown, "Body")).toContain("`hull`");
});

test("the indentation of the first line of a description is not code", () => {
  const description = JSON.stringify(
    "\n      > In beta.\n      >\n      > Send a [header](https://a.example).\n\nLists boats.",
  );
  const markdown = operationMarkdown(
    withOperation(`description: ${description}\nresponses: {"200": {description: Fine.}}`),
  );
  expect(markdown).toContain("> In beta.\n>\n> Send a [header](https://a.example).\n\nLists boats.");
});

test("the facts and the example of a parameter that a security scheme describes are shown, and the example is sent", () => {
  const schema = "{type: string, minLength: 3, pattern: '^[a-z-]+$'}";
  const key = `{name: client, in: query, description: The app., example: my-app, schema: ${schema}}`;
  const keyed = (parameter: string): string =>
    operationMarkdown(
      withOperation(
        `security: [{key: []}]\nparameters: [${parameter}]\nresponses: {"200": {description: Fine.}}`,
        "components: {securitySchemes: {key: {type: apiKey, in: query, name: client}}}",
      ),
    );
  const markdown = keyed(key);
  const shown = sectionOf(markdown, "Authorizations");
  for (const words of ["The app.", ">= 3", "^[a-z-]+$", "my-app"]) expect(shown).toContain(words);
  expect(markdown).toContain("/things?client=my-app");
  const ofSchema = "{name: client, in: query, schema: {type: string, example: my-app}}";
  expect(keyed(ofSchema)).toContain("/things?client=my-app");
});

test("a file of a form says the media type of its content once", () => {
  const schema = "{type: object, properties: {photo: {type: string, contentMediaType: image/png}}}";
  const content = `multipart/form-data: {schema: ${schema}, encoding: {photo: {contentType: image/png}}}`;
  const markdown = operationMarkdown(
    withOperation(`requestBody: {content: {${content}}}\nresponses: {"200": {description: Fine.}}`),
  );
  expect(sectionOf(markdown, "Body").match(/`image\/png`/g)).toHaveLength(1);
});

test("each of a hundred options is shown", () => {
  const option = (i: number): string => `{title: Fault ${i}, properties: {issue: {type: string, enum: [FAULT_${i}]}}}`;
  const options = Array.from({ length: 100 }, (_, i) => option(i)).join(", ");
  const markdown = operationMarkdown(withOperation(body(`{anyOf: [${options}]}`)));
  expect(new Set(sectionOf(markdown, "Body").match(/FAULT_\d+/g)).size).toBe(100);
});

test("the example of a body is shown although the specification has samples in all languages", () => {
  const languages = ["curl", "python", "javascript", "php", "go", "java", "ruby"];
  const samples = languages.map((lang) => `{lang: ${lang}, source: "send ${lang}"}`).join(", ");
  const json = "application/json: {schema: {type: object}, example: {pages: 1-2}}";
  const markdown = operationMarkdown(
    withOperation(`
      x-codeSamples: [${samples}]
      requestBody: {content: {${json}}}
      responses: {"200": {description: Fine.}}
    `),
  );
  expect(sectionOf(markdown, "Body")).toContain('"pages": "1-2"');
});

test("a title that says more than a name stays if a title next to its reference takes its place", () => {
  const components = "components: {schemas: {Rope: {type: string, title: Rope holds the boat}}}";
  const spec = withOperation(
    body("{properties: {rope: {$ref: '#/components/schemas/Rope', title: Line ashore}}}"),
    components,
  );
  const markdown = operationMarkdown(spec, { section: "Body" });
  for (const words of ["Line ashore", "Rope holds the boat"]) expect(markdown).toContain(words);
});

test("an empty text is no example of an object, so that the request has a body", () => {
  const schema = "{type: object, required: [hull], properties: {hull: {type: string}}}";
  const request = `requestBody: {required: true, content: {application/json: {schema: ${schema}, example: ''}}}`;
  expect(operationMarkdown(withOperation(`${request}\nresponses: {}`))).toContain('"hull": "string"');
});

test("null, which some generators write where they have no example, leaves the generated value", () => {
  const schema = "{type: object, required: [hull], properties: {hull: {type: string, example: null}}}";
  const examples = "{none: {value: null}}";
  const request = `requestBody: {required: true, content: {application/json: {schema: ${schema}, examples: ${examples}}}}`;
  const parameter = "{name: berth, in: query, required: true, schema: {type: integer, example: null}, example: null}";
  const markdown = operationMarkdown(withOperation(`parameters: [${parameter}]\n${request}\nresponses: {}`));
  expect(markdown).toContain('"hull": "string"');
  expect(markdown).toMatch(/\?berth=\d/);
  expect(markdown).not.toContain("null");
});

test("null stays the example of what may be null", () => {
  const media = "{schema: {type: [object, 'null']}, example: null}";
  const responses = `responses: {'200': {description: d, content: {application/json: ${media}}}}`;
  expect(operationMarkdown(withOperation(responses))).toMatch(/```json[^`]*\nnull\n/);
});

test("an example that is a map of examples gives a parameter the value of the first", () => {
  const example = "{knots: {summary: The usual unit, value: kn}}";
  const parameter = `{name: unit, in: query, required: true, schema: {type: string}, example: ${example}}`;
  expect(operationMarkdown(withOperation(`parameters: [${parameter}]\nresponses: {}`))).toContain("?unit=kn");
});

test("an example that refers to one of the components has its value", () => {
  const media = "{schema: {type: object}, example: {$ref: '#/components/examples/Mast'}}";
  const components = "components: {examples: {Mast: {value: {metres: 12}}}}";
  const responses = `responses: {'200': {description: d, content: {application/json: ${media}}}}`;
  expect(operationMarkdown(withOperation(responses, components))).toContain('"metres": 12');
});

test("of responses with the same several structures, the first one shows them and the others refer to it", () => {
  const content =
    "{application/json: {schema: {properties: {depth: {type: integer}}}}, application/problem+json: {schema: {properties: {cause: {type: string}}}}}";
  const same = "{application/json: {schema: {properties: {again: {type: integer}}}}}";
  const responses = [400, 403].map((status) => `'${status}': {description: d${status}, content: ${content}}`);
  const repeated = [500, 502].map((status) => `'${status}': {description: d, content: ${same}}`);
  const spec = withOperation(`responses: {${[...responses, ...repeated].join(", ")}}`);
  const markdown = operationMarkdown(spec, { section: "Response" });
  expect(markdown.match(/`depth`/g)).toHaveLength(1);
  expect(markdown).toMatch(/Has the same attributes as \[`400`\]/);
  expect(markdown).toContain("d403");
  expect(markdown.match(/`again`/g)).toHaveLength(2);
});
