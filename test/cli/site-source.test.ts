/** Folders without docs.json, which `export`, `check` and `preview` take, too. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSiteSource } from "../../src/cli/site-source.js";
import { callCli, contentOf, temporaryFolder } from "../support/cli.js";

const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("offprint-site-"));

test("a folder of Markdown is exported as a site, and the output says how to keep it", async () => {
  const folder = join(temporaryFolder(), "notes");
  cpSync("fixtures/import/markdown", folder, { recursive: true });
  writeFileSync(join(folder, "guides/8-lost.md"), "# Lost\n\nFirst.\n\n\n\nSee [this](gone.md).\n");
  const before = contentOf(folder);
  const earlier = leftovers();
  const out = join(temporaryFolder(), "out");
  const { code, stdout, stderr } = await callCli(["export", folder, "--output", out]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Exported 7 pages of "Paper boat"/)]);
  expect(stderr).toContain("has no docs.json: the site is made from its 7 pages (Markdown).");
  expect(stderr).toContain(`To keep it, run: offprint init --from ${folder}`);
  // The place is that in the writer's file.
  expect(stderr).toMatch(/LINK_NOT_FOUND \S*notes\/guides\/8-lost\.md:7\n/);
  const start = readFileSync(join(out, "index.html"), "utf8");
  expect(start).toMatch(/<h1[^>]*>Paper Boat<\/h1>/);
  const order = [...start.matchAll(/href="(?:start|guides)\/?([\w/]*)(?:\.html)?"/g)].map(([href]) => href);
  expect([...new Set(order)].map((each) => each.replace(/^href="|"$/g, ""))).toEqual([
    "start/fold.html",
    "start/swim.html",
    "guides.html",
    "guides/lost.html",
    "guides/steer.html",
    "guides/repair.html",
  ]);
  expect(contentOf(folder)).toEqual(before);
  expect(leftovers()).toEqual(earlier);
});

test("a folder below with docs.json is named instead", async () => {
  const { code, stderr } = await callCli(["check", "fixtures/mistakes/config-in-folder-below"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("export the folder docs inside it")]);
});

test("a change is converted again", async () => {
  const folder = join(temporaryFolder(), "notes");
  cpSync("fixtures/import/markdown", folder, { recursive: true });
  const source = await openSiteSource(folder);
  writeFileSync(join(folder, "guides/9-steer.md"), "# Steer well\n");
  rmSync(join(folder, "guides/10-repair.md"));
  writeFileSync(join(folder, "guides/11-paint.md"), "# Paint\n");
  await source.refresh();
  expect(readFileSync(join(source.folder, "guides/steer.mdx"), "utf8")).toContain("Steer well");
  expect(readFileSync(join(source.folder, "docs.json"), "utf8")).toContain("guides/paint");
  expect(existsSync(join(source.folder, "guides/repair.mdx"))).toBe(false);
  source.close();
  expect(existsSync(source.folder)).toBe(false);
});

test("a site of another tool that also has docs.json is shown with --from, and the output says what it lacks", async () => {
  const folder = join(temporaryFolder(), "old");
  cpSync("fixtures/import/mkdocs", folder, { recursive: true });
  writeFileSync(join(folder, "docs.json"), "{}");
  const source = await openSiteSource(folder, true);
  expect(source.hint).toMatch(
    /old is converted on the fly: .* \(MkDocs\)\. 1 item of the old site is missing from it\./,
  );
  expect(readFileSync(join(source.folder, "docs.json"), "utf8")).toContain("guide/install");
  source.close();
});
