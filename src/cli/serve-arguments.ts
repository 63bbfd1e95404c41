import { readWords, wholeNumber } from "./read-words.js";
import { UsageError } from "./usage-error.js";

export interface ServeArguments {
  readonly source: string;
  readonly port?: number;
  readonly host?: string;
  readonly basePath?: string;
  readonly data?: string;
  readonly checkIntervalMs?: number;
  readonly accessLog: boolean;
}

const options = {
  port: { type: "string" },
  host: { type: "string" },
  "base-path": { type: "string" },
  data: { type: "string" },
  "check-interval": { type: "string" },
  "access-log": { type: "boolean" },
} as const;

/** @throws {UsageError} that says what was typed and what was wanted. */
export function parseServeArguments(words: readonly string[]): ServeArguments {
  const { values, positionals } = readWords(words, options);
  const [source, ...rest] = positionals;
  if (source === undefined)
    throw new UsageError('"offprint serve" needs what is to be served: offprint serve values.yaml, or offprint-out');
  if (rest.length > 0) throw new UsageError(`"offprint serve" takes one source; "${rest[0]}" is too many.`);
  const seconds = wholeNumber("--check-interval", values["check-interval"], 1, 86_400);
  return {
    source,
    port: wholeNumber("--port", values.port, 0, 65_535),
    host: values.host,
    basePath: values["base-path"],
    data: values.data,
    checkIntervalMs: seconds === undefined ? undefined : seconds * 1000,
    accessLog: values["access-log"] ?? false,
  };
}
