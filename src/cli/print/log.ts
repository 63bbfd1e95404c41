import { styleText } from "node:util";
import type { Log } from "../../lib/log.js";
import { printableLine } from "./terminal.js";

/**
 * Writes to `out`: readable lines on a terminal, JSON lines elsewhere. A write to a pipe blocks, so the lines of one turn of
 * the event loop are one write; a line of an error is written at once.
 */
export function createLog(out: NodeJS.WriteStream, now: () => number): Log {
  let lines = "";
  const write = (): void => {
    if (lines !== "") out.write(lines);
    lines = "";
  };
  process.once("exit", write);
  return (level, message, facts = {}) => {
    const time = new Date(now()).toISOString();
    if (lines === "") setImmediate(write);
    // JSON leaves out what is undefined.
    lines += out.isTTY
      ? readableLine(time, level, message, facts)
      : `${JSON.stringify({ time, level, message, ...facts })}\n`;
    if (level === "error") write();
  };
}

function readableLine(time: string, level: string, message: string, facts: NonNullable<Parameters<Log>[2]>): string {
  const word = level === "info" ? "" : `${styleText(level === "error" ? "red" : "yellow", level)} `;
  const definedFacts = Object.entries(facts).filter(([, value]) => value !== undefined);
  const list = definedFacts.map(([name, value]) => `${name}=${value}`).join(" ");
  const [text, details] = [message, list].map((part) => printableLine(part, " ")) as [string, string];
  return `${styleText("dim", time.slice(11, 19))} ${word}${text} ${styleText("dim", details)}\n`;
}
