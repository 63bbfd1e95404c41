// The handbook has every command, option and environment variable, made from the tables of the command line.
// UPDATE_GOLDEN=1 writes its pages.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Option } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { exitCodes, usageOf } from "../../src/cli/help.js";
import groups from "../../src/cli/settings/variables.json" with { type: "json" };

interface Section {
  readonly title: string;
  readonly commands: readonly string[];
  /** What several commands are for. */
  readonly does?: string;
  /** A command of another section: the options that are also its own are there. */
  readonly sameAs?: string;
  readonly text?: string;
  /** In place of the help of an option. */
  readonly options?: Readonly<Record<string, string>>;
  /** Of options whose help does not say it. */
  readonly defaults?: Readonly<Record<string, string>>;
}

const project = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(project, path), "utf8");
const sections = parse(read("fixtures/handbook-reference/command-line.yaml")) as Section[];

test("the page has every command once", () =>
  expect(sections.flatMap((section) => section.commands).toSorted()).toEqual(Object.keys(commands).toSorted()));

for (const { title, commands: names, options = {}, defaults = {} } of sections)
  test(`the texts of "${title}" are those of its options`, () => {
    const known = names.flatMap((name) => Object.keys(commands[name]!.options));
    for (const name of Object.keys({ ...options, ...defaults })) expect(known).toContain(name);
  });

function commandLinePage(): string {
  const exits = exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return [
    "---\ntitle: Command line\ndescription: Every command and option, and the exit codes.\nicon: terminal\nkeywords: [clear the cache, delete the cache, empty the cache]\n---",
    "`offprint --help` lists the commands, and `offprint <command> --help` the options of one. If you misspell a command or an option, the message names the nearest one.",
    overview(),
    ...sections.map(sectionText),
    "## Colors",
    "On a terminal the severity and the carets are colored. `NO_COLOR=1` and `TERM=dumb` turn that off, `FORCE_COLOR=1` turns it on in a pipe.",
    "## Exit codes",
    `| Code | Meaning |\n| --- | --- |\n${exits.join("\n")}`,
  ].join("\n\n");
}

/** A row for each section, since a reader looks for what to do, not for the name of a command. */
const overview = (): string =>
  [
    "| To | Read |",
    "| --- | --- |",
    ...sections.map(({ title, commands: [first], does }) => {
      const anchor = title.toLowerCase().replace(/\W+/g, "-");
      return `| ${does ?? commands[first!]!.summary.replace(/[.;].*$/, "")} | [${title}](#${anchor}) |`;
    }),
  ].join("\n");

