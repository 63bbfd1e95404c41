import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8");
const keysOf = (path: string, key: string): string[] =>
  Object.keys((JSON.parse(read(path)) as Readonly<Record<string, object>>)[key]!);
const namesIn = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).map((path) => basename(path).replace(/\..*$/, ""));

const guide = ["how-to-add", "add-commands-and-formats"]
  .map((page) => read(`fixtures/handbook/inside/${page}.mdx`))
  .join("\n");

/** The pages' section about a kind, from its heading to the next. */
function sectionOf(title: string): string {
  const section = guide.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (section === undefined) throw new Error(`The pages have no section "${title}".`);
  return section;
}

interface Kind {
  readonly title: string;
  /** Names of what exists already. */
  readonly members: readonly string[];
  /** Files that name most members for another reason. */
  readonly others?: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    title: "A component",
    members: namesIn("src/page/components/*.tsx").filter((name) => name !== "Api"),
  },
  {
    title: "A setting of docs.json",
    members: keysOf("scripts/setting-texts.json", "docs").filter((name) => !name.includes(".")),
    // Names of settings that are usual words there, or part of an example.
    others: ["src/bundle/search/synonyms.json", "src/cli/codes.json"],
  },
  {
    title: "A key of front matter",
    members: keysOf("scripts/setting-texts.json", "frontMatter").filter((name) => !name.includes(":")),
    // Names of keys that are usual words or names of settings there.
    others: ["src/bundle/search/synonyms.json", "schemas/docs.json", "fixtures/handbook/reference/settings.mdx"],
  },
  { title: "A diagnostic", members: codes() },
  {
    title: "A locale",
    members: namesIn("src/lib/language/locales/*.json"),
    // Codes of languages that are something else here.
    others: [
      "src/site/config/known-names.json",
      "src/service/assistant/question.ts",
      "test/service/assistant/questions.test.ts",
    ],
  },
  {
    title: "A command",
    members: namesIn("src/cli/commands/*.ts"),
    // Names of commands that are usual words there.
    others: [
      "src/cli/help.ts",
      "src/bundle/search/synonyms.json",
      "fixtures/handbook/service/openapi.json",
      "test/handbook/questions.json",
    ],
  },
  {
    title: "A language of request samples",
    members: Object.keys(JSON.parse(read("src/reference/samples/languages/languages.json")) as object),
  },
  { title: "A route of the HTTP API", members: keysOf("src/service/http/operations.json", "operations") },
];

function codes(): string[] {
  return Object.values(JSON.parse(read("src/cli/codes.json")) as Record<string, object>).flatMap(Object.keys);
}

/** A file that names this share of all members is a list to which a new one is added. */
const shareOfList = 0.6;

const sources = globSync(
  ["{src,scripts,test}/**/*.{ts,tsx,js,json}", "schemas/*.json", "fixtures/handbook{,-reference}/**/*.{mdx,yaml,json}"],
  {
    cwd: root,
  },
).map((path) => ({ path, words: new Set(read(path).match(/[\w.-]+/g)) }));

for (const { title, members, others = [] } of kinds)
  test(`"${title}" in the lists for contributors names every file that lists what exists`, () => {
    expect(members.length).toBeGreaterThan(5);
    const section = sectionOf(title);
    const isNamed = (path: string): boolean =>
      [path, dirname(path)].some((place) => section.includes(`\`${place}\``)) || others.includes(path);
    const lists = sources.filter(
      ({ words }) => members.filter((name) => words.has(name)).length >= members.length * shareOfList,
    );
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.map(({ path }) => path).filter((path) => !isNamed(path))).toEqual([]);
  });
