import { WriteStream } from "node:tty";
import { expect, test } from "vitest";
import { painter } from "../../src/cli/painter.js";

const streamOf = (isTTY: boolean): NodeJS.WriteStream =>
  ({ isTTY, getColorDepth: WriteStream.prototype.getColorDepth }) as unknown as NodeJS.WriteStream;
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
    expect(painter(streamOf(isTTY), env)("error", "red")).toBe(isColored ? "\u001B[31merror\u001B[39m" : "error"));
