/**
 * What RFC 6570, OpenAPI and real servers want of every style, `explode`, type, location and media type: written by hand
 * from their tables, not from our code.
 */
import { fileContent, type RequestCase, type Wanted } from "./request-cases.js";

const values = {
  text: "example: blue",
  number: "schema: {type: integer}, example: 7",
  list: "schema: {type: array, items: {type: string}}, example: [blue, black, dark brown]",
  object: "schema: {type: object}, example: {R: 100, G: a b}",
  "no items": "schema: {type: array, items: {type: string}}, example: []",
  "an empty text": "schema: {type: string}, example: ''",
} as const;
type Kind = keyof typeof values;

/** A row: `location style explode` and the result for each type. In a path, the text between slashes. */
const rows: readonly (readonly [string, Partial<Record<Kind, string>>])[] = [
  ["path simple false", { text: "blue", number: "7", list: "blue,black,dark%20brown", object: "R,100,G,a%20b" }],
  ["path simple true", { text: "blue", number: "7", list: "blue,black,dark%20brown", object: "R=100,G=a%20b" }],
  ["path label false", { text: ".blue", number: ".7", list: ".blue,black,dark%20brown", object: ".R,100,G,a%20b" }],
  ["path label true", { text: ".blue", number: ".7", list: ".blue.black.dark%20brown", object: ".R=100.G=a%20b" }],
  [
    "path matrix false",
    { text: ";c=blue", number: ";c=7", list: ";c=blue,black,dark%20brown", object: ";c=R,100,G,a%20b" },
  ],
  [
    "path matrix true",
    { text: ";c=blue", number: ";c=7", list: ";c=blue;c=black;c=dark%20brown", object: ";R=100;G=a%20b" },
  ],
  [
    "query form true",
    {
      text: "c=blue",
      number: "c=7",
      list: "c=blue&c=black&c=dark%20brown",
      object: "R=100&G=a%20b",
      "no items": "",
      "an empty text": "c=",
    },
  ],
  [
    "query form false",
    {
      text: "c=blue",
      list: "c=blue,black,dark%20brown",
      object: "c=R,100,G,a%20b",
      "no items": "",
      "an empty text": "c=",
    },
  ],
  [
    "query spaceDelimited false",
    { list: "c=blue%20black%20dark%20brown", object: "c=R%20100%20G%20a%20b", "no items": "" },
  ],
  ["query spaceDelimited true", { list: "c=blue&c=black&c=dark%20brown" }],
  [
    "query pipeDelimited false",
    { list: "c=blue%7Cblack%7Cdark%20brown", object: "c=R%7C100%7CG%7Ca%20b", "no items": "" },
  ],
  ["query pipeDelimited true", { list: "c=blue&c=black&c=dark%20brown" }],
  [
    "query deepObject true",
    { list: "c%5B%5D=blue&c%5B%5D=black&c%5B%5D=dark%20brown", object: "c%5BR%5D=100&c%5BG%5D=a%20b", "no items": "" },
  ],
  ["query deepObject false", { object: "c%5BR%5D=100&c%5BG%5D=a%20b" }],
  ["header simple false", { text: "blue", number: "7", list: "blue,black,dark brown", object: "R,100,G,a b" }],
  ["header simple true", { text: "blue", list: "blue,black,dark brown", object: "R=100,G=a b" }],
  ["cookie form true", { text: "c=blue", number: "c=7" }],
  ["cookie form false", { text: "c=blue", list: "c=blue,black,dark%20brown", object: "c=R,100,G,a%20b" }],
  ["cookie cookie true", { text: "c=blue", list: "c=blue; c=black; c=dark brown" }],
];

const parameters = rows.flatMap(([row, wanted]) => {
  const [place = "", style = "", explode = ""] = row.split(" ");
  return Object.entries(wanted).map(([kind, text]): RequestCase => {
    const written = `name: c, in: ${place}, required: true, style: ${style}, explode: ${explode}, ${values[kind as Kind]}`;
    const wantedOf: Readonly<Record<string, Wanted>> = {
      path: { path: `/x/${text}/y`, query: [] },
      query: { rawQuery: text },
      header: { headers: { c: text }, query: [] },
      cookie: { headers: { cookie: text }, query: [] },
    };
    return {
      about: `the table: ${row}, ${kind}`,
      path: place === "path" ? "/x/{c}/y" : "/things",
      operation: `parameters: [{${written}}]`,
      wanted: wantedOf[place]!,
    };
  });
});

