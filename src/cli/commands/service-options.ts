import { resolve } from "node:path";
import type { ExportPriority, SandboxMode } from "../../service/worker/index.js";
import { UsageError } from "../environment.js";
import { type Input, oneOf, parseDomain, plainUrl, wholeNumber } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface ServiceArguments {
  readonly command: "service" | "api" | "worker";
  readonly data?: string;
  readonly port: number;
  readonly host: string;
  /** Where clients reach the API; without slash at the end. */
  readonly publicUrl?: string;
  /** Exports that run at the same time. */
  readonly concurrency?: number;
  readonly graceMs?: number;
  /** Where the console is: below the API, at a port of its own, or nowhere. */
  readonly console: "off" | "same" | { readonly host: string; readonly port: number };
  readonly consoleLogin: "any" | "oidc";
  /** Where a worker answers probes; undefined: nowhere. */
  readonly health?: { readonly port: number; readonly host: string };
  readonly sandbox?: SandboxMode;
  readonly exportPriority?: ExportPriority;
  /** A site to register before the service starts. */
  readonly site?: { readonly domain: string; readonly folder: string };
  /** Exports the site at the start, unless there is an export. */
  readonly exportSite: boolean;
}

export const apiOptions = { ...texts.api, ...texts.data };
export const workerOptions = { ...texts.worker, ...texts.probes, ...texts.data };
export const serviceOptions = { ...texts.service, ...apiOptions, ...texts.worker };

export const parseService =
  (command: ServiceArguments["command"]) =>
  async (
    { values }: Input<typeof serviceOptions & typeof workerOptions>,
    env: NodeJS.ProcessEnv,
  ): Promise<ServiceArguments> => ({
    command,
    data: values.data,
    port: wholeNumber("--port", values.port, 0, 65_535) ?? 7070,
    host: values.host ?? "127.0.0.1",
    publicUrl: plainUrl(
      "--public-url is where clients reach the API, such as https://exports.example.com",
      values["public-url"] ?? (env["OFFPRINT_PUBLIC_URL"]?.trim() || undefined),
    ),
    console: consoleOf(values.console),
    consoleLogin: oneOf("--console-login", values["console-login"] ?? "any", ["any", "oidc"] as const),
    concurrency: wholeNumber("--concurrency", values.concurrency, 1, 64),
    graceMs: toMs(wholeNumber("--grace", values.grace, 0, 24 * 60 * 60)),
    health: healthOf(values),
    sandbox:
      values.sandbox === undefined
        ? undefined
        : oneOf<SandboxMode>("--sandbox", values.sandbox, ["auto", "required", "off"]),
    exportPriority:
      values["export-priority"] === undefined
        ? undefined
        : oneOf<ExportPriority>("--export-priority", values["export-priority"], ["idle", "normal"]),
    site: values.site === undefined ? undefined : await parseSite(values.site),
    exportSite: exportOf(values),
  });

/** @throws {UsageError} if it is neither `off`, `same` nor an address and a port. */
function consoleOf(written = "same"): ServiceArguments["console"] {
  if (written === "off" || written === "same") return written;
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(written) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new UsageError(`--console is same, off, or an address and a port, such as 127.0.0.1:7071, not "${written}".`);
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

const toMs = (seconds: number | undefined): number | undefined => seconds && seconds * 1000;

function healthOf(values: Input<typeof workerOptions>["values"]): ServiceArguments["health"] {
  const port = wholeNumber("--health-port", values["health-port"], 0, 65_535);
  const host = values["health-host"];
  if (port === undefined && host !== undefined) throw new UsageError("--health-host belongs to --health-port.");
  return port === undefined ? undefined : { port, host: host ?? "127.0.0.1" };
}

function exportOf({ export: isWanted = false, site }: Input<typeof serviceOptions>["values"]): boolean {
  if (isWanted && site === undefined) throw new UsageError("--export belongs to --site.");
  return isWanted;
}

async function parseSite(written: string): Promise<ServiceArguments["site"]> {
  const at = written.indexOf("=");
  if (at < 1 || at === written.length - 1)
    throw new UsageError(`--site is a domain and its folder, docs.example.com=./docs, not "${written}".`);
  return { domain: await parseDomain(written.slice(0, at)), folder: resolve(written.slice(at + 1)) };
}
