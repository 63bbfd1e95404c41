import type { LogFormat } from "../../service/analytics/index.js";
import { UsageError } from "../environment.js";
import { type Input, oneOf, parseDomain } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface ImportArguments {
  readonly domain: string;
  readonly files: readonly string[];
  readonly format: LogFormat;
  readonly follow: boolean;
  /** Folder of the exported bundle, whose pages are counted; undefined: the newest export of the service. */
  readonly bundle?: string;
  readonly basePath?: string;
  readonly agentRanges?: string;
  readonly data?: string;
  readonly json: boolean;
}

const logFormats: readonly LogFormat[] = ["combined", "cloudfront", "json"];

export const importOptions = { ...texts.import, ...texts.agents, ...texts.list, ...texts.data };

export async function parseImport({ argument, rest, values }: Input<typeof importOptions>): Promise<ImportArguments> {
  const {
    format,
    follow = false,
    bundle,
    "base-path": basePath,
    "agent-ranges": agentRanges,
    data,
    json = false,
  } = values;
  if (format === undefined)
    throw new UsageError(`"offprint analytics import" needs --format, one of ${logFormats.join(", ")}.`);
  if (basePath !== undefined && !/^(?:\/[\w.~-]+)*\/?$/.test(basePath))
    throw new UsageError(`--base-path is like /docs or /a/b, not "${basePath}".`);
  return {
    domain: await parseDomain(argument),
    files: rest,
    format: oneOf("--format", format, logFormats),
    follow,
    bundle,
    basePath: basePath?.replace(/\/+$/, ""),
    agentRanges,
    data,
    json,
  };
}
