import type { Deployment } from "../index.js";
import { deployments } from "../lib/deployments.js";
import { groupsFault, splitGroups } from "../lib/group-names.js";
import { UsageError } from "./environment.js";

/** @throws {UsageError} if `value` is given and is not one of `values`. */
export function oneOf<T extends string>(option: string, value: string, values: readonly T[]): T;
export function oneOf<T extends string>(option: string, value: string | undefined, values: readonly T[]): T | undefined;
export function oneOf<T extends string>(option: string, value: string | undefined, values: readonly T[]) {
  if (value !== undefined && !(values as readonly string[]).includes(value))
    throw new UsageError(`${option} must be one of ${values.join(", ")}, not "${value}".`);
  return value as T | undefined;
}

/** @throws {UsageError} if `value` is given and is not a whole number within the bounds. */
export function wholeNumber(option: string, value: string | undefined, from: number, to: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === "" || !Number.isInteger(number) || number < from || number > to)
    throw new UsageError(`${option} must be a whole number from ${from} to ${to}, not "${value}".`);
  return number;
}

/** @throws {UsageError} if `value` is given and is not the number of a port. */
export const portNumber = (option: string, value: string | undefined): number | undefined =>
  wholeNumber(option, value, 0, 65_535);

/**
 * An http(s) URL without a query, a fragment or credentials; without its slashes at the end.
 *
 * @param expected says what the option is, with an example.
 * @throws {UsageError} if `value` is given and is not such a URL.
 */
export function plainUrl<V extends string | undefined>(expected: string, value: V): V {
  if (value === undefined) return value;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || url.username !== "")
    throw new UsageError(`${expected}, not "${value}".`);
  return value.replace(/\/+$/, "") as V;
}

/** Where a client finds the API. @throws {UsageError} if it is not a URL. */
export const serviceUrl = (option: string | undefined, env: NodeJS.ProcessEnv): string =>
  plainUrl(
    "--service must be the URL of the API, such as https://exports.example.com",
    option ?? (env["OFFPRINT_SERVICE"]?.trim() || "http://127.0.0.1:7070"),
  );

/** @throws {UsageError} if `value` is given and is not a deployment. */
export const deploymentOf = (value: string | undefined): Deployment | undefined =>
  oneOf("--deployment", value, deployments);

/** Names of groups of readers. @throws {UsageError} if there is none, or one is invalid. */
export function groupsOf(option: string, value: string | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const names = splitGroups(value);
  const fault =
    names.length === 0
      ? `${option} takes the names of groups, separated by commas, such as staff,partners.`
      : groupsFault(option, names);
  if (fault !== undefined) throw new UsageError(fault);
  return names;
}

/** The host name in lower case. @throws {UsageError} if `written` is not a host name. */
export async function parseDomain(written: string): Promise<string> {
  const { domainFault } = await import("../service/jobs/index.js");
  const domain = written.toLowerCase();
  const fault = domainFault("A domain", domain);
  if (fault !== undefined) throw new UsageError(fault);
  return domain;
}

/** How long an old key or secret stays valid, in milliseconds. @throws {UsageError} if it is not a number of hours. */
export const overlapOf = (hours: string | undefined): number =>
  (wholeNumber("--overlap", hours, 0, 24 * 365) ?? 24) * 60 * 60_000;

export const defaultOrganization = "default";

/** Whose sites and keys a command of the service changes, and where the service keeps its data. */
export interface Account {
  readonly data?: string;
  readonly organization: string;
}
export const accountOf = ({ data, organization = defaultOrganization }: Partial<Account>): Account => ({
  data,
  organization,
});
