import { type Input, wholeNumber } from "./options.js";

export interface ServeArguments {
  readonly source: string;
  readonly port?: number;
  readonly host?: string;
  readonly basePath?: string;
  readonly data?: string;
  readonly checkIntervalMs?: number;
  readonly accessLog: boolean;
}

export const serveOptions = {
  port: { value: "<n>", help: "Port to listen on (default: 8080; 0 picks a free one)" },
  host: { value: "<address>", help: "Address to listen on (default: 127.0.0.1; 0.0.0.0 for all networks)" },
  "base-path": { value: "<path>", help: "Path of the site on its host, such as /docs" },
  data: { value: "<dir>", help: "Folder for downloaded bundles, kept for the next start (default: the user's cache)" },
  "check-interval": { value: "<seconds>", help: "How often to look for a new bundle (default: 10)" },
  "access-log": { help: "Log each response on stdout, without queries" },
} as const;

/** @throws {UsageError} that quotes what was written and says what is allowed. */
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