function sectionText(section: Section): string {
  const { title, commands: names, text = "", sameAs } = section;
  const [only] = names.length === 1 ? names : [];
  const shared = sameAs ? new Set(Object.values(commands[sameAs]!.options)) : new Set();
  const options = new Map(
    names.flatMap((name) => Object.entries(commands[name]!.options)).filter(([, option]) => !shared.has(option)),
  );
  return [
    `## ${title}`,
    only === undefined ? tableOf(names) : introduction(only),
    text.trim(),
    sameAs &&
      `It has those options of [offprint ${sameAs}](#offprint-${sameAs}) that are not about the bundle, and these:`,
    ...[...options].map(([name, option]) => optionText(name, option, section)),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const tableOf = (names: readonly string[]): string =>
  [
    "| Command | What it does |",
    "| --- | --- |",
    ...names.map((name) => `| \`offprint ${usageOf(name)}\` | ${commands[name]!.summary} |`),
  ].join("\n");

function introduction(name: string): string {
  const { summary, argument } = commands[name]!;
  const rows = argument ? [argument, ...(argument.more ? [argument.more] : [])] : [];
  return [
    `\`\`\`bash\noffprint ${usageOf(name)} [options]\n\`\`\``,
    `${summary}.`,
    rows.map((each) => `- \`${each.name}\`: ${escaped(each.help)}`).join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function optionText(name: string, { short, value, help }: Option, section: Section): string {
  const { what, standard } = helpParts(help);
  const type = value?.replace(/[<>]/g, "");
  const initial = section.defaults?.[name] ?? standard;
  const attributes = [
    `name="--${name}${short ? `, -${short}` : ""}"`,
    `type="${type === undefined ? "switch" : (typeNames[type] ?? type)}"`,
    initial && `default="${initial}"`,
  ];
  const owners = section.commands.filter((command) => Object.hasOwn(commands[command]!.options, name));
  const only = owners.length < section.commands.length && `For ${lists.format(owners.map((each) => `\`${each}\``))}.`;
  const [first, ...rest] = (section.options?.[name]?.trim() ?? `${escaped(what)}.`).split("\n\n");
  const lines = [[first, only].filter(Boolean).join(" "), ...rest];
  return `<ParamField ${attributes.filter(Boolean).join(" ")}>\n${lines.join("\n\n").replace(/^(?=.)/gm, "  ")}\n</ParamField>`;
}

const lists = new Intl.ListFormat("en");
const typeNames: Readonly<Record<string, string>> = { n: "number", dir: "folder", url: "URL", "a,b": "pages" };

/** A default is in brackets, `(default: 8080; 0 picks a free one)`, or marked in a list: `any (default) or oidc`. */
function helpParts(help: string): { readonly what: string; readonly standard: string } {
  const marked = /([\w-]+) \(default\)/.exec(help);
  if (marked) return { what: help.replace(marked[0], marked[1]!), standard: marked[1]! };
  const [all = "", standard = "", more = ""] = / \(default: ([^;)]*)((?:;[^)]*)?)\)/.exec(help) ?? [];
  return { what: help.replace(all, more), standard };
}

const inCode =
  /https?:\/\/[\w.]+|[\d.:,a-f]+\/\d+|<[^>]+>|(?<![\w/])--[a-z-]+|(?<!\w)\/v?[\w/]+\/?(?=[ ,.;)]|$)|\b\w*[A-Z]_[A-Z_]+\b|svc_dsc_…/g;
const escaped = (text: string): string => text.replace(inCode, (found) => `\`${found}\``);

const groupTitles: Readonly<Record<keyof typeof groups, readonly [title: string, commands: string]>> = {
  export: ["Exports", "For `export` and `check`."],
  cache: ["The cache", "For `cache info` and `cache clear`."],
  store: ["Where the service stores", "For every command of the service that reads or writes its data."],
  api: [
    "The API",
    "For `service` and `api`. [Production](/service/production) and [The assistant](/service/operate-the-assistant#settings) explain them.",
  ],
  model: [
    "The language model",
    "For `service`, `api` and `worker`. [The assistant](/service/language-model#with-another-model) explains them; [agent jobs](/service/agent-jobs) use the same model.",
  ],
  console: ["The console", "For `service` and `api`. [The console](/service/console) explains them."],
  forges: [
    "Git hosts",
    "For `service`, `api`, `worker` and `credential add`. [Read private repositories](/service/credentials) explains it.",
  ],
  worker: ["Workers", "For `service` and `worker`."],
  webhooks: ["Webhooks", "For `service`, `api` and `worker`."],
  serve: ["offprint serve", "For [`serve`](/guides/deploying)."],
  job: ["offprint job", "For `job run`; `OFFPRINT_SERVICE` also for `ask`."],
  ask: ["offprint ask", "For `ask`."],
};

function variablesPage(): string {
  const parts = Object.entries(groupTitles).map(([group, [title, text]]) => {
    const rows = Object.entries(groups[group as keyof typeof groups]).map(([name, help]) => {
      const { what, standard } = helpParts(help);
      return `| \`${name}\` | ${escaped(what)} | ${standard} |`;
    });
    return `## ${title}\n\n${text}\n\n| Variable | What it sets | Default |\n| --- | --- | --- |\n${rows.join("\n")}`;
  });
  return [
    "---\ntitle: Environment variables\ndescription: Every setting of the commands and the service that comes from the environment.\nicon: variable\n---",
    "An empty variable counts as missing, and an option on the command line takes precedence over its variable. The chart and the Compose file in `deploy` set the same names.",
    ...parts,
    "## Of the system",
    "`HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply to git. `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb` decide about [colors](/reference/command-line#colors). `XDG_CACHE_HOME` moves the user's cache.",
  ].join("\n\n");
}

for (const [page, text] of [
  ["command-line", commandLinePage()],
  ["environment-variables", variablesPage()],
] as const)
  test(`the page ${page} agrees with the tables of the command line`, () => {
    const path = `fixtures/handbook/reference/${page}.mdx`;
    if (process.env["UPDATE_GOLDEN"]) writeFileSync(join(project, path), `${text}\n`);
    assert.equal(read(path), `${text}\n`, "Write it with UPDATE_GOLDEN=1.");
  });

test("every variable of Offprint that the source reads is in the tables", () => {
  const files = ["src/cli", "src/service"].flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => read(join(folder, name))),
  );
  const used = files.flatMap((text) => [
    ...text.matchAll(/(?:env\[|read\(|address\(|environment\[)"(OFFPRINT_[A-Z0-9_]*[A-Z0-9])"/g),
  ]);
  const known = Object.values(groups).flatMap((group) => Object.keys(group));
  expect(used.length).toBeGreaterThan(10);
  expect(used.map(([, name]) => name).filter((name) => !known.includes(name!))).toEqual([]);
});
