// The handbook has every setting and every key of the front matter, made from the schemas. UPDATE_GOLDEN=1 writes its pages.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { configDefaults } from "../../src/site/config/index.js";

interface Schema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

const project = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(project, path), "utf8");
const settings = JSON.parse(read("schemas/docs.json")) as Schema;
const frontMatter = JSON.parse(read("schemas/front-matter.json")) as Schema;

/** More names than these are in the schema only. */
const maxNames = 12;
const code = (value: unknown): string => `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;

/** The schema and what it can be in its place, without references to other files. */
const formsOf = (schema: Schema): Schema[] =>
  schema.$ref === undefined ? [schema, ...(schema.anyOf ?? []).flatMap(formsOf)] : [];

const kindNames: Readonly<Record<string, string>> = {
  boolean: "true or false",
  array: "list",
  integer: "number",
};
function kindOf(schema: Schema): string {
  const kinds = formsOf(schema).flatMap((form) => {
    if (form.enum) return form.enum.length > maxNames ? "a name" : form.enum.map(code).join(", ");
    return [form.type ?? []].flat().flatMap((type) => (type === "null" ? [] : (kindNames[type] ?? type)));
  });
  return [...new Set(kinds)].join(" or ");
}

function defaultOf(path: string): string {
  let value: unknown = configDefaults;
  for (const name of path.split(".")) value = (value as Record<string, unknown> | undefined)?.[name];
  return ["string", "number", "boolean"].includes(typeof value) ? code(value) : "";
}

/** A row for the setting and each one inside. */
function rowsOf(path: string, schema: Schema, withDefaults = true): string[] {
  const { description, examples = [] } = schema;
  const [example] = examples;
  const what = [
    description?.replace(/\{\{\w+\}\}|[<{].*[>}]/g, code),
    example !== undefined && `Example: ${code(example)}`,
    withDefaults && defaultOf(path) && `Default: ${defaultOf(path)}`,
  ]
    .filter(Boolean)
    .join(". ");
  const inner = new Map(
    formsOf(schema).flatMap((form) => [
      ...Object.entries(form.properties ?? {}).map(([name, each]) => [`${path}.${name}`, each] as const),
      ...formsOf(form.items ?? {}).flatMap(({ properties = {} }) =>
        Object.entries(properties).map(([name, each]) => [`${path}[].${name}`, each] as const),
      ),
    ]),
  );
  const cells = [code(path), kindOf(schema), what];
  return [
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
    ...[...inner].flatMap(([each, its]) => (/\$/.test(each) ? [] : rowsOf(each, its, withDefaults))),
  ];
}

/** Settings by purpose; the page has a section for each purpose. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  Look: "name description theme colors logo favicon appearance fonts icons background styling thumbnails".split(" "),
  "Around the pages": "navigation navbar footer banner redirects errors".split(" "),
  "In pages": "variables contextual feedback interaction metadata variations public".split(" "),
  "Search engines, search and agents": "seo search markdown".split(" "),
  "APIs and other services": "api integrations".split(" "),
};

function settingsPage(): string {
  const all = Object.entries(settings.properties!).filter(([name]) => !name.startsWith("$"));
  const tables = all.map(([name, schema]) => {
    const [own, ...inner] = rowsOf(name, schema);
    // Their section has the name.
    const prefix = new RegExp(`^\\| \`${name}\\.?`);
    return { name, schema, rows: [own!, ...inner.map((row) => row.replace(prefix, "| `"))] };
  });
  const isSingle = (name: string): boolean => tables.find((each) => each.name === name)!.rows.length === 1;
  const linked = (name: string): string => (isSingle(name) ? code(name) : `[${code(name)}](#${name})`);
  const head = "| Setting | Kind | What it does |\n| --- | --- | --- |";
  const table = (rows: readonly string[]): string => `${head}\n${rows.join("\n")}`;
  return [
    "---\ntitle: Settings of docs.json\nsidebarTitle: Settings\ndescription: Every setting, with its default.\nicon: settings-2\n---",
    "A site needs a name and a navigation. Everything else has a default:",
    '```json docs.json\n{\n  "$schema": "./node_modules/offprint/schemas/docs.json",\n  "name": "Acme",\n  "navigation": { "groups": [{ "group": "Start", "pages": ["index"] }] }\n}\n```',
    [
      "- With `$schema`, editors complete and check these names. [`offprint init`](/reference/command-line) copies the schema into the hidden folder `.offprint` of a new site, next to one of [front matter](/reference/front-matter).",
      '- Any value can be in a file of its own: `{ "$ref": "./navigation.json" }`.',
      "- A misspelt name or an invalid value is reported, and the default applies. The older `mint.json` is read, too.",
    ].join("\n"),
    "## By subject",
    `| Subject | Settings |\n| --- | --- |\n${Object.entries(subjects)
      .map(([subject, names]) => `| [${subject}](#${anchorOf(subject)}) | ${names.map(linked).join(", ")} |`)
      .join("\n")}`,
    ...Object.entries(subjects).flatMap(([subject, names]) => {
      const ofSubject = names.map((name) => tables.find((each) => each.name === name)!);
      const single = ofSubject.filter(({ rows }) => rows.length === 1).flatMap(({ rows }) => rows);
      return [
        `## ${subject}`,
        ...(single.length > 0 ? [table(single)] : []),
        ...ofSubject
          .filter(({ rows }) => rows.length > 1)
          .flatMap(({ name, schema, rows }) => [`### ${name}`, `${schema.description}.`, table(rows.slice(1))]),
      ];
    }),
    "## In an entry of the navigation",
    "A language, version, tab, group or another entry of [the navigation](/guides/navigation) takes these.",
    table(entryRows()),
  ].join("\n\n");
}

