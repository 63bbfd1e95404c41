export type ParserLimit = "memory" | "time" | "nodes";

/** Parsing the text takes more than any page may take. */
export class ParserLimitError extends Error {
  constructor(readonly limit: ParserLimit) {
    super(`The parser reached its limit: ${limit}.`);
  }
}

export interface ParserLimits {
  /** Of the process. */
  readonly maxBytes: number;
  /** Processor time, so that a busy machine gives the same result as an idle one. */
  readonly maxMs: number;
  /** Of the tree. */
  readonly maxNodes: number;
}
export const parserLimits: ParserLimits = {
  maxBytes: 384 * 1024 * 1024,
  maxMs: 8000,
  /** A page can show fewer, see `createBudget`. */
  maxNodes: 400_000,
};

/** The result of a process that parses one text. */
export type ParseOutcome = (
  | { readonly tree: Uint8Array }
  /** A syntax error. */
  | { readonly fault: string }
  | { readonly limit: Exclude<ParserLimit, "nodes"> }
) &
  Spent;

export interface Spent {
  /** Processor time of the process, in milliseconds; absent if it crashed. */
  readonly spentMs?: number;
}

/** The process writes this to stderr when it ends. */
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
  // The programs that create namespaces report signals as codes. A crash counts, since it would end this process too.
  const isKilled = signal !== null || (status !== null && status > 128);
  return limit !== undefined || isKilled ? { limit: limit === "time" ? "time" : "memory", ...spent } : undefined;
}

/** `mdx`, or plain Markdown. */
export type MarkdownKind = "mdx" | "markdown";

const features = { gfm: true, math: false, frontmatter: false } as const;

/** The tree of a text in Sätteri's binary form. @throws {Error} for a syntax error. */
export function serializedTree(satteri: typeof import("satteri"), kind: MarkdownKind, source: string): Uint8Array {
  const create = kind === "mdx" ? satteri.createMdxMdastHandle : satteri.createMdastHandle;
  const handle = create(source, features);
  try {
    return satteri.serializeHandle(handle);
  } finally {
    satteri.dropHandle(handle);
  }
}
