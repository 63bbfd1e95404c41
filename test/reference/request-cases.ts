/** Operations with every kind of parameter, body and authorization, each with the expected request. */

/** The expected request. Absent keys are not checked, but `query` must be complete. */
export interface Wanted {
  readonly method?: string;
  /** Below the server's URL; percent-encoded. */
  readonly path?: string;
  /** Decoded, in order. */
  readonly query?: readonly (readonly [string, string])[];
  readonly rawQuery?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly withoutHeaders?: readonly string[];
  /** The user in the answer to a challenge of digest authentication. */
  readonly digestUser?: string;
  readonly body?:
    | { readonly json: unknown }
    | { readonly form: readonly (readonly [string, string])[] }
    /** The value of a file part is the file's content with `file:` in front. */
    | { readonly parts: readonly (readonly [string, string])[] }
    /** Parts with a media type, with their content. */
    | { readonly typedParts: readonly (readonly [name: string, type: string, content: string])[] }
    | { readonly text: string }
    | { readonly none: true };
}

export interface RequestCase {
  readonly about: string;
  /** The operation in YAML, or its path item if it is not `POST /things`. */
  readonly operation: string;
  readonly path?: string;
  readonly method?: string;
  readonly beside?: string;
  readonly wanted: Wanted;
  /** The request that `fetch` sends, if it cannot send the intended one. */
  readonly wantedOfFetch?: Wanted;
  /** A file part may have any media type, which the case calls `file`. */
  readonly anyFileType?: true;
}

/** Content of the file that samples send. */
export const fileContent = "a file, é\n";

const parameter = (written: string): string => `parameters: [{name: p, required: true, ${written}}]`;
const query = (...pairs: (readonly [string, string])[]): Wanted => ({ query: pairs });
const list = "schema: {type: array, items: {type: string}}, example: [a, b c]";
const object = "schema: {type: object, properties: {k: {type: string}}}, example: {k: v, l: 1}";