const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(",", "").replaceAll(" ", "-");

test("each setting has one topic", () => {
  const names = Object.keys(settings.properties!).filter((name) => !name.startsWith("$"));
  assert.deepEqual(Object.values(subjects).flat().toSorted(), names.toSorted());
});

const entryRows = (): string[] => [
  ...new Map(
    formsOf(settings.definitions!["entry"]!).flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, schema]) =>
        name.startsWith("$") ? [] : [[name, rowsOf(name, schema, false)[0]!] as const],
      ),
    ),
  ).values(),
];

/** Keys of front matter by purpose; the page has a section for each purpose. */
const keySubjects: Readonly<Record<string, readonly string[]>> = {
  "Text and layout":
    "title description mode deprecated hideFooterPagination contextual timestamp lastUpdatedDate".split(" "),
  "Sidebar and navigation": "sidebarTitle icon iconType tag hidden url draft hideApiMarker".split(" "),
  Search: "keywords boost searchable noindex".split(" "),
  "Search engines and link previews": Object.keys(frontMatter.properties!).filter((key) =>
    /^(?:og:|twitter:|canonical$|robots$)/.test(key),
  ),
  "API pages":
    "openapi openapi-schema asyncapi graphql arazzo api authMethod auth contentType version playground".split(" "),
  "Readers and feeds": "groups public isPublic rss".split(" "),
  "Accepted, without effect": "createdDate authors related sdk".split(" "),
};

test("each key of front matter has one topic", () =>
  assert.deepEqual(Object.values(keySubjects).flat().toSorted(), Object.keys(frontMatter.properties!).toSorted()));

function frontMatterPage(): string {
  // A number, or any value, is read where a text is expected.
  const rowOf = (key: string): string =>
    rowsOf(key, frontMatter.properties![key]!, false)[0]!
      .replace(/\. Example: `(?:true|false)`/, "")
      .replace(
        /^(\| \S+ \|) ([^|]*) \|/,
        (_, name: string, kinds: string) =>
          `${name} ${kinds.includes("object") ? "any value" : kinds.replace(/ or (?:text|number)$/, "")} |`,
      );
  return [
    "---\ntitle: Front matter\ndescription: All keys that you can write between the two lines of --- at the top of a page.\nicon: file-cog\nkeywords: [metadata, YAML, icon of a page, add an icon to a page, wide page, page without the right column]\n---",
    "Front matter is YAML between two `---` lines at the top of a page:",
    "```yaml guides/install.mdx\n---\ntitle: Install\ndescription: Get Acme running in five minutes.\nicon: download\n---\n```",
    [
      "- Upper and lower case make no difference.",
      "- Offprint reports misspelled keys, and keys of other tools, with the right key.",
      "- You can add keys of your own. [Expressions](/guides/writing-pages#expressions) read them as `frontmatter.name`.",
      "- Put a text that contains `: ` or starts with a special character between quotation marks.",
    ].join("\n"),
    ...Object.entries(keySubjects).flatMap(([subject, keys]) => [
      `## ${subject}`,
      `| Key | Kind | Effect |\n| --- | --- | --- |\n${keys.map(rowOf).join("\n")}`,
    ]),
  ].join("\n\n");
}

for (const [page, text] of [
  ["settings", settingsPage()],
  ["front-matter", frontMatterPage()],
] as const)
  test(`the page ${page} has everything that the schema has`, () => {
    const path = `fixtures/handbook/reference/${page}.mdx`;
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(join(project, path), `${text}\n`);
    assert.equal(read(path), `${text}\n`, "Write it with UPDATE_GOLDEN=1.");
  });
