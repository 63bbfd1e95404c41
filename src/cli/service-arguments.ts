import { resolve } from "node:path";
import type { SandboxMode } from "../service/worker/index.js";
import { type Input, oneOf, plainUrl, wholeNumber } from "./options.js";
import texts from "./options.json" with { type: "json" };
import { parseDomain } from "./parse-domain.js";
import { UsageError } from "./usage-error.js";

export interface ServiceArguments {
  readonly command: "service" | "api" | "worker";
  readonly data?: string;
  readonly port: number;
  readonly host: string;
  /** Where clients reach the API; without slash at the end. */
  readonly publicUrl?: string;
  /** Exports that run at the same time. */
  readonly concurrency?: number;
  readonly sandbox?: SandboxMode;
  /** A site to register before the service starts. */
  readonly site?: { readonly domain: string; readonly folder: string };
}

export const apiOptions = { ...texts.api, ...texts.data };
export const workerOptions = { ...texts.worker, ...texts.data };
export const serviceOptions = { ...texts.service, ...apiOptions, ...workerOptions };

export const parseService =
  (command: ServiceArguments["command"]) =>
  async ({ values }: Input<typeof serviceOptions>, env: NodeJS.ProcessEnv): Promise<ServiceArguments> => ({
    command,
    data: values.data,
    port: wholeNumber("--port", values.port, 0, 65_535) ?? 7070,
    host: values.host ?? "127.0.0.1",
    publicUrl: plainUrl(
      "--public-url is where clients reach the API, such as https://exports.example.com",
      values["public-url"] ?? (env["OFFPRINT_PUBLIC_URL"]?.trim() || undefined),
    ),
    concurrency: wholeNumber("--concurrency", values.concurrency, 1, 64),
    sandbox:
      values.sandbox === undefined
        ? undefined
        : oneOf<SandboxMode>("--sandbox", values.sandbox, ["auto", "required", "off"]),
    site: values.site === undefined ? undefined : await parseSite(values.site),
  });

async function parseSite(written: string): Promise<ServiceArguments["site"]> {
  const at = written.indexOf("=");
  if (at < 1 || at === written.length - 1)
    throw new UsageError(`--site is a domain and its folder, docs.example.com=./docs, not "${written}".`);
  return { domain: await parseDomain(written.slice(0, at)), folder: resolve(written.slice(at + 1)) };
}
