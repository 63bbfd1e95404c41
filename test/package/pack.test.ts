/** What users get: the files of the package, and a command that works where there is nothing but Node. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { contentOf, runCli, temporaryFolder } from "../support/cli.js";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));
const description = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
  readonly bin: { readonly offprint: string };
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string } | string>>;
};

/** Scripts that are loaded by their path, most in a thread or process of their own. */
const started = [
  "page-thread",
  "markdown-process",
  "export-child",
  "count-thread",
  "diagram-worker",
  "graphql",
  "island-worker",
].map((name) => `dist/${name}.js`);
/** The other exports are the paths of files of data. */
const modules = Object.values(description.exports).filter((each) => typeof each !== "string");
/** Read by their path. */
const isRead = (path: string): boolean =>
  Object.values(description.exports).includes(`./${path}`) ||
  path.startsWith("dist/client/") ||
  path.startsWith("dist/locales/") ||
  path.startsWith("template/") ||
  [
    "dist/build-id.txt",
    "dist/crawlers.json",
    "dist/emoji.json",
    "dist/font-widths.json",
    "dist/island-guest.js",
    "dist/quickjs.wasm",
    "dist/licenses.txt",
    "dist/sbom.cdx.json",
    "package.json",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
  ].includes(path);

async function packedFiles(): Promise<string[]> {
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: project,
    maxBuffer: 64 * 1024 * 1024,
  });
  const [{ files }] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  return files.map(({ path }) => path).sort();
}

/** All files that these import, directly or not. */
function reachedFrom(entries: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    const text = readFileSync(join(project, path), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport\()\s*"#(?:built\/)?((?:shiki|cli|lib)\/[^"\n]+)"/g))
      visit(`dist/${name}.js`);
    for (const [, to = ""] of text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*"(\.{1,2}\/[^"\n]+\.js)"/g)) {
      const target = join(dirname(path), path.endsWith(".d.ts") ? to.replace(/\.js$/, ".d.ts") : to);
      if (existsSync(join(project, target))) visit(target);
    }
  };
  for (const entry of entries) visit(entry);
  return reached;
}

describe("the package", () => {
  test("contains the files that its entries reach, and nothing else", async () => {
    const scripts = reachedFrom([
      description.bin.offprint.slice(2),
      ...modules.map((each) => each.default.slice(2)),
      ...started,
    ]);
    const types = reachedFrom(modules.map((each) => each.types.slice(2)));
    const files = await packedFiles();
    expect(files.filter((path) => !scripts.has(path) && !types.has(path) && !isRead(path))).toEqual([]);
    expect([...scripts, ...started].filter((path) => !files.includes(path))).toEqual([]);
  });

  test("comes with the licenses of the packages that are bundled into it", () => {
    const licenses = readFileSync(join(project, "dist/licenses.txt"), "utf8");
    for (const name of ["mermaid", "jsdom", "hono", "pg", "@aws-sdk/client-s3", "shiki", "katex", "unified"])
      expect(licenses).toMatch(new RegExp(`(?:^|, )${name} \\d`, "m"));
    expect(licenses).toContain("Copyright (c) 2014 - 2022 Knut Sveidqvist");
  });
});

const node20 = "/usr/bin/node";
const isOld = existsSync(node20) && !(await run(node20, ["--version"])).stdout.startsWith("v24");

test.runIf(isOld)("an older Node is refused in one sentence", async () => {
  const version = (await run(node20, ["--version"])).stdout.trim();
  const refused = run(node20, [join(project, description.bin.offprint), "--help"]);
  await expect(refused).rejects.toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      `^Offprint needs Node 22.13 or newer; this is ${version}. Get it from nodejs.org; .*\n$`,
    ),
  });
});

/** Asks a package registry for the dependencies of the package. */
test.runIf(process.env["OFFPRINT_SWEEP"])("the packed package works in an empty folder", async () => {
  const folder = temporaryFolder();
  const programs = join(folder, "programs");
  const site = join(folder, "site");
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, "node"));
  symlinkSync("/bin/sh", join(programs, "sh"));
  const npm = (await run("sh", ["-c", 'readlink -f "$(command -v npm)"'])).stdout.trim();
  const npx = join(dirname(npm), "npx-cli.js");
  const inFolder = { cwd: folder, env: { ...process.env, PATH: programs, npm_config_cache: join(folder, "cache") } };

  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: project });
  await run(process.execPath, [npm, "init", "--yes"], inFolder);
  const { stdout } = await run(process.execPath, [npm, "install", "./offprint-0.1.0.tgz"], inFolder);
  expect(Number(/added (\d+) packages/.exec(stdout)![1])).toBeLessThanOrEqual(60);

  cpSync(join(project, "fixtures/sites/components"), site, { recursive: true });
  const exported = [npx, "offprint", "export", "site", "--output", "out", "--no-cache"];
  await run(process.execPath, exported, inFolder);
  const own = join(folder, "own");
  expect((await runCli(["export", site, "--output", own, "--no-cache"])).code).toBe(0);
  expect(contentOf(join(folder, "out"))).toEqual(contentOf(own));
});
