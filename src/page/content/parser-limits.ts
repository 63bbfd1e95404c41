export type ParserLimit = "memory" | "time" | "nodes";

/** The text takes more to parse than any page may. */
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
  /** A page shows fewer, see `createBudget`. */
  maxNodes: 400_000,
};
