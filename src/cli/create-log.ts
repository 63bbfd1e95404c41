import { styleText } from "node:util";
import type { Log } from "../lib/log.js";

/** Writes to `out`: readable lines on a terminal, JSON lines elsewhere. */
export function createLog(out: NodeJS.WriteStream, now: () => number): Log {
  return (level, message, facts = {}) => {
    const known = Object.entries(facts).filter(([, value]) => value !== undefined);
    const time = new Date(now()).toISOString();
    out.write(out.isTTY ? readableLine(time, level, message, known) : jsonLine(time, level, message, known));
  };
}

type Facts = readonly (readonly [string, string | number | undefined])[];

const jsonLine = (time: string, level: string, message: string, facts: Facts): string =>
  `${JSON.stringify({ time, level, message, ...Object.fromEntries(facts) })}\n`;

function readableLine(time: string, level: string, message: string, facts: Facts): string {
  const word = level === "info" ? "" : `${styleText(level === "error" ? "red" : "yellow", level)} `;
  const listed = facts.map(([name, value]) => `${name}=${printable(String(value))}`).join(" ");
  return `${styleText("dim", time.slice(11, 19))} ${word}${printable(message)} ${styleText("dim", listed)}\n`;
}

/** Without control characters, so that text from a client cannot control the terminal. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, " ");