const query = (about: string, written: string, rawQuery: string, path = "/things"): RequestCase => ({
  about,
  path,
  operation: `parameters: [${written}]`,
  wanted: { rawQuery, ...(path === "/things" ? { path } : {}) },
});
const nested: RequestCase[] = [
  query(
    "brackets: objects and lists in an object",
    "{name: f, in: query, required: true, style: deepObject, example: {a: {b: [1, 2]}, c: [{d: x, e: y}, {d: z}]}}",
    "f%5Ba%5D%5Bb%5D%5B%5D=1&f%5Ba%5D%5Bb%5D%5B%5D=2&f%5Bc%5D%5B0%5D%5Bd%5D=x&f%5Bc%5D%5B0%5D%5Be%5D=y&f%5Bc%5D%5B1%5D%5Bd%5D=z",
  ),
  query(
    "a parameter with brackets in its name",
    "{name: 'ids[]', in: query, required: true, schema: {type: array, items: {type: integer}}, example: [1, 2]}",
    "ids%5B%5D=1&ids%5B%5D=2",
  ),
  query(
    "JSON in a query, from an example that is a text",
    `{name: f, in: query, required: true, content: {application/json: {schema: {type: object}, example: '{"a":[1]}'}}}`,
    "f=%7B%22a%22%3A%5B1%5D%7D",
  ),
  query(
    "an object in a query, from an example that is a text",
    `{name: f, in: query, required: true, style: deepObject, schema: {type: object}, example: '{"a":1}'}`,
    "f%5Ba%5D=1",
  ),
];

const paths: RequestCase[] = [
  query("a path with a query", "{name: n, in: query, required: true, example: 5}", "mode=a&n=5", "/things?mode=a"),
  query(
    "a path with a query that a parameter repeats",
    "{name: mode, in: query, required: true, example: a}, {name: n, in: query, required: true, example: 5}",
    "mode=a&n=5",
    "/things?mode=a",
  ),
  query(
    "a path with a placeholder in its query",
    "{name: m, in: query, required: true, example: a b}, {name: n, in: query, required: true, example: 5}",
    "mode=a%20b&n=5",
    "/things?mode={m}&n={n}",
  ),
  query(
    "a path with a fragment",
    "{name: Action, in: query, required: true, schema: {enum: [List]}}, {name: n, in: query, required: true, example: 5}",
    "Action=List&n=5",
    "/#Action=List",
  ),
  query(
    "a path with a parameter in its fragment alone",
    "{name: n, in: query, required: true, example: 5}",
    "Action=List&n=5",
    "/#Action=List",
  ),
  {
    about: "a path with a header in its fragment",
    path: "/#X-Target=List",
    operation: "parameters: [{name: X-Target, in: header, required: true, schema: {enum: [List]}}]",
    wanted: { headers: { "x-target": "List" }, rawQuery: "" },
  },
  query(
    "a path with a query and a fragment",
    "{name: n, in: query, required: true, example: 5}",
    "acl&n=5",
    "/b?acl#two",
  ),
  query(
    "a path with a template of parameters",
    "{name: n, in: query, required: true, example: 5}",
    "n=5",
    "/things{?n,m}",
  ),
  {
    about: "a path with a placeholder that may hold slashes",
    path: "/files/{path*}",
    operation: "parameters: [{name: path, in: path, required: true, example: 'a/b c?'}]",
    wanted: { path: "/files/a/b%20c%3F", query: [] },
  },
  {
    about: "a path with a placeholder inside a part",
    path: "/d/delta(token='{token}')",
    operation: "parameters: [{name: token, in: path, required: true, example: x y}]",
    wanted: { path: "/d/delta(token='x%20y')", query: [] },
  },
];

const form = (about: string, media: string, ...pairs: [string, string][]): RequestCase => ({
  about: `a form: ${about}`,
  operation: `requestBody: {required: true, content: {application/x-www-form-urlencoded: {${media}}}}`,
  wanted: { headers: { "content-type": "application/x-www-form-urlencoded" }, body: { form: pairs } },
});
const encoded = (style: string, explode: boolean, value: string): string =>
  `example: {c: ${value}}, encoding: {c: {style: ${style}, explode: ${explode}}}`;
