import { parse as parseHtml } from "parse5";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import type { ApiSpec } from "../../src/site/api-spec.js";
import { withinCpu } from "../support/machine-time.js";
import { apiDefaults, contentOf, documentOf, htmlOf, operationTarget, specOf, withOperation } from "./spec-of.js";

/** The page of the only operation, as HTML. */
async function pageOf(spec: ApiSpec, options: Parameters<typeof contentOf>[2] = {}) {
  const { tree, diagnostics } = contentOf(spec, operationTarget(spec), options);
  const html = await htmlOf(tree);
  return { ...html, whole: `${html.lead}${html.body}${html.panel}`, diagnostics };
}

const idsOf = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);
const body = (schema: string): string => `requestBody: {content: {application/json: {schema: ${schema}}}}`;

describe("links", () => {
  test("a nested field's id contains the id of its parent", async () => {
    const { body: html } = await pageOf(
      withOperation(
        body(
          "{type: object, properties: {a: {type: object, properties: {b: {type: object, properties: {c: {type: string}}}}}}}",
        ),
      ),
    );
    expect(idsOf(html)).toEqual(expect.arrayContaining(["param-a", "param-a:b", "param-a:b:c"]));
  });

  test("fields of one name have different ids", async () => {
    const { body: html } = await pageOf(
      withOperation(`
parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: id, in: query, schema: {type: string}}]
requestBody: {content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}
responses:
  '200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}
  '404': {description: no, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}
`),
    );
    const ids = idsOf(html).filter((id) => id.startsWith("param-"));
    expect(ids).toEqual(["param-id", "param-query-id", "param-body-id", "param-200-id", "param-404-id"]);
  });

  test("ids are unique for any names in a specification", async () => {
    const names = [
      "a",
      "A",
      "a b",
      "a-b",
      "é",
      "日本",
      "",
      " ",
      "__proto__",
      "a:b",
      "a".repeat(300),
      `${"a".repeat(300)}b`,
    ];
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: "object", properties: { x: { type: "string" } } }]),
    );
    const schema = {
      oneOf: [
        { title: "One", properties },
        { title: "One", properties },
      ],
    } as unknown as Json;
    const spec = specOf({
      openapi: "3.1.0",
      paths: { "/x": { post: { requestBody: { content: { "application/json": { schema } } } } } },
    });
    const { whole } = await pageOf(spec);
    const ids = idsOf(whole);
    expect(ids.length).toBeGreaterThan(40);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a recursive structure links to its first occurrence", async () => {
    const spec = withOperation(
      body("{$ref: '#/components/schemas/Node'}"),
      "components: {schemas: {Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}, list: {type: array, items: {type: object, properties: {node: {$ref: '#/components/schemas/Node'}}}}}}}}",
    );
    const { body: html } = await pageOf(spec);
    const links = [...html.matchAll(/<a href="#([^"]*)"><code/g)].map((match) => decodeURIComponent(match[1]!));
    expect(links.length).toBe(2);
    for (const link of links) expect(idsOf(html)).toContain(link);
  });

  test("the first success is open, even if its body has no example", async () => {
    const error = "{description: no, content: {application/json: {schema: {type: object}}}}";
    const opened = (html: string): string[] =>
      [...html.matchAll(/<button[^>]* aria-selected="true"[^>]* data-tab-title="(?:title=&quot;)?([^"&]*)/g)].map(
        (match) => match[1]!,
      );
    const withResponses = async (written: string) => {
      const { body: html, panel } = await pageOf(withOperation(`responses: {${written}}`));
      return { opened: [...opened(html), ...opened(panel)], panel };
    };
    const empty = await withResponses(`'401': ${error}, '4XX': ${error}, '204': {description: gone}`);
    expect(empty.opened).toEqual(["204", "204"]);
    expect(empty.panel).toMatch(/No body/i);
    const file = await withResponses(`'400': ${error}, 2XX: {description: ok, content: {application/pdf: {}}}`);
    expect(file.opened).toEqual(["2XX", "2XX"]);
    expect(file.panel).toContain("application/pdf");
    const none = await withResponses(`'404': ${error}, default: ${error}`);
    expect(none.opened).toEqual(["404", "404"]);
  });

  test("responses and sections have ids, and nested sections are not in the outline", async () => {
    const { body: html, page } = await pageOf(
      withOperation(`
${body("{type: object, properties: {a: {type: string}}}")}
callbacks: {done: {'{$request.body#/url}': {post: {parameters: [{name: X-A, in: header, schema: {type: string}}], ${body("{type: object, properties: {a: {type: string}}}")}, responses: {'200': {description: ok}}}}}}
responses: {'200': {description: ok}, '404': {description: no}}
`),
    );
    expect(idsOf(html)).toEqual(
      expect.arrayContaining([
        "body",
        "callbacks",
        "done-body",
        "done-headers",
        "done-response",
        "response",
        "response-200",
        "response-404",
      ]),
    );
    expect(page.toc.map(({ id }: { id: string }) => id)).toEqual(["body", "callbacks", "response"]);
  });
});

