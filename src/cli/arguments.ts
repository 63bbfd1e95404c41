import type { Deployment } from "../export/index.js";
import { meant, oneOf, readWords, wholeNumber } from "./read-words.js";
import { serviceCommands } from "./service-commands.js";
import { UsageError } from "./usage-error.js";

export { UsageError };

export interface ExportArguments {
  readonly command: "export" | "check";
  readonly site: string;
  readonly output?: string;
  readonly archive?: string;
  readonly deployment?: Deployment;
  readonly baseUrl?: string;
  readonly paths?: readonly string[];
  readonly strict: boolean;
  readonly concurrency?: number;
  readonly cache: boolean;
  readonly report?: string;
  readonly display: "live" | "json" | "quiet";
}
export type Arguments = ExportArguments | { readonly command: "help" } | { readonly command: "version" };

const options = {
  output: { type: "string", short: "o" },
  archive: { type: "string", short: "a" },
  deployment: { type: "string" },
  "base-url": { type: "string" },
  paths: { type: "string" },
  strict: { type: "boolean" },
  concurrency: { type: "string" },
  "no-cache": { type: "boolean" },
  report: { type: "string" },
  quiet: { type: "boolean", short: "q" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const exportOnly = ["output", "archive", "base-url", "paths"] as const;
export const deployments: readonly Deployment[] = ["cloud", "client-hosted", "air-gapped"];
const commands = ["export", "check", ...Object.keys(serviceCommands)];

/** @throws {UsageError} that says what was typed and what was wanted. */
export function parseArguments(words: readonly string[]): Arguments {
  const { values, positionals } = readWords(words, options);
  const [command, site, ...rest] = positionals;
  if (values.version) return { command: "version" };
  if (values.help || command === undefined || command === "help") return { command: "help" };
  if (command !== "export" && command !== "check")
    throw new UsageError(`There is no command "${command}".${meant(command, commands)}`);
  if (site === undefined)
    throw new UsageError(`"offprint ${command}" needs the folder of the site: offprint ${command} ./docs`);
  if (rest.length > 0) throw new UsageError(`"offprint ${command}" takes one site; "${rest[0]}" is too many.`);
  if (command === "check")
    for (const name of exportOnly)
      if (values[name] !== undefined)
        throw new UsageError(`"offprint check" writes no bundle, so --${name} means nothing to it.`);
  if (values.quiet && values.json) throw new UsageError("Choose one of --quiet and --json.");
  return {
    command,
    site,
    output: values.output ?? (command === "export" && values.archive === undefined ? "offprint-out" : undefined),
    archive: archive(values.archive),
    deployment: values.deployment === undefined ? undefined : oneOf("--deployment", values.deployment, deployments),
    baseUrl: baseUrl(values["base-url"]),
    paths: values.paths?.split(",").filter((path) => path.trim() !== ""),
    strict: values.strict ?? false,
    concurrency: wholeNumber("--concurrency", values.concurrency, 1, 64),
    cache: !values["no-cache"],
    report: values.report,
    display: values.quiet ? "quiet" : values.json ? "json" : "live",
  };
}

function archive(path: string | undefined): string | undefined {
  if (path !== undefined && !/\.(zip|tar\.gz|tgz)$/i.test(path))
    throw new UsageError(`--archive takes a file ending in .zip, .tar.gz or .tgz, not "${path}".`);
  return path;
}

function baseUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new UsageError(`--base-url is the site's address, such as https://docs.example.com/guide, not "${value}".`);
  return value.replace(/\/+$/, "");
}