const styles: RequestCase[] = [
  { about: "query: a text", operation: parameter("in: query, example: a b&c=d+e"), wanted: query(["p", "a b&c=d+e"]) },
  {
    about: "query: a number",
    operation: parameter("in: query, schema: {type: integer}, example: 0"),
    wanted: query(["p", "0"]),
  },
  {
    about: "query: false",
    operation: parameter("in: query, schema: {type: boolean}, example: false"),
    wanted: query(["p", "false"]),
  },
  {
    about: "query: form, exploded",
    operation: parameter(`in: query, ${list}`),
    wanted: query(["p", "a"], ["p", "b c"]),
  },
  {
    about: "query: form, joined",
    operation: parameter(`in: query, explode: false, ${list}`),
    wanted: query(["p", "a,b c"]),
  },
  {
    about: "query: spaces",
    operation: parameter(`in: query, style: spaceDelimited, explode: false, ${list}`),
    wanted: query(["p", "a b c"]),
  },
  {
    about: "query: pipes",
    operation: parameter(`in: query, style: pipeDelimited, explode: false, ${list}`),
    wanted: query(["p", "a|b c"]),
  },
  {
    about: "query: an object, exploded",
    operation: parameter(`in: query, ${object}`),
    wanted: query(["k", "v"], ["l", "1"]),
  },
  {
    about: "query: an object, joined",
    operation: parameter(`in: query, explode: false, ${object}`),
    wanted: query(["p", "k,v,l,1"]),
  },
  {
    about: "query: deepObject",
    operation: parameter(`in: query, style: deepObject, ${object}`),
    wanted: query(["p[k]", "v"], ["p[l]", "1"]),
  },
  {
    about: "query: JSON in content",
    operation: parameter('in: query, content: {application/json: {example: {a: [1, "x"]}}}'),
    wanted: query(["p", '{"a":[1,"x"]}']),
  },
  {
    about: "query: reserved characters are kept",
    operation: parameter("in: query, allowReserved: true, example: 'a/b?c:d é%'"),
    wanted: { ...query(["p", "a/b?c:d é%"]), rawQuery: "p=a/b?c:d%20%C3%A9%25" },
  },
  { about: "header: a list", operation: parameter(`in: header, ${list}`), wanted: { headers: { p: "a,b c" } } },
  { about: "header: an object", operation: parameter(`in: header, ${object}`), wanted: { headers: { p: "k,v,l,1" } } },
  {
    about: "header: an object, exploded",
    operation: parameter(`in: header, explode: true, ${object}`),
    wanted: { headers: { p: "k=v,l=1" } },
  },
  { about: "cookie", operation: parameter("in: cookie, example: v1"), wanted: { headers: { cookie: "p=v1" } } },
  ...[
    ["in: cookie, example: 'a=b; c'", { headers: { cookie: "p=a%3Db%3B%20c" } }],
    ["in: cookie, explode: false, example: ['1,5', 2]", { headers: { cookie: "p=1%2C5,2" } }],
    ["in: cookie, example: [1, 2]", { headers: { cookie: "p=1; p=2" } }],
    ["in: cookie, style: cookie, example: [a b, '2%']", { headers: { cookie: "p=a b; p=2%" } }],
    ["in: query, explode: false, example: ['a,b', c d]", { rawQuery: "p=a%2Cb,c%20d" }],
    ["in: query, explode: false, example: {'k,': 'v,', l: 1}", { rawQuery: "p=k%2C,v%2C,l,1" }],
    ["in: query, style: pipeDelimited, explode: false, example: [x, 'y,z']", { rawQuery: "p=x%7Cy%2Cz" }],
    ["in: query, style: spaceDelimited, explode: false, example: [x, 'y&z']", { rawQuery: "p=x%20y%26z" }],
    ["in: query, style: deepObject, explode: true, example: {'a&': b c}", { rawQuery: "p%5Ba%26%5D=b%20c" }],
    ["in: query, allowReserved: true, example: 'a/b?c&d'", { rawQuery: "p=a/b?c%26d" }],
  ].map(
    ([written, wanted]): RequestCase => ({
      about: `separators and data: ${written as string}`,
      operation: parameter(written as string),
      wanted: wanted as Wanted,
    }),
  ),
  ...[
    ["simple", false, "a,b%20c", "k,v,l,1"],
    ["simple", true, "a,b%20c", "k=v,l=1"],
    ["label", false, ".a,b%20c", ".k,v,l,1"],
    ["label", true, ".a.b%20c", ".k=v.l=1"],
    ["matrix", false, ";p=a,b%20c", ";p=k,v,l,1"],
    ["matrix", true, ";p=a;p=b%20c", ";k=v;l=1"],
  ].flatMap(([style, explode, ofList, ofObject]): RequestCase[] => [
    {
      about: `path: ${style}, explode ${explode}, a list`,
      path: "/x/{p}/y",
      operation: parameter(`in: path, style: ${style}, explode: ${explode}, ${list}`),
      wanted: { path: `/x/${ofList}/y` },
    },
    {
      about: `path: ${style}, explode ${explode}, an object`,
      path: "/x/{p}/y",
      operation: parameter(`in: path, style: ${style}, explode: ${explode}, ${object}`),
      wanted: { path: `/x/${ofObject}/y` },
    },
  ]),
  {
    about: "path: separators in the data",
    path: "/x/{p}",
    operation: parameter("in: path, example: ['a,b', 'c;d']"),
    wanted: { path: "/x/a%2Cb,c%3Bd" },
  },
  {
    about: "path: characters that would end it",
    path: "/x/{p}",
    operation: parameter("in: path, example: 'a/b?c#d%'"),
    wanted: { path: "/x/a%2Fb%3Fc%23d%25", query: [] },
  },
];

