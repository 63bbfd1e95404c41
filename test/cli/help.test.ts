import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.js";
import { offprint } from "./offprint.js";

describe("the help", () => {
  for (const words of [[], ["help"], ["--help"], ["-h"]])
    test(`offprint ${words.join(" ")} lists every command with a line each`, async () => {
      const { code, stdout } = await offprint(...words);
      expect(code).toBe(0);
      for (const [name, { summary }] of Object.entries(commands))
        expect(stdout).toMatch(new RegExp(`^  ${name}( [<[]\\w+[>\\]])* +${summary}$`, "m"));
    });

  for (const [name, { options }] of Object.entries(commands))
    test(`offprint ${name} --help lists the options of that command alone`, async () => {
      const { code, stdout } = await offprint(...name.split(" "), "--help");
      expect([code, stdout.split("\n")[0]]).toEqual([0, expect.stringContaining(`Usage: offprint ${name} `)]);
      const listed = [...stdout.matchAll(/^ +(?:-\w, )?--([\w-]+)/gm)].map(([, option]) => option);
      expect(listed).toEqual([...Object.keys(options), "help"]);
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
    });

  test("offprint help export is the same as offprint export --help", async () => {
    expect(await offprint("help", "export")).toEqual(await offprint("export", "--help"));
  });
  test("offprint site --help lists the commands for sites", async () => {
    const { stdout } = await offprint("site", "--help");
    expect(stdout.match(/^ {2}site [\w-]+/gm)).toEqual([
      "  site add",
      "  site list",
      "  site remove",
      "  site set-counting",
      "  site secret",
      "  site rotate-secret",
    ]);
  });
  test("the version is one line", async () => {
    expect(await offprint("--version")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^offprint \d+\.\d+\.\d+\S*\n$/),
    });
  });
});

describe("a wrong command line ends with exit code 2 and names the right one", () => {
  const wrong: readonly (readonly [line: string, message: RegExp])[] = [
    ["exprot docs", /^offprint: There is no command "exprot"\. Did you mean "export"\?\n$/],
    ["exprot --help", /Did you mean "export"/],
    ["key creat", /There is no "offprint key creat"\. Did you mean "create"/],
    ["export docs --out site", /There is no option --out\. Did you mean "--output"/],
    ["check docs --xyzzy", /There is no option --xyzzy\. See: offprint check --help/],
    ["export docs --archiv a.zip", /There is no option --archiv\. Did you mean "--archive"/],
    ["check docs --archive a.zip", /"offprint check" has no option --archive: --archive belongs to "offprint export"/],
    ["worker --site a=b", /--site belongs to "offprint service"/],
    ["--quiet", /"--quiet" contains no command\. See: offprint --help/],
  ];
  for (const [line, message] of wrong)
    test(`offprint ${line}`, async () => {
      expect(await offprint(...line.split(" "))).toEqual({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(message),
      });
    });
});
