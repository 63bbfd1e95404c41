import { describe, expect, test } from "vitest";
import { messagesFor } from "../../src/lib/language/index.js";
import type { WrittenEndpoint } from "../../src/reference/reference-kind.js";
import type { ApiConfig } from "../../src/site/config/site-config.js";
import { contentOf } from "../bundle/outputs/support/tree.js";
import { apiDefaults, htmlOf, markdownOf, referenceOf } from "./spec-of.js";

interface PageOptions {
  readonly source?: string;
  readonly mdx?: Partial<ApiConfig["mdx"]>;
}

const treeOf = (endpoint: WrittenEndpoint, { source = "", mdx = {} }: PageOptions = {}) => {
  const api = {
    mdx: { ...apiDefaults.mdx, servers: ["https://api.example.com/v1"], ...mdx },
    examples: { ...apiDefaults.examples, languages: ["bash"] },
  };
  const own = contentOf(source).tree.children;
  return referenceOf(undefined, { api }).written(endpoint, { messages: messagesFor("en"), own })?.tree;
};
const markdownAt = (endpoint: WrittenEndpoint, options?: PageOptions): string =>
  markdownOf(treeOf(endpoint, options) ?? [], options?.source);
const sampleOf = (endpoint: WrittenEndpoint, options?: PageOptions): string =>
  /```curl title="cURL"\n([\s\S]*?)\n```/.exec(markdownAt(endpoint, options))?.[1] ?? "";

describe("the endpoint of a page", () => {
  const addresses = [
    ["is on the site's server", "GET /users", "GET https://api.example.com/v1/users"],
    ["may be a whole URL", "GET https://other.example.com/users", "GET https://other.example.com/users"],
    [
      "may hold variables in path and host",
      "POST https://{region}.example.com/users/{id}",
      "POST https://{region}.example.com/users/{id}",
    ],
    ["needs no slash", "DELETE users", "DELETE https://api.example.com/v1/users"],
    ["may be a host alone", "GET https://other.example.com", "GET https://other.example.com/"],
    ["may be written in any case", "patch /users", "PATCH https://api.example.com/v1/users"],
  ] as const;
  for (const [rule, api, shown] of addresses)
    test(rule, () => expect(markdownAt({ api }).split("\n")[0]).toBe(`\`${shown}\``));

  for (const api of [undefined, 3, "", "GET", "/users", "users", "GET /a b", "FETCH /users", ["GET /users"]])
    test(`is missing if the front matter says ${JSON.stringify(api)}`, () => expect(treeOf({ api })).toBeUndefined());
});

describe("authorization", () => {
  const section = (endpoint: WrittenEndpoint, options?: PageOptions): string =>
    /## Authorizations\n\n([^#]*?)(?=\n\n(?:##|\*\*)|$)/.exec(
      markdownAt({ api: "GET /a", ...endpoint }, options),
    )?.[1] ?? "";
  test("authorization is that of the site", () =>
    expect(section({}, { mdx: { authMethod: "bearer" } })).toContain(
      "- `Authorization` (string, header, required): A header of the form `Bearer <token>`",
    ));
  test("the page can change the authorization", () =>
    expect(section({ authMethod: "basic" }, { mdx: { authMethod: "bearer" } })).toContain("Basic <credentials>"));
  test("a key is in the header that the site configures", () =>
    expect(section({ authMethod: "key" }, { mdx: { authName: "X-Key" } })).toBe(
      "- `X-Key` (string, header, required): Your API key.",
    ));
  test("a key without a configured header is sent in the default header", () =>
    expect(section({ authMethod: "key" })).toContain("`x-api-key`"));
  test("cobo needs three headers", () => expect(section({ authMethod: "cobo" }).match(/Biz-Api-/g)).toHaveLength(3));
  test("the method none removes the authorization", () =>
    expect(section({ authMethod: "none" }, { mdx: { authMethod: "bearer" } })).toBe(""));
  test("a header that is also authorization is described once and sent once", () => {
    const options = {
      source: '<ParamField header="Authorization" type="string" required>Mine</ParamField>',
      mdx: { authMethod: "bearer" },
    };
    expect(section({}, options)).toBe("");
    expect(sampleOf({ api: "GET /a" }, options)).toContain("--header 'Authorization: Bearer <token>'");
    expect(sampleOf({ api: "GET /a" }, options).match(/Authorization/g)).toHaveLength(1);
  });
  test("a header of that name without a value gets a meaningful one in samples", () =>
    expect(sampleOf({ api: "GET /a" }, { source: '<ParamField header="Authorization" type="string" />' })).toContain(
      "'Authorization: Bearer <token>'",
    ));
});