test("a response that several requests of a page have is shown once, and the others refer to it", async () => {
  const fault = "{description: fault, content: {application/json: {schema: {properties: {reason: {type: string}}}}}}";
  const more = "{description: more, content: {application/json: {schema: {properties: {hint: {type: string}}}}}}";
  const post = `{post: {responses: {'200': {description: ok}, '400': ${fault}, '409': ${more}}}}`;
  const { body: html } = await pageOf(
    withOperation(`
callbacks: {first: {'{$request.body#/a}': ${post}}, second: {'{$request.body#/b}': ${post}}}
responses: {'200': {description: ok}, '404': ${fault}}
`),
  );
  const fieldsNamed = (name: string) =>
    [...html.matchAll(new RegExp(`field-name"[^>]*>(?:<[^>]*>)*${name}`, "g"))].length;
  expect([fieldsNamed("reason"), fieldsNamed("hint")]).toEqual([1, 1]);
  const links = [...html.matchAll(/Has the same attributes as <a href="#([^"]*)"><code>([^<]*)/g)];
  expect(links.map(([, id, name]) => `${id} ${name}`)).toEqual([
    "response-404 404",
    "response-404 404",
    "first-response-409 first 409",
  ]);
});

describe("folding", () => {
  const nested = withOperation(
    body("{type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}"),
  );
  test("nested fields are folded", async () => {
    const { body: html } = await pageOf(nested);
    expect(html).toContain("<details");
    expect(html).not.toContain("<details open");
    expect(html).not.toMatch(/<details[^>]* open/);
  });
  test("params.expanded opens them", async () => {
    const { body: html } = await pageOf(nested, { api: { params: { ...apiDefaults.params, expanded: "all" } } });
    expect(html).toMatch(/<details[^>]* open/);
  });
  const shapes = (count: number): string =>
    `{oneOf: [${Array.from({ length: count }, (_, i) => `{title: S${i}, type: object, properties: {a${i}: {type: string}}}`).join(", ")}]}`;
  test("a few options are tabs", async () => {
    const { body: html } = await pageOf(withOperation(body(shapes(3))));
    expect(html.match(/role="tab"/g)).toHaveLength(3);
  });
  test("many options are a menu", async () => {
    const { body: html } = await pageOf(withOperation(body(shapes(9))));
    expect(html).not.toContain('role="tab"');
    expect(html.match(/<option/g)).toHaveLength(9);
  });
  test("an option without a title has the name of the value that only it permits", async () => {
    const event = (kind: string, field: string): string =>
      `{type: object, properties: {v: {const: "1"}, kind: ${kind}, ${field}: {type: string}}}`;
    const { body: html } = await pageOf(
      withOperation(
        body(
          `{oneOf: [${event("{const: user.joined}", "name")}, ${event("{enum: [left]}", "why")}, ${event("{type: string}", "x")}]}`,
        ),
      ),
    );
    const tabs = Array.from(html.matchAll(/role="tab"[^>]*>([^<]*)</g), ([, title]) => title);
    expect(tabs).toEqual(["user.joined", "left", "Option 3"]);
  });
  test("a format that repeats the type is left out", async () => {
    const { body: html } = await pageOf(
      withOperation(body("{type: object, properties: {a: {type: string, format: string}}}")),
    );
    expect(html).not.toContain("string&#x3C;string>");
    expect(html).not.toContain("string&lt;string");
  });
  test("nested options are a menu", async () => {
    const { body: html } = await pageOf(
      withOperation(
        body(
          `{oneOf: [{title: A, type: object, properties: {deep: ${shapes(2)}}}, {title: B, type: object, properties: {b: {type: string}}}]}`,
        ),
      ),
    );
    expect(html.match(/role="tab"/g)).toHaveLength(2);
    expect(html.match(/<option/g)).toHaveLength(2);
  });
  test("a value that is an object is JSON, whatever its members are named", async () => {
    const { body: html } = await pageOf(
      withOperation(body("{type: object, properties: {a: {enum: [{toString: 1, valueOf: 2}]}}}")),
    );
    expect(html).toContain('{"toString":1,"valueOf":2}');
  });
  test("a long list of values is folded after the first few", async () => {
    const values = Array.from({ length: 60 }, (_, i) => `value-${i}`);
    const { body: html } = await pageOf(withOperation(body(`{type: object, properties: {a: {enum: [${values}]}}}`)));
    for (const value of values) expect(html).toContain(value);
    const details = html.indexOf("<details");
    expect(details).toBeGreaterThan(0);
    expect(html.indexOf("value-5<")).toBeLessThan(details);
    expect(html.indexOf("value-59<")).toBeGreaterThan(details);
  });
});

