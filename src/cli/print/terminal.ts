import { join, relative } from "node:path";
import { styleText } from "node:util";
import type { Log } from "../../lib/log.js";

export type Colorize = (text: string, color: "red" | "yellow" | "green" | "cyan") => string;

/** Colors texts for a terminal, or for any stream with FORCE_COLOR; respects NO_COLOR and TERM=dumb. */
export function colorizer(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Colorize {
  const isForced = !["", "0", "false"].includes(env["FORCE_COLOR"] ?? "");
  const isColored = isForced || (stream.isTTY && !env["NO_COLOR"] && stream.getColorDepth(env) > 2);
  return (text, color) => (isColored ? styleText(color, text, { validateStream: false }) : text);
}

/** Aligns the columns of `rows`; the first row is the heading. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lineOf = (row: readonly string[]): string => row.map((cell, i) => cell.padEnd(widths[i]!)).join("  ");
  return rows.map((row) => `${lineOf(row).trimEnd()}\n`).join("");
}

/** One object a line. */
export const jsonLines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** `1,234` for a whole number. Unlike `toLocaleString`, it does not load the data of all languages (17 ms). */
export const digits = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** `1,234 pages`, `1 page`. */
export const count = (n: number, noun: string): string => `${digits(n)} ${noun}${n === 1 ? "" : "s"}`;

/** Text of a site or a client without the characters that control a terminal; line breaks and tabs stay. */
export const printable = (text: string, substitute = "�"): string =>
  text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, substitute);

/** The same on one line. */
export const printableLine = (text: string, substitute = "�"): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, substitute);

/** A file of the site from the working directory, with `/`. */
export const pathFromHere = (site: string, sourcePath: string): string =>
  relative(".", join(site, sourcePath)).replaceAll("\\", "/");

/** Writes lines for a terminal, or JSON lines. Errors are written at once, others once a turn of the event loop. */
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
