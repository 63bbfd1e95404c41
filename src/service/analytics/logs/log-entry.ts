import type { Visit } from "../kind.js";

/** One request, as a line of a log describes it. */
export interface LogEntry extends Visit {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `X-Forwarded-For`, if the log has it. */
  readonly forwardedFor?: string;
}

/** Reads the lines of one file in order, since a line may say what the columns of the next ones are. */
export interface LogParser {
  /** `comment`: a line without a request. Undefined: the line cannot be read. */
  parse(line: string): LogEntry | "comment" | undefined;
}

export type LogFormat = "combined" | "cloudfront" | "json";