const body = (type: string, media: string): string => `requestBody: {required: true, content: {${type}: ${media}}}`;
const bodies: RequestCase[] = [
  { about: "no body", operation: "summary: x", wanted: { body: { none: true }, query: [] } },
  {
    about: "JSON",
    operation: body("application/json", "{example: {a: 1, b: [true, null, 1.5], c: {d: é}}}"),
    wanted: {
      headers: { "content-type": "application/json" },
      body: { json: { a: 1, b: [true, null, 1.5], c: { d: "é" } } },
    },
  },
  {
    about: "JSON that is a list",
    operation: body("application/json", "{example: [1, x]}"),
    wanted: { body: { json: [1, "x"] } },
  },
  {
    about: "JSON that is a text",
    operation: body("application/json", "{example: x}"),
    wanted: { body: { json: "x" } },
  },
  {
    about: "JSON with another media type",
    operation: body("application/vnd.api+json", "{example: {a: 1}}"),
    wanted: { headers: { "content-type": "application/vnd.api+json" }, body: { json: { a: 1 } } },
  },
  {
    about: "JSON made from a schema",
    operation: body(
      "application/json",
      "{schema: {type: object, required: [a, b], properties: {a: {type: string, enum: [x]}, b: {type: integer, minimum: 7, maximum: 7}}}}",
    ),
    wanted: { body: { json: { a: "x", b: 7 } } },
  },
  {
    about: "JSON where there is a choice",
    operation: "requestBody: {content: {application/xml: {example: <a/>}, application/json: {example: {a: 1}}}}",
    wanted: { body: { json: { a: 1 } } },
  },
  {
    about: "a form",
    operation: body("application/x-www-form-urlencoded", "{example: {a: 'x y&z', b: [1, 2], c: é}}"),
    wanted: {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: {
        form: [
          ["a", "x y&z"],
          ["b", "1"],
          ["b", "2"],
          ["c", "é"],
        ],
      },
    },
  },
  {
    about: "a form with a style",
    operation: body(
      "application/x-www-form-urlencoded",
      "{example: {b: [1, 2]}, encoding: {b: {style: pipeDelimited, explode: false}}}",
    ),
    wanted: { body: { form: [["b", "1|2"]] } },
  },
  {
    about: "a multipart form",
    operation: body(
      "multipart/form-data",
      "{schema: {type: object, required: [file], properties: {name: {type: string, example: x y}, file: {type: string, format: binary}, about: {type: string, example: z}}}}",
    ),
    wanted: {
      body: {
        parts: [
          ["name", "x y"],
          ["file", `file:${fileContent}`],
          ["about", "z"],
        ],
      },
    },
  },
  {
    about: "files in a list",
    operation: body(
      "multipart/form-data",
      "{schema: {type: object, required: [files], properties: {files: {type: array, minItems: 2, items: {type: string, format: binary}}}}}",
    ),
    wanted: {
      body: {
        parts: [
          ["files", `file:${fileContent}`],
          ["files", `file:${fileContent}`],
        ],
      },
    },
  },
  {
    about: "parts with media types",
    operation: body(
      "multipart/form-data",
      "{schema: {type: object, required: [picture], properties: {about: {type: object, properties: {k: {type: integer, example: 1}}}, picture: {type: string, format: binary}, rows: {type: string, example: 'a,b'}}}, encoding: {about: {contentType: application/json}, picture: {contentType: 'image/*, image/png, image/jpeg'}, rows: {contentType: text/csv; charset=utf-8}}}",
    ),
    wanted: {
      body: {
        typedParts: [
          ["about", "application/json", '{"k":1}'],
          ["picture", "image/png", fileContent],
          ["rows", "text/csv; charset=utf-8", "a,b"],
        ],
      },
    },
  },
  {
    about: "text",
    operation: body("text/plain", '{example: "one\\ntwo é"}'),
    wanted: { headers: { "content-type": "text/plain" }, body: { text: "one\ntwo é" } },
  },
  {
    about: "XML",
    operation: body("application/xml", "{example: \"<a b='c'>d</a>\"}"),
    wanted: { headers: { "content-type": "application/xml" }, body: { text: "<a b='c'>d</a>" } },
  },
  {
    about: "bytes",
    operation: body("application/octet-stream", "{schema: {type: string, format: binary}}"),
    wanted: { headers: { "content-type": "application/octet-stream" }, body: { text: fileContent } },
  },
  {
    about: "an image without a schema",
    operation: body("image/png", "{}"),
    wanted: { headers: { "content-type": "image/png" }, body: { text: fileContent } },
  },
];

const scheme = (written: string, headers: Wanted): RequestCase => ({
  about: `authorization: ${written}`,
  operation: "security: [{s: []}]",
  beside: `components: {securitySchemes: {s: {${written}}}}`,
  wanted: headers,
});
const security: RequestCase[] = [
  scheme("type: http, scheme: bearer", { headers: { authorization: "Bearer <token>" } }),
  scheme("type: http, scheme: basic", { headers: { authorization: "Basic <credentials>" } }),
  scheme("type: http, scheme: DPoP", { headers: { authorization: "DPoP <token>" } }),
  scheme("type: oauth2, flows: {}", { headers: { authorization: "Bearer <token>" } }),
  scheme("type: openIdConnect, openIdConnectUrl: x", { headers: { authorization: "Bearer <token>" } }),
  scheme("type: apiKey, in: header, name: X-Key", { headers: { "x-key": "<api-key>" } }),
  scheme("type: apiKey, in: query, name: key", { query: [["key", "YOUR_API_KEY"]] }),
  scheme("type: apiKey, in: cookie, name: sid", { headers: { cookie: "sid=YOUR_API_KEY" } }),
  {
    about: "authorization: two schemes, and a cookie",
    operation: "security: [{a: [], b: []}]\nparameters: [{name: p, in: cookie, required: true, example: v}]",
    beside:
      "components: {securitySchemes: {a: {type: apiKey, in: cookie, name: sid}, b: {type: http, scheme: bearer}}}",
    wanted: { headers: { authorization: "Bearer <token>", cookie: "sid=YOUR_API_KEY; p=v" } },
  },
  {
    about: "authorization: the first way that needs one",
    operation: "security: [{}, {a: []}]",
    beside: "components: {securitySchemes: {a: {type: http, scheme: bearer}}}",
    wanted: { headers: { authorization: "Bearer <token>" } },
  },
];

