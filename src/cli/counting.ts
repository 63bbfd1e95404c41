import { readFileSync } from "node:fs";
import type { KindRule } from "../service/analytics/index.js";
import type { Project } from "../service/jobs/index.js";
import type { Store } from "../service/open-store.js";
import type { Environment } from "./environment.js";
import { UsageError } from "./environment.js";
import { trustedProxies } from "./settings/api.js";

/** The site whose views are counted. @throws {UsageError} if the service does not know it. */
export async function countedProject({ accounts }: Store, domain: string): Promise<Project> {
  const project = await accounts.projectByDomain(domain);
  if (project) return project;
  throw new UsageError(
    `The service has no site ${domain}, so its views cannot be counted. See: offprint site list, offprint site add`,
  );
}

/** The client's address behind the proxies that the environment names. @throws {UsageError} if one is no address. */
export async function addressReader({ env }: Environment) {
  const { addressMatcher, clientAddress } = await import("../lib/http/index.js");
  const isTrusted = addressMatcher(trustedProxies(env) ?? []);
  return (connection: string | undefined, forwardedFor: string | undefined): string | undefined =>
    clientAddress(connection, forwardedFor, isTrusted);
}

/** Reads `--agent-ranges`. @throws {UsageError} if the file cannot be read, or has another form. */
export async function kindRule(file: string | undefined): Promise<KindRule | undefined> {
  if (file === undefined) return undefined;
  const { readAgentRanges } = await import("../service/analytics/user-agent-ranges.js");
  const { addressMatcher, isAddressRange } = await import("../lib/http/index.js");
  try {
    return readAgentRanges(readFileSync(file, "utf8"), (ranges) =>
      ranges.every(isAddressRange) ? addressMatcher(ranges) : undefined,
    );
  } catch (error) {
    throw new UsageError(`--agent-ranges ${file}: ${(error as Error).message}.`);
  }
}
