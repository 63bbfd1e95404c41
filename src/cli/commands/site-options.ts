import { resolve } from "node:path";
import type { Deployment } from "../../index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { Counting, SiteSource } from "../../service/jobs/index.js";
import { UsageError } from "../environment.js";
import {
  type Account,
  accountOf,
  accountOptions,
  deploymentOf,
  type Input,
  type listOptions,
  oneOf,
  overlapOf,
  parseDomain,
  type rotateOptions,
} from "../options.js";
import texts from "../options.json" with { type: "json" };

export type SiteArguments = Account &
  (
    | {
        readonly action: "add";
        readonly domain: string;
        readonly source: SiteSource;
        readonly deployment: Deployment;
      }
    | { readonly action: "remove" | "secret"; readonly domain: string }
    | { readonly action: "set-counting"; readonly domain: string; readonly counting: Partial<Counting> }
    | { readonly action: "rotate-secret"; readonly domain: string; readonly overlapMs: number }
    | { readonly action: "list"; readonly json: boolean }
  );

export const addSiteOptions = { ...texts.addSite, ...accountOptions };

export async function parseAddSite({ argument, values }: Input<typeof addSiteOptions>): Promise<SiteArguments> {
  return {
    ...accountOf(values),
    action: "add",
    domain: await parseDomain(argument),
    source: await parseSource(values),
    deployment: deploymentOf(values.deployment) ?? "cloud",
  };
}

export const parseListSites = ({ values }: Input<typeof listOptions>): SiteArguments => ({
  ...accountOf(values),
  action: "list",
  json: values.json ?? false,
});

export const parseOneSite =
  (action: "remove" | "secret") =>
  async ({ argument, values }: Input<typeof accountOptions>): Promise<SiteArguments> => ({
    ...accountOf(values),
    action,
    domain: await parseDomain(argument),
  });

export const parseRotateSecret = async ({ argument, values }: Input<typeof rotateOptions>): Promise<SiteArguments> => ({
  ...accountOf(values),
  action: "rotate-secret",
  domain: await parseDomain(argument),
  overlapMs: overlapOf(values.overlap),
});

export const countingOptions = { ...texts.setCounting, ...accountOptions };

export async function parseSetCounting({ argument, values }: Input<typeof countingOptions>): Promise<SiteArguments> {
  const { "humans-from": humans, "agents-from": agents } = values;
  if (humans === undefined && agents === undefined)
    throw new UsageError('"offprint site set-counting" needs --humans-from, --agents-from or both.');
  return {
    ...accountOf(values),
    action: "set-counting",
    domain: await parseDomain(argument),
    counting: withoutUndefined({
      humansFrom: humans === undefined ? undefined : oneOf("--humans-from", humans, ["server", "beacon", "logs"]),
      agentsFrom: agents === undefined ? undefined : oneOf("--agents-from", agents, ["server", "logs"]),
    }) as Partial<Counting>,
  };
}

async function parseSource({ folder, git, ref, subfolder }: Input<typeof addSiteOptions>["values"]) {
  if ((folder === undefined) === (git === undefined))
    throw new UsageError('"offprint site add" needs the source of the site: --folder ./docs, or --git <url>.');
  for (const [name, value] of Object.entries({ ref, subfolder }))
    if (git === undefined && value !== undefined) throw new UsageError(`--${name} belongs to --git.`);
  const source: SiteSource =
    git === undefined
      ? { kind: "folder", path: resolve(folder!) }
      : { kind: "git", url: git, ref, subfolder: subfolder?.replace(/^(\.?\/)+|\/+$/g, "") || undefined };
  const { checkSource, SourceFault } = await import("../../service/git/checkout/index.js");
  try {
    checkSource(source, "operator");
    return source;
  } catch (error) {
    if (error instanceof SourceFault) throw new UsageError(error.message);
    throw error;
  }
}
