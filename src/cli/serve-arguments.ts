import { type Input, wholeNumber } from "./options.js";
import texts from "./options.json" with { type: "json" };

export interface ServeArguments {
  readonly source: string;
  readonly port?: number;
  readonly host?: string;
  readonly basePath?: string;
  readonly data?: string;
  readonly checkIntervalMs?: number;
  readonly accessLog: boolean;
}

export const serveOptions = texts.serve;

export function parseServe({ argument, values }: Input<typeof serveOptions>): ServeArguments {
  const seconds = wholeNumber("--check-interval", values["check-interval"], 1, 86_400);
  return {
    source: argument,
    port: wholeNumber("--port", values.port, 0, 65_535),
    host: values.host,
    basePath: values["base-path"],
    data: values.data,
    checkIntervalMs: seconds === undefined ? undefined : seconds * 1000,
    accessLog: values["access-log"] ?? false,
  };
}