describe("samples are made from the fields", () => {
  const cases: readonly (readonly [rule: string, source: string, ...parts: string[]])[] = [
    ["a query", '<ParamField query="limit" type="number" default="10" />', "?limit=10'"],
    ["a query without a value", '<ParamField query="name" type="string" />', "?name=string'"],
    ["a placeholder", '<ParamField query="name" type="string" placeholder="Ada" />', "?name=Ada'"],
    ["the older form", '<ParamField path="query.limit" type="integer" default="3" />', "?limit=3'"],
    ["a path", '<ParamField path="id" type="string" placeholder="u_1" />', "/users/u_1'"],
    ["a path parameter without a value", '<ParamField path="id" type="string" />', "/users/{id}'"],
    ["a header", '<ParamField header="X-Trace" type="string" default="on" />', "--header 'X-Trace: on'"],
    ["a cookie", '<ParamField cookie="sid" type="string" default="1" />', "--header 'Cookie: sid=1'"],
    [
      "a body",
      '<ParamField body="name" type="string" required /><ParamField body="age" type="integer" default="30" />',
      "Content-Type: application/json",
      '"name": "string"',
      '"age": 30',
    ],
    [
      "fields in fields",
      '<ParamField body="user" type="object"><Expandable><ParamField body="name" type="string" default="Ada" /><ResponseField name="admin" type="boolean" /></Expandable></ParamField>',
      '"user": {\n    "name": "Ada",\n    "admin": true\n  }',
    ],
    [
      "fields that name the field around them",
      '<ParamField body="user" type="object"><ParamField body="user.name" type="string" default="Ada" /></ParamField>',
      '"user": {\n    "name": "Ada"\n  }',
    ],
    ["a list", '<ParamField body="tags" type="string[]" />', '"tags": ["string"]'],
    [
      "a list of objects",
      '<ParamField body="users" type="object[]"><ParamField body="name" type="string" /></ParamField>',
      '"users": [\n    {\n      "name": "string"\n    }\n  ]',
    ],
    ["a file", '<ParamField body="picture" type="file" />', "--form 'picture=@example-file'"],
    [
      "types as people write them",
      '<ParamField body="a" type="Integer" /><ParamField body="b" type="bool" /><ParamField body="c" type="array<number>" /><ParamField body="d" type="string | null" /><ParamField body="e" type="timestamp" />',
      '"a": 123',
      '"b": true',
      '"c": [12.5]',
      '"d": "string"',
      '"e": "string"',
    ],
    [
      "fields in other components",
      '<Tabs>\n<Tab title="A">\n<ParamField query="q" type="string" default="x" />\n</Tab>\n</Tabs>',
      "?q=x'",
    ],
  ];
  for (const [rule, source, ...parts] of cases)
    test(rule, () => {
      const sample = sampleOf({ api: "POST /users/{id}" }, { source });
      for (const part of parts) expect(sample).toContain(part);
    });
  test("contentType sets the media type of the body", () => {
    const source = '<ParamField body="a" type="string" default="x y" />';
    const sample = sampleOf({ api: "POST /a", contentType: "application/x-www-form-urlencoded" }, { source });
    expect(sample).toContain("--data-urlencode 'a=x y'");
  });
  test("a page's own samples replace them, also in a panel", () => {
    const own = "<RequestExample>\n```bash\nmine\n```\n</RequestExample>";
    for (const source of [own, `<Panel>\n${own}\n</Panel>`]) {
      const markdown = markdownAt({ api: "GET /a" }, { source });
      expect(markdown).toContain("mine");
      expect(markdown).not.toContain("curl --request");
    }
  });
  test("a generated request comes before the page's own response", () => {
    const source = "<ResponseExample>\n```json\n{}\n```\n</ResponseExample>";
    const markdown = markdownAt({ api: "GET /a" }, { source });
    expect(markdown.indexOf("Example request")).toBeLessThan(markdown.indexOf("Example response"));
  });
  test("fields of responses and examples are not in the request", () => {
    const source =
      '<ResponseField name="id" type="string" />\n\n<ResponseExample>\n```json\n{}\n```\n</ResponseExample>';
    expect(sampleOf({ api: "POST /a" }, { source })).toBe(
      "curl --request POST \\\n  --url 'https://api.example.com/v1/a'",
    );
  });
});

test("the page is in order: endpoint, its own text, authorization before the fields, samples", () => {
  const source =
    'Some words.\n\n### Body\n\n<ParamField body="name" type="string" required>\n  What to call it.\n</ParamField>\n\n<ResponseField name="id" type="string">Its id.</ResponseField>';
  expect(
    markdownAt({ api: "POST /things", authMethod: "bearer" }, { source }),
  ).toBe(`\`POST https://api.example.com/v1/things\`

Some words.

## Authorizations

- \`Authorization\` (string, header, required): A header of the form \`Bearer <token>\`, where \`<token>\` is your access token.

### Body

- \`name\` (string, body, required): What to call it.

- \`id\` (string): Its id.

**Example request**

\`\`\`curl title="cURL"
curl --request POST \\
  --url 'https://api.example.com/v1/things' \\
  --header 'Authorization: Bearer <token>' \\
  --header 'Content-Type: application/json' \\
  --data '{
  "name": "string"
}'
\`\`\``);
});

test("several servers are listed, and the whole URL is shown", async () => {
  const tree = treeOf({ api: "GET /a" }, { mdx: { servers: ["https://a.example.com", "https://b.example.com"] } })!;
  const { lead, body } = await htmlOf(tree);
  expect(lead).toContain("api-base");
  expect(body).toContain("https://b.example.com");
});
