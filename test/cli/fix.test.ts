import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../src/cli/commands/fix.js";
import { plantFaults } from "../support/plant-faults.js";
import { seeded } from "../support/seeded.js";
import { offprint } from "./offprint.js";

const folder = mkdtempSync(join(tmpdir(), "fix-"));
plantFaults(folder, { seed: 3, count: 45 });

test("fix --dry-run prints a diff that git can apply, and fix writes the same", async () => {
  const patched = `${folder}-patched`;
  cpSync(folder, patched, { recursive: true });
  const dry = await offprint("fix", folder, "--dry-run");
  expect(dry.code).toBe(1);
  expect(dry.stdout).toMatch(/^Would repair 41 faults in \d+ files, in 2 rounds$/m);
  const diff = dry.stdout.slice(0, dry.stdout.search(/^Would repair/m));
  // A diff of text cannot show bytes that are not UTF-8.
  const parts = diff.split(/(?=^--- a\/)/m).filter((part) => !part.includes("�"));
  expect(parts.length).toBeGreaterThan(15);
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: patched, input: parts.join("") });
  const fixed = await offprint("fix", folder);
  expect([fixed.code, fixed.stderr]).toEqual([0, `Checking the site\n${"Checking a repaired copy\n".repeat(2)}`]);
  for (const path of parts.map((part) => /^--- a\/(.*)$/m.exec(part)![1]!))
    expect(readFileSync(join(patched, path), "utf8")).toBe(readFileSync(join(folder, path), "utf8"));
  const again = await offprint("fix", folder);
  expect([again.code, again.stdout.split("\n", 1)[0]]).toEqual([0, "Nothing to repair."]);
});

test("fix --json prints a line for each fault, and the changes", async () => {
  const site = mkdtempSync(join(tmpdir(), "fix-"));
  plantFaults(site, { seed: 4, count: 22 });
  const { code, stdout } = await offprint("fix", site, "--json", "--dry-run", "--code", "link-case-differs");
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(1);
  expect(lines.filter(({ type }) => type === "mended").map((each) => [each.code, each.edits.length])).toEqual(
    Array(5).fill(["LINK_CASE_DIFFERS", 1]),
  );
  expect(lines.at(-1)).toMatchObject({ type: "result", rounds: 1, written: [], skipped: [] });
});

test("fix says what mint.json has become in docs.json", async () => {
  const site = mkdtempSync(join(tmpdir(), "fix-"));
  writeFileSync(
    join(site, "mint.json"),
    '{"name":"Acme","colors":{"primary":"#123456"},"navigation":[{"group":"A","pages":["index"]}]}',
  );
  writeFileSync(join(site, "index.mdx"), "---\ntitle: A\n---\n");
  const { code, stdout } = await offprint("fix", site);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`"offprint init --from ${site}" converts the site to docs.json`),
  ]);
});

test("fix refuses a code that does not exist", async () => {
  const { code, stderr } = await offprint("fix", folder, "--code", "LINK_CASE_DIFFER");
  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "LINK_CASE_DIFFERS"?')]);
});

test("a unified diff turns any text into any other", () => {
  const random = seeded(7);
  const cwd = mkdtempSync(join(tmpdir(), "diff-"));
  const text = (): string => {
    const lines = Array.from(
      { length: Math.floor(random() * 30) },
      () => ["a", "b", "", "c d", "e"][Math.floor(random() * 5)],
    );
    return lines.join("\n") + (lines.length > 0 && random() < 0.7 ? "\n" : "");
  };
  let all = "";
  const expected = new Map<string, string>();
  const longText = (): string => Array.from({ length: 1500 }, () => `${random()}\n`).join("");
  for (let n = 0; n < 61; n++) {
    const [before, after] = n === 60 ? [longText(), longText()] : [text(), text()];
    if (before === "" || after === "" || before === after) continue;
    writeFileSync(join(cwd, `${n}.txt`), before);
    expected.set(`${n}.txt`, after);
    all += unifiedDiff(`${n}.txt`, before, after);
  }
  execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd, input: all });
  for (const [path, after] of expected) expect([path, readFileSync(join(cwd, path), "utf8")]).toEqual([path, after]);
});
