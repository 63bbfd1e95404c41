import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newFolder } from "../security/site-folder.js";
import { page, writeSite } from "../support/cli.js";
import { offprint } from "./offprint.js";

const folder = newFolder("cli-hints");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const site = writeSite(join(folder, "site"), {
  "index.mdx": page("Start", "### Far below\n\n![](pixel.svg)"),
  "pixel.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
});

const check = (...words: readonly string[]) => offprint("check", site, "--no-cache", "--max-warnings", "0", ...words);

test("offprint check counts hints, prints them with --all, and never fails because of them", async () => {
  const brief = await check();
  expect(brief.stdout).toMatch(/ {2}2 hints\n {4}1 HEADING_LEVEL_SKIPPED {2}\S.*\n {4}1 IMAGE_WITHOUT_ALT {4,}\S.*\n/);
  expect(brief.stderr).not.toContain("IMAGE_WITHOUT_ALT");
  const all = await check("--all");
  expect(all.stderr).toMatch(/hint IMAGE_WITHOUT_ALT \S+index\.mdx:\d+:1/);
  expect([brief.code, all.code]).toEqual([0, 0]);
});

test("offprint check writes hints as notices and notes, and an export does not mention them", async () => {
  expect((await check("--format", "github")).stdout).toMatch(/^::notice .*title=IMAGE_WITHOUT_ALT/m);
  const { runs } = JSON.parse((await check("--format", "sarif")).stdout);
  const levels = runs[0].results.map(({ ruleId, level }: { ruleId: string; level: string }) => [ruleId, level]);
  expect(levels).toContainEqual(["IMAGE_WITHOUT_ALT", "note"]);
  const { stdout, stderr } = await offprint("export", site, "--no-cache", "-o", join(folder, "out"));
  expect(stdout + stderr).not.toMatch(/\d hints?:/);
});