const list = "[blue, 2]";
const object = "{R: 100, G: a b}";
const forms: RequestCase[] = [
  form("form, exploded, a list", encoded("form", true, list), ["c", "blue"], ["c", "2"]),
  form("form, joined, a list", encoded("form", false, list), ["c", "blue,2"]),
  form("spaces, a list", encoded("spaceDelimited", false, list), ["c", "blue 2"]),
  form("pipes, a list", encoded("pipeDelimited", false, list), ["c", "blue|2"]),
  form("brackets, a list", encoded("deepObject", true, list), ["c[]", "blue"], ["c[]", "2"]),
  form("form, exploded, an object", encoded("form", true, object), ["R", "100"], ["G", "a b"]),
  form("form, joined, an object", encoded("form", false, object), ["c", "R,100,G,a b"]),
  form("brackets, an object", encoded("deepObject", true, object), ["c[R]", "100"], ["c[G]", "a b"]),
  form(
    "brackets, a list of objects",
    encoded("deepObject", true, "[{price: p, tags: [x]}, {price: q}]"),
    ["c[0][price]", "p"],
    ["c[0][tags][]", "x"],
    ["c[1][price]", "q"],
  ),
  form("brackets, no items", "example: {c: [], d: 1}, encoding: {c: {style: deepObject, explode: true}}", ["d", "1"]),
  form(
    "by media type: an object, and a list of objects",
    "example: {o: {a: 1}, l: [{a: 1}, {a: 2}]}",
    ["o", '{"a":1}'],
    ["l", '{"a":1}'],
    ["l", '{"a":2}'],
  ),
];

const parts = (about: string, media: string, ...typedParts: [string, string | undefined, string][]): RequestCase => ({
  about: `parts: ${about}`,
  operation: `requestBody: {required: true, content: {multipart/form-data: {${media}}}}`,
  wanted: { body: { typedParts: typedParts as never } },
  // Libraries give files without a type different ones.
  anyFileType: true,
});
const fields = (properties: string): string => `schema: {type: object, required: [a, b], properties: ${properties}}`;
const multipart: RequestCase[] = [
  parts("brackets", "example: {a: {k: [v]}}, encoding: {a: {style: deepObject, explode: true}}", [
    "a[k][]",
    undefined,
    "v",
  ]),
  parts("an object is JSON", "example: {a: {k: 1}}", ["a", "application/json", '{"k":1}']),
  parts(
    "an object that is sent as XML",
    "schema: {type: object, properties: {a: {type: object, xml: {name: meta}, properties: {k: {type: integer, xml: {attribute: true}}}}}}, example: {a: {k: 1}}, encoding: {a: {contentType: application/xml}}",
    ["a", "application/xml", '<?xml version="1.0" encoding="UTF-8"?>\n<meta k="1"/>'],
  ),
  parts("a list is repeated", "example: {a: [x, y]}", ["a", undefined, "x"], ["a", undefined, "y"]),
  ...[
    ["format: binary", "{type: string, format: binary}"],
    ["contentEncoding: binary", "{type: string, contentEncoding: binary}"],
    ["contentMediaType", "{type: string, contentMediaType: image/png}"],
    ["type: file", "{type: file}"],
    ["no schema", "{description: x}"],
    ["a list of files", "{type: array, items: {type: string, format: binary}}"],
  ].map(([about, schema]) =>
    parts(
      `a file by ${about}`,
      fields(`{a: {type: string, example: x}, b: ${schema}}`),
      ["a", undefined, "x"],
      ["b", "file", fileContent],
    ),
  ),
  parts(
    "a file by its encoding",
    `${fields("{a: {type: string, example: x}, b: {type: string}}")}, encoding: {b: {contentType: image/png}}`,
    ["a", undefined, "x"],
    ["b", "file", fileContent],
  ),
];

