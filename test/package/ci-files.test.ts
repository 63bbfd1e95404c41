import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { commands } from "../../src/cli/commands.js";

const project = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(project, path), "utf8");
const action = parse(read(".github/actions/offprint/action.yml")) as {
  inputs: Record<string, { description: string; default: string }>;
  runs: { using: string; steps: { run?: string; shell?: string; uses?: string; env?: Record<string, string> }[] };
};

/** Every `offprint command …` of a text, with its options. */
const calls = (text: string): [name: string, options: string[]][] =>
  [...text.matchAll(/offprint(?:@\$VERSION")? (check|export)\b([^\n]*)/g)].map(([, name = "", rest = ""]) => [
    name,
    [...rest.matchAll(/--([\w-]+)/g)].map(([, option]) => option!),
  ]);

test("the action calls only commands and options that exist", () => {
  expect(action.runs.using).toBe("composite");
  const found = action.runs.steps.flatMap(({ run = "" }) => calls(run));
  expect(found.map(([name]) => name)).toEqual(["check", "check", "export"]);
  for (const [name, options] of found)
    for (const option of options) expect(Object.keys(commands[name]!.options)).toContain(option);
});

test("a script of the action takes its inputs from the environment alone", () => {
  for (const { run, shell } of action.runs.steps)
    if (run) {
      expect(shell).toBe("bash");
      // An expression in a script would run the text of the input.
      expect(run).not.toContain("${{");
    }
});

test("the workflow uses only inputs of the action; the handbook shows it", () => {
  const text = read("fixtures/workflows/publish-to-pages.yml");
  const workflow = parse(text) as { jobs: { export: { steps: { uses: string; with?: object }[] } } };
  const step = workflow.jobs.export.steps.find(({ uses }) => uses === "./.github/actions/offprint");
  for (const name of Object.keys(step!.with!)) expect(action.inputs).toHaveProperty(name);
  const page = read("fixtures/handbook/guides/ci.mdx");
  expect(page).toContain(text);
  for (const [name, { description }] of Object.entries(action.inputs))
    expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\| .*\\| ${description.split(",")[0]!.split(";")[0]}`, "m"));
});

test("the hook runs a check", () => {
  const [hook] = parse(read(".pre-commit-hooks.yaml")) as { entry: string; args: string[]; files: string }[];
  expect(`${hook!.entry} ${hook!.args.join(" ")}`).toBe("offprint check .");
  expect(new RegExp(hook!.files).test("docs/index.mdx")).toBe(true);
});

test("the problem matcher reads every printed finding", () => {
  const { problemMatcher } = JSON.parse(read(".github/actions/offprint/problem-matcher.json")) as {
    problemMatcher: [{ pattern: { regexp: string; file?: number; line?: number; column?: number }[] }];
  };
  const [head, text] = problemMatcher[0].pattern.map(({ regexp }) => new RegExp(regexp));
  const mistakes = join(project, "fixtures/mistakes");
  for (const name of readdirSync(mistakes)) {
    const lines = read(`fixtures/mistakes/${name}/expected.txt`).split("\n");
    for (const [index, line] of lines.entries()) {
      if (!/^(?:error|warning) [A-Z_]+ \S.*:\d+$/.test(line)) continue;
      expect(head!.exec(line)?.slice(1, 3)).toEqual(line.split(" ").slice(0, 2));
      expect(text!.test(lines[index + 1]!), line).toBe(true);
    }
  }
});

interface OwnWorkflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: object; readonly steps: readonly { readonly run?: string }[] }>
  >;
}

test("the workflow of a release publishes what CI has passed, with provenance, and no job may do more than it needs", () => {
  const { permissions, jobs } = parse(read(".github/workflows/release.yml")) as OwnWorkflow;
  expect(permissions).toEqual({ contents: "read" });
  const commands = jobs["package"]!.steps.flatMap(({ run }) => run ?? []);
  const order = [".ci/run", "npm publish --dry-run", "npm publish --provenance --access public"];
  expect(commands.filter((command) => order.includes(command))).toEqual(order);
  expect(jobs["package"]!.permissions).toEqual({ contents: "write", "id-token": "write" });
  expect(jobs["image"]!.permissions).toEqual({ contents: "read", packages: "write" });
  for (const command of commands) expect(command).not.toContain("${{");
});

test("CI runs what the repository says, the breadth that covers a change, and the first commands of the README on each Node", () => {
  const { jobs } = parse(read(".github/workflows/ci.yml")) as OwnWorkflow;
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
  expect(commands).toEqual([
    ".ci/run",
    'node scripts/ensure-test-programs.js && npm ci && npm run sweep -- --changed "$BASE"',
    "npm ci && npm run demo",
    "npm publish --dry-run --ignore-scripts",
    "npm run offprint -- check fixtures/handbook --max-warnings 0",
  ]);
  expect(read(".ci/run")).toContain("npm ci && npm test && npm pack --dry-run");
  expect(read("README.md")).toContain("npm ci && npm run demo");
});
