import { UsageError } from "../environment.js";
import { type Input, parseDomain, wholeNumber } from "../options.js";
import texts from "../options.json" with { type: "json" };

export interface ServeArguments {
  readonly source: string;
  readonly port?: number;
  readonly host?: string;
  readonly basePath?: string;
  readonly data?: string;
  readonly checkIntervalMs?: number;
  readonly accessLog: boolean;
  /** Domain of the site of the service for which views are counted. */
  readonly countFor?: string;
  /** Data folder of the service. */
  readonly serviceData?: string;
  /** File with the addresses of agents. */
  readonly agentRanges?: string;
}

export const serveOptions = { ...texts.serve, ...texts.agents };

export async function parseServe({ argument, values }: Input<typeof serveOptions>): Promise<ServeArguments> {
  const { count, "service-data": serviceData, "agent-ranges": agentRanges } = values;
  if (count === undefined && (serviceData ?? agentRanges) !== undefined)
    throw new UsageError("--service-data and --agent-ranges belong to --count <domain>.");
  const seconds = wholeNumber("--check-interval", values["check-interval"], 1, 86_400);
  return {
    source: argument,
    port: wholeNumber("--port", values.port, 0, 65_535),
    host: values.host,
    basePath: values["base-path"],
    data: values.data,
    checkIntervalMs: seconds === undefined ? undefined : seconds * 1000,
    accessLog: values["access-log"] ?? false,
    countFor: count === undefined ? undefined : await parseDomain(count),
    serviceData,
    agentRanges,
  };
}
