import { resolve } from "node:path";
import type { Deployment } from "../export/index.js";
import { checkSource, SourceFault } from "../service/checkout/index.js";
import type { SiteSource } from "../service/jobs/index.js";
import { domainFault } from "../service/jobs/index.js";
import { deployments } from "./arguments.js";
import { meant, oneOf, readWords } from "./read-words.js";
import { UsageError } from "./usage-error.js";

interface Common {
  readonly data?: string;
  readonly organization: string;
}
export type SiteArguments = Common &
  (
    | {
        readonly action: "add";
        readonly domain: string;
        readonly source: SiteSource;
        readonly deployment: Deployment;
      }
    | { readonly action: "remove" | "secret"; readonly domain: string }
    | { readonly action: "list"; readonly json: boolean }
  );

export const defaultOrganization = "default";

const options = {
  data: { type: "string" },
  organization: { type: "string" },
  folder: { type: "string" },
  git: { type: "string" },
  ref: { type: "string" },
  subfolder: { type: "string" },
  deployment: { type: "string" },
  json: { type: "boolean" },
} as const;
const addOnly = ["folder", "git", "ref", "subfolder", "deployment"] as const;
const actions = ["add", "list", "remove", "secret"];

/** @throws {UsageError} that says what was typed and what was wanted. */
export function parseSiteArguments(words: readonly string[]): SiteArguments {
  const { values, positionals } = readWords(words, options);
  const [action, domain, ...rest] = positionals;
  if (action === undefined) throw new UsageError('"offprint site" needs one of add, list, remove, secret.');
  if (!actions.includes(action))
    throw new UsageError(`There is no "offprint site ${action}".${meant(action, actions)}`);
  const common = { data: values.data, organization: values.organization ?? defaultOrganization };
  if (action !== "add")
    for (const name of addOnly)
      if (values[name] !== undefined) throw new UsageError(`--${name} belongs to "offprint site add".`);
  if (action === "list") {
    if (domain !== undefined) throw new UsageError(`"offprint site list" takes no domain; "${domain}" is too many.`);
    return { ...common, action, json: values.json ?? false };
  }
  if (values.json) throw new UsageError('--json belongs to "offprint site list".');
  if (domain === undefined) throw new UsageError(`"offprint site ${action}" needs a domain: docs.example.com`);
  if (rest.length > 0) throw new UsageError(`"offprint site ${action}" takes one domain; "${rest[0]}" is too many.`);
  if (action !== "add") return { ...common, action: action as "remove" | "secret", domain: parseDomain(domain) };
  return {
    ...common,
    action,
    domain: parseDomain(domain),
    source: parseSource(values),
    deployment: values.deployment === undefined ? "cloud" : oneOf("--deployment", values.deployment, deployments),
  };
}

/** @throws {UsageError} if it is no host name. */
export function parseDomain(written: string): string {
  const domain = written.toLowerCase();
  const fault = domainFault("A domain", domain);
  if (fault !== undefined) throw new UsageError(fault);
  return domain;
}

function parseSource(
  values: {
    readonly [name in "folder" | "git" | "ref" | "subfolder"]?: string;
  },
): SiteSource {
  const { folder, git, ref, subfolder } = values;
  if ((folder === undefined) === (git === undefined))
    throw new UsageError('"offprint site add" needs the source of the site: --folder ./docs, or --git <url>.');
  if (git !== undefined) return checked({ kind: "git", url: git, ref, subfolder: withoutSlashes(subfolder) });
  for (const name of ["ref", "subfolder"] as const)
    if (values[name] !== undefined) throw new UsageError(`--${name} belongs to --git.`);
  return checked({ kind: "folder", path: resolve(folder!) });
}

const withoutSlashes = (path: string | undefined): string | undefined =>
  path?.replace(/^(\.?\/)+|\/+$/g, "") || undefined;

function checked(source: SiteSource): SiteSource {
  try {
    checkSource(source);
    return source;
  } catch (error) {
    if (error instanceof SourceFault) throw new UsageError(error.message);
    throw error;
  }
}