const bytes = (type: string, schema: string): RequestCase => ({
  about: `a file: ${type}, ${schema}`,
  operation: `requestBody: {required: true, content: {${type}: {schema: ${schema}}}}`,
  wanted: { headers: { "content-type": type }, body: { text: fileContent } },
});
const files: RequestCase[] = [
  bytes("application/x-tar", "{type: string}"),
  bytes("application/x-tar", "{}"),
  bytes("application/octet-stream", "{type: string, contentEncoding: binary}"),
  bytes("application/octet-stream", "{type: string, example: bytes}"),
  bytes("application/pdf", "{type: string, format: binary}"),
  bytes("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "{type: string}"),
  bytes("video/mp4", "{type: string}"),
  bytes("text/csv", "{type: string, format: binary}"),
];

const listed: RequestCase = {
  about: "parts without names",
  operation:
    "requestBody: {required: true, content: {multipart/mixed: {schema: {type: array}, example: [{a: 1}, '100%\\b'], itemEncoding: {}}}}",
  beside: "openapi: 3.2.0",
  wanted: {
    headers: { "content-type": "multipart/mixed; boundary=next-part" },
    body: {
      text: '--next-part\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n--next-part\r\n\r\n100%\\b\r\n--next-part--\r\n',
    },
  },
};

const named: RequestCase = {
  about: "named parts of a type that forms cannot have, with a text that looks like a boundary",
  operation:
    "requestBody: {required: true, content: {multipart/related: {schema: {type: object, properties: {a: {type: string}}}, example: {a: '--next-part'}}}}",
  wanted: {
    headers: { "content-type": "multipart/related; boundary=next-part-1" },
    body: {
      text: '--next-part-1\r\nContent-Disposition: form-data; name="a"\r\n\r\n--next-part\r\n--next-part-1--\r\n',
    },
  },
};

const writtenParts: RequestCase = {
  about: "parts that their author wrote as a text",
  operation:
    'requestBody: {required: true, content: {multipart/mixed: {schema: {type: string}, example: "--cut\\r\\n\\r\\na\\r\\n--cut--"}}}',
  wanted: {
    headers: { "content-type": "multipart/mixed; boundary=cut" },
    body: { text: "--cut\r\n\r\na\r\n--cut--" },
  },
};

const media = (about: string, type: string, written: string, body: NonNullable<Wanted["body"]>): RequestCase => ({
  about: `a body: ${about}`,
  operation: `requestBody: {required: true, content: {${type}: ${written}}}`,
  wanted: { headers: { "content-type": type }, body },
});
const structure = "schema: {type: object, required: [id], properties: {id: {type: integer}}}";
const media1 = "application/json";
const bodies: RequestCase[] = [
  media("an example that is JSON as a text", media1, `{${structure}, example: '{"id":7}'}`, { json: { id: 7 } }),
  media("a named example that is JSON as a text", media1, `{${structure}, examples: {a: {value: '{"id":7}'}}}`, {
    json: { id: 7 },
  }),
  media("an example of the schema that is JSON as a text", media1, `{schema: {type: object, example: '{"id":7}'}}`, {
    json: { id: 7 },
  }),
  media("a text that looks like JSON", media1, `{schema: {type: string}, example: '{"id":7}'}`, { json: '{"id":7}' }),
  media("digits as a text", media1, "{schema: {type: object, properties: {n: {type: integer, example: '7'}}}}", {
    json: { n: 7 },
  }),
  media("lines of JSON", "application/x-ndjson", `{schema: {type: object}, example: "{\\"a\\":1}\\n{\\"a\\":2}"}`, {
    text: '{"a":1}\n{"a":2}',
  }),
  media(
    "a structure of an unknown type",
    "application/vnd.things.v2",
    "{schema: {type: object, required: [a], properties: {a: {const: 1}}}}",
    {
      json: { a: 1 },
    },
  ),
  media(
    "XML",
    "application/xml",
    "{schema: {type: object, xml: {name: t}, required: [a], properties: {a: {const: x}}}}",
    {
      text: '<?xml version="1.0" encoding="UTF-8"?>\n<t>\n  <a>x</a>\n</t>',
    },
  ),
];

const optional: RequestCase[] = [
  query(
    "optional parameters with an example alone",
    "{name: a, in: query, schema: {type: string}}, {name: b, in: query, example: x}, {name: c, in: query, schema: {type: string, example: y}}, {name: d, in: query, schema: {default: z}}, {name: e, in: query, deprecated: true, example: x}, {name: f, in: query, required: true, schema: {enum: [v]}}",
    "b=x&c=y&f=v",
  ),
  media(
    "required properties, and those with an example",
    media1,
    "{schema: {type: object, required: [r], properties: {r: {const: 1}, o: {type: string}, e: {type: string, example: x}, in: {type: object, properties: {a: {type: string}, e: {type: string, example: y}}}, none: {type: object, properties: {a: {type: string}}}}}}",
    { json: { r: 1, e: "x", in: { e: "y" } } },
  ),
  media(
    "all properties, where it is required and none of them is",
    media1,
    "{schema: {type: object, properties: {a: {const: 1}, b: {const: 2}}}}",
    { json: { a: 1, b: 2 } },
  ),
  media(
    "as many properties as there must be",
    media1,
    "{schema: {type: object, minProperties: 2, properties: {id: {type: string, readOnly: true}, a: {const: 1}, b: {const: 2}, c: {const: 3}}, additionalProperties: {type: string}}}",
    { json: { a: 1, b: 2 } },
  ),
  {
    about: "no body, where nothing of it is required",
    operation: `requestBody: {content: {${media1}: {schema: {type: object, properties: {a: {type: string}}}}}}`,
    wanted: { body: { none: true } },
  },
  {
    about: "a required list has an item, however many values the sample has",
    operation: `requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [${Array.from({ length: 150 }, (_, i) => `f${i}`).join()}, lines], properties: {${Array.from({ length: 150 }, (_, i) => `f${i}: {const: x}`).join()}, lines: {type: array, items: {type: object, required: [price], properties: {price: {const: p}}}}}}, encoding: {lines: {style: deepObject, explode: true}}}}}`,
    wanted: {
      body: {
        form: [...Array.from({ length: 150 }, (_, i): [string, string] => [`f${i}`, "x"]), ["lines[0][price]", "p"]],
      },
    },
  },
  {
    about: "no header that the client writes itself",
    operation:
      "parameters: [{name: Content-Length, in: header, required: true, example: 123}, {name: Host, in: header, required: true, example: h}, {name: Transfer-Encoding, in: header, required: true, example: chunked}, {name: X-A, in: header, required: true, example: a}]",
    wanted: { headers: { "x-a": "a" }, withoutHeaders: ["transfer-encoding"], body: { none: true } },
  },
];

const withoutContent: RequestCase[] = [
  ["get", "application/x-www-form-urlencoded", "{schema: {type: object, properties: {}}}"],
  ["get", "multipart/form-data", "{schema: {type: object}}"],
  ["get", "application/json", "{schema: {type: object}}"],
  ["head", "application/json", "{example: {}}"],
  ["post", "application/x-www-form-urlencoded", "{schema: {type: object, properties: {}}}"],
].map(
  ([method, type, written]): RequestCase => ({
    about: `nothing in an empty body: ${method} ${type}`,
    method: method!,
    operation: `requestBody: {required: false, content: {${type}: ${written}}}`,
    wanted: { method: method!.toUpperCase(), body: { none: true }, withoutHeaders: ["content-type"] },
  }),
);
const onGet: RequestCase = {
  about: "a body with GET, unless the client refuses it",
  method: "get",
  operation: "requestBody: {content: {application/json: {example: {a: 1}}}}",
  wanted: { method: "GET", body: { json: { a: 1 } } },
  wantedOfFetch: { method: "GET", body: { none: true }, withoutHeaders: ["content-type"] },
};

const digest: RequestCase = {
  about: "digest authentication",
  path: "/challenge",
  operation: "security: [{s: []}]",
  beside: "components: {securitySchemes: {s: {type: http, scheme: Digest}}}",
  wanted: { digestUser: "<username>" },
  wantedOfFetch: { withoutHeaders: ["authorization"] },
};

export const tableCases: readonly RequestCase[] = [
  ...parameters,
  ...nested,
  ...paths,
  ...forms,
  ...multipart,
  ...files,
  listed,
  named,
  writtenParts,
  ...bodies,
  ...optional,
  ...withoutContent,
  onGet,
  digest,
];
