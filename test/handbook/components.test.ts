// The handbook has every component, with all of its properties. UPDATE_GOLDEN=1 writes its pages.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { componentDefinitions, type PropKind } from "../../src/page/components/index.js";

interface Page {
  readonly page: string;
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  readonly keywords?: readonly string[];
  /** Before the components, and after them. */
  readonly before?: string;
  readonly after?: string;
  readonly components: readonly Entry[];
}
interface Entry {
  /** Components of the same properties. */
  readonly names: readonly string[];
  readonly text: string;
  /** Shown as source and live. */
  readonly example?: string;
  /** Shown as source only, since it changes the whole page. */
  readonly source?: string;
  readonly properties?: Readonly<Record<string, string>>;
  /** Properties that other stages read. */
  readonly written?: Readonly<Record<string, string>>;
  /** Properties that only pages of a specification have. */
  readonly internal?: readonly string[];
}

const project = join(import.meta.dirname, "../..");
const folder = join(project, "fixtures/handbook/reference/components");
const pages = parse(readFileSync(join(project, "fixtures/handbook-reference/components.yaml"), "utf8")) as Page[];

/** Only pages of a specification have them. */
const internal = ["ApiCall", "ApiDownloads", "ApiHeader", "ApiSection", "ApiServer", "FieldNote"];
const kindNames: Readonly<Record<PropKind, string>> = {
  text: "string",
  number: "number",
  boolean: "boolean",
  content: "Markdown",
  label: "string or JSX",
  icon: "icon",
  href: "link",
  image: "image",
  color: "color",
  list: "list of strings",
  value: "any value",
};

test("the handbook has every component once", () =>
  expect(
    [...pages.flatMap(({ components }) => components.flatMap(({ names }) => names)), ...internal].toSorted(),
  ).toEqual([...componentDefinitions.keys()].toSorted()));

for (const page of pages)
  test(`the page ${page.page} has the properties of the definitions`, () => {
    const file = join(folder, `${page.page}.mdx`);
    const text = textOf(page);
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(file, text);
    assert.equal(readFileSync(file, "utf8"), text, "Write it with UPDATE_GOLDEN=1.");
  });

test("the folder has no other page", () =>
  expect(readdirSync(folder).toSorted()).toEqual(
    ["index", ...pages.map(({ page }) => page)].map((page) => `${page}.mdx`).toSorted(),
  ));

function textOf({ title, icon, description, keywords, before, after, components }: Page): string {
  const found = keywords ? `\nkeywords: [${keywords.join(", ")}]` : "";
  const head = `---\ntitle: ${title}\ndescription: ${description}\nicon: ${icon}${found}\n---`;
  return `${[head, before?.trim(), ...components.map(sectionOf), after?.trim()].filter((part) => part !== undefined).join("\n\n")}\n`;
}

function sectionOf({ names, text, example, source, properties = {}, written = {}, internal = [] }: Entry): string {
  const { props } = componentDefinitions.get(names[0]!)!;
  for (const name of names)
    assert.deepEqual(componentDefinitions.get(name)!.props, props, `${name} has other properties than ${names[0]}`);
  assert.deepEqual(
    [...Object.keys(properties), ...internal].toSorted(),
    Object.keys(props).toSorted(),
    `fixtures/handbook-reference/components.yaml describes the properties of ${names.join(", ")}`,
  );
  const rows = [
    ...Object.entries(properties).map(([name, what]) => `| \`${name}\` | ${kindNames[props[name]!]} | ${what} |`),
    ...Object.entries(written).map(([name, what]) => `| \`${name}\` | | ${what} |`),
  ];
  const code = (example ?? source)?.trim();
  return [
    `## ${names.join(", ")}`,
    text,
    code && `\`\`\`\`mdx wrap\n${code}\n\`\`\`\``,
    example?.trim(),
    rows.length > 0 && ["| Property | Kind | What it does |", "| --- | --- | --- |", ...rows].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
