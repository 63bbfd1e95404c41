import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { callCli, contentOf, temporaryFolder } from "../support/cli.js";
import { exportInProcess } from "../support/pool-in-process.js";

test("offprint init makes a site that exports without a diagnostic", async () => {
  const folder = join(temporaryFolder(), "acme-tools", "docs");
  const { code, stdout, stderr } = await callCli(["init", folder]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Created the site "Acme tools" in .*docs\n/);
  for (const command of ["preview", "check", "export"]) expect(stdout).toContain(`offprint ${command} `);
  const result = await exportInProcess({ source: folder, output: "memory" });
  expect(result.diagnostics).toEqual([]);
  expect(result).toMatchObject({ ok: true, siteName: "Acme tools", pageCount: 14 });
});

test("docs.json names its schema, which is a hidden file of the site", async () => {
  for (const args of [[], ["--from", "fixtures/import/mkdocs"]]) {
    const folder = join(temporaryFolder(), "docs");
    await callCli(["init", folder, ...args]);
    const settings = JSON.parse(readFileSync(join(folder, "docs.json"), "utf8")) as { $schema: string };
    expect(Object.keys(settings)[0]).toBe("$schema");
    for (const [file, made] of [
      [settings.$schema, "docs"],
      [".offprint/front-matter.schema.json", "front-matter"],
    ] as const)
      expect(JSON.parse(readFileSync(join(folder, file), "utf8"))).toEqual(
        JSON.parse(readFileSync(`schemas/${made}.json`, "utf8")),
      );
    const result = await exportInProcess({ source: folder, output: "memory" });
    expect(result.ok && [...result.files.keys()].filter((path) => /schema.*json$/.test(path))).toEqual([]);
  }
});

test("a name from the user is text in settings and pictures", async () => {
  const folder = join(temporaryFolder(), "site");
  await callCli(["init", folder, "--name", 'A "b" <c> $&', "--json"]);
  expect(JSON.parse(readFileSync(join(folder, "docs.json"), "utf8"))).toMatchObject({ name: 'A "b" <c> $&' });
  expect(readFileSync(join(folder, "images/logo-light.svg"), "utf8")).toMatch(
    />A (?:"|&quot;)b(?:"|&quot;) &lt;c&gt; \$&amp;</,
  );
});

test("nothing is overwritten: only a new folder or one with hidden files is taken", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, ".git"));
  expect((await callCli(["init", folder])).code).toBe(0);
  writeFileSync(join(folder, "index.mdx"), "mine");
  const before = contentOf(folder);
  const { code, stderr } = await callCli(["init", folder]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/is not empty \(changelog\.mdx, docs\.json, guides and \d more\)/),
  ]);
  expect(contentOf(folder)).toEqual(before);
  expect((await callCli(["init", join(folder, "index.mdx")])).stderr).toMatch(/is a file/);
});

test("offprint init --from converts a site, lists what a person must do, and names the next commands", async () => {
  const target = join(temporaryFolder(), "new");
  const { code, stdout, stderr } = await callCli(["init", "--from", "fixtures/import/docusaurus", target]);
  // The sample lists a page that it does not have, and has one that is a program.
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^Converted 9 pages from Docusaurus\.\n2 pages repeated the title as a heading/);
  expect(stdout).toContain('docs/basics/02-queues.md:19  The link "./gone.md" has no target in the folder.');
  expect(stdout).toContain('Created the site "Harbor"');
  expect(stdout).toContain("--base-url https://harbor.example.com");
  expect(readFileSync(join(target, "img/logo.svg"))).toEqual(
    readFileSync("fixtures/import/docusaurus/static/img/logo.svg"),
  );
  const empty = await callCli(["init", "--from", join(target, "img"), join(target, "other")]);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("contains no .md or .mdx files")]);
});

test("a second conversion changes nothing, and keeps what a person changed or deleted", async () => {
  const folder = temporaryFolder();
  const [old, target] = [join(folder, "old"), join(folder, "new")];
  cpSync("fixtures/import/markdown", old, { recursive: true });
  expect((await callCli(["init", "--from", old, target])).code).toBe(0);
  const before = contentOf(target);
  const again = await callCli(["init", "--from", old, target]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Converted again")]);
  expect(contentOf(target)).toEqual(before);
  writeFileSync(join(target, "start/fold.mdx"), "mine");
  rmSync(join(target, "start/swim.mdx"));
  writeFileSync(join(old, "01-start/1-fold.md"), "# Fold it\n");
  writeFileSync(join(old, "guides/9-steer.md"), "# Steer well\n");
  expect((await callCli(["init", "--from", old, target])).stdout).toContain("Kept start/fold.mdx");
  expect(readFileSync(join(target, "start/fold.mdx"), "utf8")).toBe("mine");
  expect(readFileSync(join(target, "guides/steer.mdx"), "utf8")).toContain("Steer well");
  expect(existsSync(join(target, "start/swim.mdx"))).toBe(false);
});

test("a record with paths outside of the folder deletes nothing there", async () => {
  const folder = temporaryFolder();
  const target = join(folder, "new");
  writeFileSync(join(folder, "precious.txt"), "");
  mkdirSync(join(target, ".offprint"), { recursive: true });
  writeFileSync(join(target, ".offprint/import.json"), JSON.stringify({ "../precious.txt": "e3b0c44298fc1c14" }));
  await callCli(["init", "--from", "fixtures/import/markdown", target]);
  expect(existsSync(join(folder, "precious.txt"))).toBe(true);
});

test("--strict fails for anything that needs a person", async () => {
  const target = (name: string): string => join(temporaryFolder(), name);
  expect((await callCli(["init", "--from", "fixtures/import/hugo", target("a")])).code).toBe(0);
  expect((await callCli(["init", "--from", "fixtures/import/hugo", target("b"), "--strict"])).code).toBe(1);
});

const refusedTools = [
  ["docs/conf.py", /docs\/conf\.py belongs to Sphinx.*sphinx-build -b markdown/],
  ["source/index.html.md", /source\/index\.html\.md belongs to Slate.*source\/includes/],
  ["gatsby-config.js", /gatsby-config\.js belongs to Gatsby.*folder of the Markdown files alone/],
] as const;
for (const [file, message] of refusedTools)
  test(`a folder with ${file} is refused with advice`, async () => {
    const folder = temporaryFolder();
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
    writeFileSync(join(folder, "README.md"), "# Read me");
    const { code, stderr } = await callCli(["init", "--from", folder, join(folder, "new")]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
