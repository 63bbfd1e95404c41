import { resolve } from "node:path";
import { readWords, wholeNumber } from "./read-words.js";
import { parseDomain } from "./site-arguments.js";
import { UsageError } from "./usage-error.js";

export type ServiceCommand = "service" | "api" | "worker";

export interface ServiceArguments {
  readonly data?: string;
  readonly port: number;
  readonly host: string;
  /** Where clients reach the API; without slash at the end. */
  readonly publicUrl?: string;
  /** Exports at once. */
  readonly concurrency?: number;
  /** A site to register before the service starts. */
  readonly site?: { readonly domain: string; readonly folder: string };
}

const data = { data: { type: "string" } } as const;
const ofApi = { port: { type: "string" }, host: { type: "string" }, "public-url": { type: "string" } } as const;
const ofWorker = { concurrency: { type: "string" } } as const;
const options = {
  service: { ...data, ...ofApi, ...ofWorker, site: { type: "string" } },
  api: { ...data, ...ofApi },
  worker: { ...data, ...ofWorker },
} as const;

export const defaultPort = 7070;

/**
 * @param command whose options they are.
 * @throws {UsageError} that says what was typed and what was wanted.
 */
export function parseServiceArguments(
  command: ServiceCommand,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): ServiceArguments {
  const { values, positionals } = readWords(words, options[command] as (typeof options)["service"]);
  if (positionals.length > 0) throw new UsageError(`"offprint ${command}" cannot use "${positionals[0]}".`);
  return {
    data: values.data,
    port: wholeNumber("--port", values.port, 0, 65_535) ?? defaultPort,
    host: values.host ?? "127.0.0.1",
    publicUrl: parsePublicUrl(values["public-url"] ?? (env["OFFPRINT_PUBLIC_URL"]?.trim() || undefined)),
    concurrency: wholeNumber("--concurrency", values.concurrency, 1, 64),
    site: parseSite(values.site),
  };
}

function parsePublicUrl(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new UsageError(
      `--public-url is where clients reach the API, such as https://exports.example.com, not "${written}".`,
    );
  return written.replace(/\/+$/, "");
}

function parseSite(written: string | undefined): ServiceArguments["site"] {
  if (written === undefined) return undefined;
  const at = written.indexOf("=");
  if (at < 1 || at === written.length - 1)
    throw new UsageError(`--site is a domain and its folder, docs.example.com=./docs, not "${written}".`);
  return { domain: parseDomain(written.slice(0, at)), folder: resolve(written.slice(at + 1)) };
}