describe("the endpoint", () => {
  const lead = async (rest: string, api = {}) => {
    const { lead: html } = await pageOf(withOperation("summary: x", rest), { api });
    return html.replace(/<wbr>/g, "").replace(/<svg.*?<\/svg>/gs, "");
  };
  test("shows only the path if there is one server", async () => {
    expect(await lead("servers: [{url: https://a.example.com}]")).not.toContain("api-base");
  });
  test("shows and copies the whole URL if there are several servers", async () => {
    const html = await lead("servers: [{url: https://a.example.com}, {url: https://b.example.com}]");
    expect(html).toContain('<span class="api-base"><span class="api-path-segment">https://a.example.com</span></span>');
    expect(html).toContain('data-copy="https://a.example.com/things"');
  });
  test("shows the whole URL with url: full", async () => {
    expect(await lead("servers: [{url: https://a.example.com}]", { url: "full" })).toContain("api-base");
  });
});

describe("a description shown under the title is not repeated", () => {
  const spec = withOperation("description: |\n  The first paragraph.\n\n  ## More\n\n  The rest.");
  test("shows the rest of a long description", async () => {
    const { body: html } = await pageOf(spec, { description: "The first paragraph." });
    expect(html).not.toContain("The first paragraph");
    expect(html).toContain("The rest.");
    expect(html).toMatch(/<h2[^>]*>.*More/s);
  });
  test("recognizes the shown part even if its line breaks differ or have a backslash", async () => {
    const broken = withOperation(`description: ${JSON.stringify("The first\nparagraph.\\\n\\\nThe rest.")}`);
    const { body: html } = await pageOf(broken, { description: "The first paragraph." });
    expect(html).toBe("<p>The rest.</p>");
    const escaped = withOperation(`description: ${JSON.stringify("The \\*first\\* one.\n\n\\*The rest.")}`);
    expect((await pageOf(escaped, { description: "The \\*first\\* one." })).body).toBe("<p>*The rest.</p>");
  });
  test("shows the whole description if the page has a description of its own", async () => {
    const { body: html } = await pageOf(spec, { description: "Another." });
    expect(html).toContain("The first paragraph");
  });
});

describe("a page's own content", () => {
  const own = [
    { type: "paragraph", children: [{ type: "text", value: "Before it." }] },
    {
      type: "mdxJsxFlowElement",
      name: "RequestExample",
      attributes: [],
      data: { props: {} },
      children: [{ type: "code", lang: "bash", value: "own --sample" }],
    },
  ] as never;
  test("a page's own content comes before generated content, and its examples replace generated ones", async () => {
    const { body: html, panel } = await pageOf(
      withOperation(
        `${body("{type: object, properties: {a: {type: string}}}")}\nresponses: {'200': {description: ok, content: {application/json: {schema: {type: integer}}}}}`,
      ),
      { own },
    );
    expect(html.indexOf("Before it.")).toBeLessThan(html.indexOf("param-a"));
    expect(panel).toContain("own --sample");
    expect(panel).not.toContain("curl --request");
    expect(panel).toContain("123");
  });
});

