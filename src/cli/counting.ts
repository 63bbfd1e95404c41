import { readFileSync } from "node:fs";
import { addressMatcher, clientAddress, isAddressRange } from "../lib/http/index.js";
import type { KindRule } from "../service/analytics/index.js";
import type { Project } from "../service/jobs/index.js";
import type { Store } from "../service/open-store.js";
import { type Environment, UsageError } from "./environment.js";
import { trustedProxies } from "./settings/api.js";

/** The site whose views are counted. @throws {UsageError} if the service does not know it. */
export async function countedProject({ accounts }: Store, domain: string): Promise<Project> {
  const project = await accounts.projectByDomain(domain);
  if (project) return project;
  throw new UsageError(
    `The service has no site ${domain}, so it cannot count its page views. See: offprint site list, offprint site add`,
  );
}

/** Finds the client's address behind trusted proxies. @throws {UsageError} if the environment names an invalid one. */
export function addressReader({ env }: Environment) {
  const isTrusted = addressMatcher(trustedProxies(env) ?? []);
  return (connection: string | undefined, forwardedFor: string | undefined): string | undefined =>
    clientAddress(connection, forwardedFor, isTrusted);
}

/** Reads the file of `--agent-ranges`. @throws {UsageError} if the file cannot be read or is invalid. */
export async function kindRule(file: string | undefined): Promise<KindRule | undefined> {
  if (file === undefined) return undefined;
  const { readAgentRanges } = await import("../service/analytics/user-agent-ranges.js");
  try {
    return readAgentRanges(readFileSync(file, "utf8"), (ranges) =>
      ranges.every(isAddressRange) ? addressMatcher(ranges) : undefined,
    );
  } catch (error) {
    throw new UsageError(`--agent-ranges ${file}: ${(error as Error).message}.`);
  }
}
