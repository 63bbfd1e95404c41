import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { codes } from "../../src/cli/codes.js";
import { commands } from "../../src/cli/commands.js";
import { offprint } from "./offprint.js";

const script = async (shell: string): Promise<string> => (await offprint("completion", shell)).stdout;

describe("completion in bash", async () => {
  const text = await script("bash");
  /** What bash offers for the last word of each line. */
  const offered = (lines: readonly string[]): string[][] => {
    const calls = lines.map(
      (line) =>
        `COMP_WORDS=(${line.replace(/ $/, ' ""')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _offprint; echo "\${COMPREPLY[*]}"`,
    );
    const out = execFileSync("bash", ["--norc", "-c", `${text}\n${calls.join("\n")}`], { encoding: "utf8" });
    return out
      .split("\n")
      .slice(0, lines.length)
      .map((line) => line.split(" ").filter(Boolean));
  };
  const cases: readonly (readonly [line: string, words: readonly string[]])[] = [
    ["offprint exp", ["export", "explain"]],
    ["offprint ", [...new Set(Object.keys(commands).map((name) => name.split(" ")[0]!)), "help"]],
    ["offprint site ", ["add", "list", "remove", "set-counting", "secret", "rotate-secret"]],
    ["offprint key r", ["rotate", "revoke"]],
    ["offprint check docs --max", ["--max-warnings"]],
    ["offprint check --", [...Object.keys(commands["check"]!.options).map((name) => `--${name}`), "--help"]],
    ["offprint key list --j", ["--json"]],
    ["offprint export docs --archive ", []],
    ["offprint explain LINK_TO", ["LINK_TO_FOLDER"]],
    ["offprint completion f", ["fish"]],
    ["offprint help pre", ["preview"]],
    ["offprint --v", ["--version"]],
    ["offprint export ", []],
  ];
  const answers = offered(cases.map(([line]) => line));
  for (const [index, [line, words]] of cases.entries())
    test(`"${line}"`, () => expect(answers[index]!.toSorted()).toEqual([...words].toSorted()));
});

test("the other shells know every command and option", async () => {
  const [zsh, fish] = [await script("zsh"), await script("fish")];
  expect(zsh).toContain("bashcompinit");
  for (const [name, { options }] of Object.entries(commands))
    for (const option of Object.keys(options)) {
      expect(fish).toMatch(new RegExp(`__offprint_is "${name}"' -l ${option} `));
      expect(zsh).toContain(`--${option}`);
    }
  expect(fish).toContain(`-a ${codes[0]!.code}`);
  // A quote would end the text of a description.
  for (const line of fish.split("\n").filter((each) => each.startsWith("complete")))
    expect(line.match(/'/g)!.length % 2, line).toBe(0);
});

test("another shell is refused", async () => {
  expect(await offprint("completion", "cmd")).toMatchObject({
    code: 2,
    stderr: 'offprint: The shell must be one of bash, zsh, fish, not "cmd".\n',
  });
});

const hasZsh = spawnSync("zsh", ["--version"]).status === 0;
test.skipIf(!hasZsh)("zsh, which runs it as bashcompinit does, understands the script", async () => {
  const text = (await script("zsh")).replace(/^autoload .*$/m, "complete() { :; }; compgen() { print -r -- $2; }");
  const call =
    'emulate sh; setopt kshArrays; COMP_WORDS=(offprint check docs --max); COMP_CWORD=3; _offprint; echo "$COMPREPLY"';
  expect(execFileSync("zsh", ["-f", "-c", `${text}\n${call}`], { encoding: "utf8" })).toContain("--max-warnings");
});
