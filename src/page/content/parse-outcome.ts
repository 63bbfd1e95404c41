import type { ParserLimit } from "./parser-limits.js";

/** What a process that parses one text has made. */
export type ParseOutcome =
  | { readonly tree: Uint8Array }
  /** A fault of syntax. */
  | { readonly fault: string }
  | { readonly limit: Exclude<ParserLimit, "nodes"> };

/** Undefined if the process could not be started. */
export function refusalOf(
  status: number | null,
  signal: NodeJS.Signals | null,
  stderr: string,
  stdout: () => string,
): Exclude<ParseOutcome, { tree: unknown }> | undefined {
  if (status === 2) return { fault: stdout() };
  const limit = /^(?:memory|time)$/m.exec(stderr)?.[0];
  // The programs that make namespaces report a signal as a code. A parser that crashes would end this process too.
  const isKilled = signal !== null || (status !== null && status > 128);
  return limit !== undefined || isKilled ? { limit: limit === "time" ? "time" : "memory" } : undefined;
}
