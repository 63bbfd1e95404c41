import type { AnalyticsOptions, AssistantOptions, Deployment, Shard } from "../../index.js";
import { UsageError } from "../environment.js";
import { deploymentOf, groupsOf, type Input, oneOf, plainUrl, wholeNumber } from "../options.js";
import texts from "../options.json" with { type: "json" };

/** What `offprint export` and `offprint check` are asked to do. */
export interface ExportArguments {
  readonly command: "export" | "check";
  readonly site: string;
  readonly output?: string;
  readonly archive?: string;
  readonly deployment?: Deployment;
  readonly baseUrl?: string;
  readonly paths?: readonly string[];
  /** Groups of readers. */
  readonly audience?: readonly string[];
  readonly embedRemote?: boolean;
  readonly print: boolean;
  readonly assistant?: AssistantOptions;
  readonly analytics?: AnalyticsOptions;
  /** Make these pages for the cache, and no bundle. */
  readonly shard?: Shard;
  readonly strict: boolean;
  readonly concurrency?: number;
  /** Folder or `s3://bucket/prefix`. Undefined: the user's cache; false: none. */
  readonly cache?: string | false;
  readonly report?: string;
  readonly display: "live" | "json" | "quiet";
  /** Of the diagnostics. */
  readonly format: "text" | "github" | "sarif";
  /** Print every diagnostic, not just the first of each code. */
  readonly all: boolean;
  /** Print how long each stage took. */
  readonly verbose: boolean;
  /** More warnings than this fail a check. */
  readonly maxWarnings?: number;
}

export const checkOptions = { ...texts.check, ...texts.both };
export const exportOptions = { ...texts.export, ...texts.both };
type AllOptions = typeof checkOptions & typeof exportOptions;

export const parseExport = (input: Input<typeof exportOptions>): ExportArguments => parse("export", input);
export const parseCheck = (input: Input<typeof checkOptions>): ExportArguments => parse("check", input);

function parse(command: "export" | "check", { argument, values }: Input<AllOptions>): ExportArguments {
  if (values.quiet && values.json) throw new UsageError("Choose one of --quiet and --json.");
  const formats = ["text", "json", "github", "sarif"] as const;
  const format = values.format === undefined ? "text" : oneOf("--format", values.format, formats);
  if (values.json && format !== "text" && format !== "json") throw new UsageError("Choose one of --json and --format.");
  if (values["embed-remote"] && values["no-embed-remote"])
    throw new UsageError("Choose one of --embed-remote and --no-embed-remote.");
  if (values.cache !== undefined && values["no-cache"]) throw new UsageError("Choose one of --cache and --no-cache.");
  const shard = parseShard(values);
  return {
    command,
    site: argument,
    output:
      values.output ??
      (shard === undefined && command === "export" && values.archive === undefined ? "offprint-out" : undefined),
    archive: parseArchive(values.archive),
    deployment: deploymentOf(values.deployment),
    baseUrl: plainUrl("--base-url is the site's address, such as https://docs.example.com/guide", values["base-url"]),
    paths: values.paths?.split(",").filter((path) => path.trim() !== ""),
    audience: groupsOf("--audience", values.audience),
    embedRemote: values["embed-remote"] ? true : values["no-embed-remote"] ? false : undefined,
    print: values.print ?? false,
    assistant: parseAssistant(values),
    analytics: parseAnalytics(values),
    ...(shard && { shard }),
    strict: values.strict ?? false,
    concurrency: wholeNumber("--concurrency", values.concurrency, 1, 64),
    cache: values["no-cache"] ? false : values.cache,
    report: values.report,
    display: values.quiet ? "quiet" : values.json || format === "json" ? "json" : "live",
    format: format === "json" ? "text" : format,
    all: values.all ?? false,
    verbose: values.verbose ?? false,
    maxWarnings: wholeNumber("--max-warnings", values["max-warnings"], 0, 1_000_000_000),
  };
}

function parseShard(values: Input<AllOptions>["values"]): Shard | undefined {
  if (values.shard === undefined) return undefined;
  const [, index, count] = (/^(\d{1,5})\/(\d{1,5})$/.exec(values.shard) ?? []).map(Number);
  if (!index || !count || index > count)
    throw new UsageError(`--shard takes a part and the number of parts, such as 2/8, not "${values.shard}".`);
  for (const other of ["output", "archive", "report", "strict"] as const)
    if (values[other] !== undefined)
      throw new UsageError(`A shard makes no bundle: choose one of --shard and --${other}.`);
  if (values["no-cache"])
    throw new UsageError("A shard keeps its pages in the cache: choose one of --shard and --no-cache.");
  return { index, count };
}

function parseAssistant(values: Input<AllOptions>["values"]): AssistantOptions | undefined {
  const {
    "assistant-url": url,
    "assistant-key": key,
    "assistant-site": domain,
    "assistant-question": questions,
  } = values;
  if (url === undefined && key === undefined && domain === undefined && questions === undefined) return undefined;
  if (url === undefined || key === undefined)
    throw new UsageError("An assistant needs both --assistant-url and --assistant-key.");
  if (!key.startsWith("svc_dsc_"))
    throw new UsageError("--assistant-key takes the key of an assistant, which begins with svc_dsc_.");
  const address = plainUrl("--assistant-url is the service's address, such as https://docs-api.example.com", url)!;
  return { url: address, key, domain, ...(questions && { questions }) };
}

function parseAnalytics(values: Input<AllOptions>["values"]): AnalyticsOptions | undefined {
  const { "analytics-url": given, "analytics-site": domain, "analytics-searches": searches } = values;
  const url = plainUrl("--analytics-url is the service's address, such as https://docs-api.example.com", given);
  if (url !== undefined) return { url, domain, searches: searches ?? false };
  if (domain !== undefined || searches) throw new UsageError("Counting views needs --analytics-url.");
  return undefined;
}

function parseArchive(path: string | undefined): string | undefined {
  if (path !== undefined && !/\.(zip|tar\.gz|tgz)$/i.test(path))
    throw new UsageError(`--archive takes a file ending in .zip, .tar.gz or .tgz, not "${path}".`);
  return path;
}