describe("any content of a specification", () => {
  test("the text of a specification never becomes a tag, at any place", async () => {
    const bad = "<img src=x onerror=alert(1)>\"'><script>alert(1)</script>";
    const yaml = JSON.stringify({
      summary: bad,
      description: bad,
      parameters: [
        {
          name: bad,
          in: "query",
          description: bad,
          schema: {
            type: bad,
            title: bad,
            default: bad,
            example: bad,
            enum: [bad],
            pattern: bad,
            format: bad,
            "x-mint": { pre: [bad], post: [bad] },
          },
        },
      ],
      requestBody: {
        description: bad,
        content: {
          [bad]: {
            schema: {
              title: bad,
              type: "object",
              properties: {
                [bad]: {
                  oneOf: [
                    { title: bad, description: bad, type: "object", properties: { a: {} } },
                    { title: `${bad}2`, type: "object", properties: { b: {} } },
                  ],
                },
              },
            },
            examples: { [bad]: { summary: bad, value: bad }, two: { value: bad } },
          },
        },
      },
      responses: {
        [bad]: {
          description: bad,
          headers: { [bad]: { description: bad } },
          content: { "text/html": { example: bad } },
        },
      },
      callbacks: { [bad]: { [bad]: { post: { description: bad } } } },
      "x-codeSamples": [{ lang: bad, label: bad, source: bad }],
      servers: [{ url: bad, description: bad, variables: { [bad]: { default: bad, description: bad } } }],
      security: [{ a: [bad] }, { b: [] }],
    });
    const { whole } = await pageOf(
      withOperation(
        yaml,
        JSON.stringify({
          components: {
            securitySchemes: {
              a: { type: "oauth2", description: bad },
              b: { type: "apiKey", in: "header", name: bad },
            },
          },
        }),
      ),
    );
    const elements: string[] = [];
    const handlers: string[] = [];
    const visit = (node: { nodeName: string; attrs?: { name: string }[]; childNodes?: unknown[] }): void => {
      elements.push(node.nodeName);
      handlers.push(...(node.attrs ?? []).map(({ name }) => name).filter((name) => name.startsWith("on")));
      for (const child of node.childNodes ?? []) visit(child as never);
    };
    visit(parseHtml(whole) as never);
    expect(elements).not.toContain("script");
    expect(elements).not.toContain("img");
    expect(handlers).toEqual([]);
  });

  const odd: readonly (readonly [string, Json])[] = [
    ["null", null],
    ["a number", 3],
    ["a text", "x"],
    ["a list", [1, null, {}]],
    ["an empty object", {}],
    ["itself", { $ref: "#/paths/~1things/post" }],
    ["true", true],
    ["a name of the prototype", { $ref: "#/__proto__" }],
  ];
  const keys = [
    "parameters",
    "requestBody",
    "responses",
    "callbacks",
    "security",
    "servers",
    "x-codeSamples",
    "description",
    "x-mint",
  ];
  for (const [about, value] of odd)
    test(`does not throw if ${about} replaces any value`, async () => {
      for (const key of keys) await pageOf(withOperation(JSON.stringify({ [key]: value })));
      for (const schema of [
        "properties",
        "items",
        "oneOf",
        "allOf",
        "enum",
        "type",
        "required",
        "discriminator",
        "additionalProperties",
        "prefixItems",
        "examples",
        "patternProperties",
        "default",
      ])
        await pageOf(withOperation(body(JSON.stringify({ type: "object", [schema]: value }))));
    });

  test("a page with too many fields omits the deepest ones and reports it", async () => {
    const tree = (depth: number): JsonObject =>
      depth === 0
        ? { type: "string" }
        : {
            type: "object",
            properties: Object.fromEntries(["a", "b", "c"].map((name) => [`${name}${depth}`, tree(depth - 1)])),
          };
    const { body: html, diagnostics } = await pageOf(withOperation(body(JSON.stringify(tree(8)))));
    expect(diagnostics.map(({ code }) => code)).toEqual(["API_PAGE_TOO_LARGE"]);
    expect(html).toContain("param-a8");
    expect(html).toContain("Further attributes are not shown");
    expect(html.length).toBeLessThan(1_500_000);
  });

  test("a schema 10,000 levels deep costs no more than the levels that are shown", async () => {
    let deep: JsonObject = { type: "string" };
    for (let i = 0; i < 10_000; i++) deep = { type: "object", properties: { a: deep } };
    const spec = specOf({
      openapi: "3.1.0",
      paths: {
        "/x": {
          post: {
            requestBody: { content: { "application/json": { schema: deep } } },
            responses: { "200": { description: "", content: { "application/json": { schema: deep } } } },
          },
        },
      },
    });
    const { diagnostics } = await withinCpu(3_000, () => pageOf(spec, { excerpts: true }));
    expect(diagnostics.map(({ code }) => code)).toEqual(["API_PAGE_TOO_LARGE"]);
  });

  test("pages with circular references of every kind end", async () => {
    const spec = withOperation(
      body("{$ref: '#/components/schemas/A'}"),
      JSON.stringify({
        components: {
          schemas: {
            A: {
              allOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }],
              properties: { a: { $ref: "#/components/schemas/A" } },
            },
            B: {
              oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }],
              items: { $ref: "#/components/schemas/B" },
              additionalProperties: { $ref: "#/components/schemas/A" },
            },
          },
        },
      }),
    );
    await pageOf(spec, { excerpts: true });
  });

  test("a structure that contains itself twice at each level is cut", async () => {
    const schema = Array.from({ length: 3_000 }).reduce<JsonObject>(
      (inner) => ({ type: "object", properties: { deeper: inner, list: { type: "array", items: inner } } }),
      { type: "string" },
    );
    const content = { "application/json": { schema } };
    const spec = specOf({ openapi: "3.1.0", paths: { "/x": { post: { requestBody: { content } } } } });
    const { diagnostics } = await pageOf(spec, { excerpts: true });
    expect(diagnostics.map(({ code }) => code)).toEqual(["API_PAGE_TOO_LARGE"]);
  });
});

