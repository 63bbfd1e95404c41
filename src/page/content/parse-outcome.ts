import type { ParserLimit } from "./parser-limits.js";

/** What a process that parses one text has made. */
export type ParseOutcome = (
  | { readonly tree: Uint8Array }
  /** A fault of syntax. */
  | { readonly fault: string }
  | { readonly limit: Exclude<ParserLimit, "nodes"> }
) &
  Spent;

export interface Spent {
  /** Processor time of the process, in milliseconds; absent if it crashed. */
  readonly spentMs?: number;
}

/** What the process writes on stderr when it ends. */
export const spentLine = (ms: number): string => `spent ${Math.ceil(ms)}\n`;

export function spentIn(stderr: string): Spent {
  const ms = /^spent (\d{1,9})$/m.exec(stderr)?.[1];
  return ms === undefined ? {} : { spentMs: Number(ms) };
}

/** Undefined if the process could not be started. */
export function refusalOf(
  status: number | null,
  signal: NodeJS.Signals | null,
  stderr: string,
  stdout: () => string,
): Exclude<ParseOutcome, { tree: unknown }> | undefined {
  const spent = spentIn(stderr);
  if (status === 2) return { fault: stdout(), ...spent };
  const limit = /^(?:memory|time)$/m.exec(stderr)?.[0];
  // The programs that make namespaces report a signal as a code. A parser that crashes would end this process too.
  const isKilled = signal !== null || (status !== null && status > 128);
  return limit !== undefined || isKilled ? { limit: limit === "time" ? "time" : "memory", ...spent } : undefined;
}
