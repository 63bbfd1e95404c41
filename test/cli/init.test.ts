import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exportSite } from "../../src/index.js";
import { callCli, contentOf, temporaryFolder } from "../support/cli.js";

test("offprint init makes a site that exports without a diagnostic", async () => {
  const folder = join(temporaryFolder(), "acme-tools", "docs");
  const { code, stdout, stderr } = await callCli(["init", folder]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^Created the site "Acme tools" in .*docs\n/);
  for (const command of ["preview", "check", "export"]) expect(stdout).toContain(`offprint ${command} `);
  const result = await exportSite({ source: folder, output: "memory" });
  expect(result.diagnostics).toEqual([]);
  expect(result).toMatchObject({ ok: true, siteName: "Acme tools", pageCount: 9 });
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
