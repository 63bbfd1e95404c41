import { WriteStream } from "node:tty";
import { expect, test } from "vitest";
import { createProgressDisplay } from "../../../src/cli/print/progress.js";
import { colorizer } from "../../../src/cli/print/terminal.js";

const streamOf = (isTTY: boolean): NodeJS.WriteStream =>
  ({ isTTY, getColorDepth: WriteStream.prototype.getColorDepth }) as unknown as typeof process.stderr;
const terminal = { TERM: "xterm-256color" };

const cases = [
  ["a terminal", true, terminal, true],
  ["a pipe", false, terminal, false],
  ["a terminal with NO_COLOR", true, { ...terminal, NO_COLOR: "1" }, false],
  ["a dumb terminal", true, { TERM: "dumb" }, false],
  ["a pipe with FORCE_COLOR", false, { ...terminal, FORCE_COLOR: "1" }, true],
  ["a pipe with FORCE_COLOR=0", false, { ...terminal, FORCE_COLOR: "0" }, false],
] as const;
for (const [what, isTTY, env, isColored] of cases)
  test(`${what} gets ${isColored ? "colours" : "plain text"}`, () =>
    expect(colorizer(streamOf(isTTY), env)("error", "red")).toBe(isColored ? "\u001B[31merror\u001B[39m" : "error"));

for (const [what, isTTY, env, hasBar] of [
  ["a terminal", true, terminal, true],
  ["a pipe", false, terminal, false],
  ["a dumb terminal", true, { TERM: "dumb" }, false],
] as const)
  test(`progress is ${hasBar ? "a bar" : "plain lines"} in ${what}`, () => {
    let text = "";
    const stderr = { isTTY, columns: 80, write: (part: string) => (text += part) } as unknown as typeof process.stderr;
    createProgressDisplay("live", { stderr, env }).show({
      phase: "read",
      done: 0,
      total: 1,
      progress: 0,
      pageCount: 0,
    });
    expect(text).toContain("Reading the site");
    expect(text.includes("\u001B")).toBe(hasBar);
  });
