import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { newFolder } from "../security/site-folder.js";
import { finish, page, startCli, writeSite } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";
import { offprint } from "./offprint.js";

const folder = newFolder("cli-check");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const site = writeSite(join(folder, "site"), {
  "index.mdx": page("Start", "[a](/gone)\n\n[b](/lost)\n\n[c] (/index)\n\n<Note>\n\nText.\n"),
});

test("offprint check prints the worst faults first, counts each kind with its meaning, and says which of them fix repairs", async () => {
  const { stdout, stderr } = await offprint("check", site, "--no-cache");
  const heads = stderr.match(/^(?:error|warning) [A-Z_]+/gm);
  expect(heads).toEqual([
    "error MDX_SYNTAX",
    "warning LINK_NOT_FOUND",
    "warning LINK_NOT_FOUND",
    "warning LINK_AS_TEXT",
  ]);
  expect(stdout.split("\n").slice(1)).toEqual([
    "  1 error",
    expect.stringMatching(/^ {4}1 MDX_SYNTAX {6}\S/),
    "  3 warnings",
    expect.stringMatching(/^ {4}2 LINK_NOT_FOUND {2}\S.*[^)]$/),
    expect.stringMatching(/^ {4}1 LINK_AS_TEXT {4}\S.*\(fix: all\)$/),
    '  "offprint fix" repairs 1 of these',
    "",
  ]);
});

test("offprint check --quiet only says why it fails", async () => {
  const { code, stdout, stderr } = await offprint("check", site, "--no-cache", "--quiet");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^error MDX_SYNTAX/);
  const sound = writeSite(join(folder, "sound"), { "index.mdx": page("Start", "[a](/gone)") });
  expect(await offprint("check", sound, "--no-cache", "--quiet")).toMatchObject({ code: 0, stdout: "", stderr: "" });
});

test("offprint check --watch checks again after a change, and ends well at Ctrl+C", async () => {
  const watched = writeSite(join(folder, "watched"), { "index.mdx": page("Start", "[a](/gone)") });
  const child = startCli(["check", watched, "--watch", "--no-cache"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stderr!.on("data", (text: Buffer) => (printed += text.toString()));
  const run = finish(child);
  const rounds = (): number => printed.split("Waiting for changes. Press Ctrl+C to stop.").length - 1;
  await waitUntil("the first check", () => rounds() === 1);
  expect(printed).toContain("warning LINK_NOT_FOUND");
  const before = printed.length;
  writeFileSync(join(watched, "index.mdx"), page("Start", "[a](/index)"));
  await waitUntil("the second check", () => rounds() === 2);
  expect(printed.slice(before)).toContain("index.mdx changed.");
  expect(printed.slice(before)).not.toContain("LINK_NOT_FOUND");
  const withConfig = printed.length;
  rmSync(join(watched, "docs.json"));
  await waitUntil("the check without docs.json", () => rounds() === 3);
  expect(printed.slice(withConfig)).toContain("has no docs.json: the site is made from its 1 page");
  expect(printed.slice(withConfig)).not.toContain("CONFIG_NOT_FOUND");
  child.kill("SIGINT");
  expect((await run).code).toBe(0);
});

test("offprint check --watch refuses a report, and formats of a single run", async () => {
  for (const words of [
    ["--report", "a.json"],
    ["--format", "sarif"],
  ])
    expect(await offprint("check", site, "--watch", ...words)).toMatchObject({ code: 2 });
});