const methods: RequestCase[] = ["get", "put", "patch", "delete", "options", "head", "trace", "query"].map((method) => ({
  about: `method ${method}`,
  method,
  operation: "summary: x",
  wanted: { method: method.toUpperCase() },
}));

/** Values with a special meaning in some language. */
export const hostileValues: readonly string[] = [
  `'; touch pwned; '`,
  `"; touch pwned; "`,
  "$(touch pwned)",
  "`touch pwned`",
  "${process.exit(3)} #{exit 3} #$0 #@x {{x}} %{x}",
  "\\' \\\" \\\\ \\n \\u0041 \\x41 \\",
  "'''\"\"\"```",
  "a && touch pwned | touch pwned > pwned",
  "!! !touch %s %d %n %PATH% ~ * ? [a] {a,b}",
  "</script><!-- --> ]]> ?> <?php",
  "é 日本 😀 \u200f\u202e",
  "JSON",
  "@/etc/hostname",
  "<pwned",
  "-v --output pwned",
];
/** Only in bodies. */
export const hostileLines: readonly string[] = [
  "one\ntwo\r\nthree\ttab",
  'a\nJSON\nEOF\n\'@\n"""\nb',
  "\u2028 \u2029 \u0085 \u007f \u001b[31m",
];

const yaml = JSON.stringify;
const hostile: RequestCase[] = [
  ...hostileValues.flatMap((value): RequestCase[] => [
    {
      about: `query: ${yaml(value)}`,
      operation: `parameters: [{name: p, in: query, required: true, example: ${yaml(value)}}]`,
      wanted: query(["p", value]),
    },
    {
      about: `path: ${yaml(value)}`,
      path: "/x/{p}",
      operation: `parameters: [{name: p, in: path, example: ${yaml(value)}}]`,
      wanted: { query: [] },
    },
    {
      about: `default: ${yaml(value)}`,
      operation: `parameters: [{name: p, in: query, required: true, schema: {type: string, default: ${yaml(value)}}}]`,
      wanted: query(["p", value]),
    },
    {
      about: `name: ${yaml(value)}`,
      operation: `parameters: [{name: ${yaml(value)}, in: query, required: true, example: v}]`,
      wanted: query([value, "v"]),
    },
  ]),
  ...hostileValues
    .filter((value) => /^[\x20-\x7e]*$/.test(value))
    .map(
      (value): RequestCase => ({
        about: `header: ${yaml(value)}`,
        operation: `parameters: [{name: X-P, in: header, required: true, example: ${yaml(value)}}]`,
        wanted: { headers: { "x-p": value.trim() } },
      }),
    ),
  ...[...hostileValues, ...hostileLines].flatMap((value): RequestCase[] => [
    {
      about: `JSON: ${yaml(value)}`,
      operation: body("application/json", `{example: {a: ${yaml(value)}, ${yaml(value)}: 1}}`),
      wanted: { body: { json: { a: value, [value]: 1 } } },
    },
    {
      about: `a form: ${yaml(value)}`,
      operation: body("application/x-www-form-urlencoded", `{example: {a: ${yaml(value)}, ${yaml(value)}: b}}`),
      wanted: {
        body: {
          form: [
            ["a", value],
            [value, "b"],
          ],
        },
      },
    },
    {
      about: `text: ${yaml(value)}`,
      operation: body("text/plain", `{example: ${yaml(value)}}`),
      wanted: { body: { text: value } },
    },
  ]),
  ...hostileValues.map(
    (value): RequestCase => ({
      about: `a part: ${yaml(value)}`,
      operation: body("multipart/form-data", `{example: {a: ${yaml(value)}}}`),
      wanted: { body: { parts: [["a", value]] } },
    }),
  ),
  ...hostileValues.map(
    (value): RequestCase => ({
      about: `a part that says what it is: ${yaml(value)}`,
      operation: body("multipart/form-data", `{example: {a: ${yaml(value)}}, encoding: {a: {contentType: text/x-a}}}`),
      wanted: { body: { typedParts: [["a", "text/x-a", value]] } },
    }),
  ),
];

export const requestCases: readonly RequestCase[] = [...styles, ...bodies, ...security, ...methods, ...hostile];