test("a description that repeats the title is shown once, followed by the rest", async () => {
  const titled = (description: string) =>
    pageOf(withOperation(`description: ${JSON.stringify(description)}`), { title: "List users" });
  expect((await titled("<p>List users.</p>")).body).not.toContain("List users");
  const more = await titled("List users\n\nAll of *them*.");
  expect(more.body).not.toContain("List users");
  expect(more.body).toContain("<p>All of <em>them</em>.</p>");
  expect((await titled("List users of a team.")).body).toContain("List users of a team.");
});

test("a description of an operation, a body or a response is not repeated for the schema below it", async () => {
  const schema = "{type: object, description: An order of a guest., properties: {id: {type: string}}}";
  const content = `content: {application/json: {schema: ${schema}}}`;
  const about = "description: An order of a guest.";
  const countIn = async (operation: string): Promise<number> =>
    (await pageOf(withOperation(operation))).body.split("An order of a guest.").length - 1;
  expect(await countIn(`${about}\nrequestBody: {${content}}`)).toBe(1);
  expect(await countIn(`requestBody: {${about}, ${content}}`)).toBe(1);
  expect(await countIn(`responses: {200: {${about}, ${content}}}`)).toBe(1);
  expect(await countIn(`responses: {200: {description: All of it., ${content}}}`)).toBe(1);
});

test("a long description is shown completely", async () => {
  const words = Array.from({ length: 15_000 }, (_, i) => `word${i}`).join(" ");
  const { body: html, diagnostics } = await pageOf(withOperation(`description: ${words}`));
  expect(words.length).toBeGreaterThan(100_000);
  expect(html).toContain(words);
  expect(diagnostics).toEqual([]);
});

test("further documents of an operation are linked, by their description if they have one", async () => {
  const { body: html } = await pageOf(
    withOperation("externalDocs: {url: 'https://a.example.org/x', description: 'All *about* it'}"),
  );
  expect(html).toContain(
    '<a href="https://a.example.org/x" target="_blank" rel="noopener noreferrer">All about it</a>',
  );
  const own = await pageOf(withOperation("externalDocs: {url: 'guides/x.pdf'}"));
  expect(own.body).toContain("<p>More information: <code>guides/x.pdf</code></p>");
});

test("a page without its specification has only its own content", () => {
  const own = [{ type: "paragraph", children: [{ type: "text", value: "Mine" }] }] as never;
  expect(contentOf(undefined, { kind: "operation", spec: "x", method: "get", path: "/" }, { own }).tree).toEqual(own);
  const spec = specOf(documentOf("{openapi: 3.1.0, paths: {}}"));
  expect(contentOf(spec, { kind: "operation", spec: "x", method: "get", path: "/" }, { own }).tree).toEqual(own);
});
