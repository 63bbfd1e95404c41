import { isIP } from "node:net";
import { checkTarget, isPublicAddress, type Network, type Target } from "../../../lib/fetch/index.js";
import { addressMatcher, isAddressRange } from "../../../lib/http/index.js";
import { isBelowPrefix } from "./git-credential.js";
import { SourceFault } from "./git-source.js";

export type Environment = Readonly<Record<string, string | undefined>>;

const variable = "OFFPRINT_GIT_ALLOW_PRIVATE";

export type AllowedTargets = ReturnType<typeof openTargets>;

/**
 * Where git may connect to, and which folders of this machine it may read: public addresses, and what the operator adds
 * in `OFFPRINT_GIT_ALLOW_PRIVATE`: hosts, addresses and ranges of private networks, and folders of this machine, as in
 * `git.internal,10.0.0.0/8,file:///srv/git/`.
 *
 * @throws {SourceFault} if the variable is invalid.
 */
export function openTargets(environment: Environment, network: Network) {
  const hosts = new Set<string>();
  const folders: string[] = [];
  const ranges: string[] = [];
  for (const entry of (environment[variable] ?? "").split(/[\s,]+/).filter((text) => text !== "")) {
    if (/^file:\/\/\//.test(entry)) folders.push(entry.replace(/\/*$/, "/"));
    else if (isAddressRange(entry)) ranges.push(entry);
    else if (/^[a-z0-9_]([\w.-]*\w)?$/i.test(entry)) hosts.add(entry.toLowerCase());
    else
      throw new SourceFault(
        `The worker's ${variable} contains "${entry}", which is not a host, an address range or a folder, such as git.internal, 10.0.0.0/8 or file:///srv/git/.`,
        false,
        { ofWorker: true },
      );
  }
  const isInRange = addressMatcher(ranges);
  const isListed = (host: string, addresses: readonly string[]): boolean =>
    hosts.has(host) || addresses.every((address) => isPublicAddress(address) || isInRange(address));
  const look = async (authority: string): Promise<Target> => {
    const url = `https://${authority}/`;
    const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, "") ?? "";
    const addresses = isIP(host) ? [host] : await network.resolve(host);
    return checkTarget(url, { ...network, resolve: async () => addresses }, isListed(host, addresses));
  };
  const targets = new Map<string, Promise<Target>>();
  return {
    network,
    /**
     * Resolves and checks a host once; later calls give the same addresses. Rejects with a `Refusal` if one is not
     * allowed, and with the system's error if the name is unknown.
     *
     * @param authority host with port: `git.example.com:443`, `[2001:db8::1]:22`.
     */
    targetOf(authority: string): Promise<Target> {
      const target = targets.get(authority) ?? look(authority);
      targets.set(authority, target);
      return target;
    },
    /** Whether the operator allows a `file://` address. */
    allowsFile: (url: string): boolean => folders.some((folder) => isBelowPrefix(url, folder)),
  };
}

/** A connection to a refused host, for API clients. */
export const refusedHost = (host: string, reason: string): SourceFault =>
  new SourceFault(
    `The worker is not allowed to fetch a repository from ${host}, because ${reason}. The operator of the service can allow private hosts with ${variable}.`,
    false,
  );

/** For API clients. */
export const refusedFile = (): SourceFault =>
  new SourceFault(
    `The worker is not allowed to read a local repository at this URL. The operator of the service can allow folders with ${variable}, such as file:///srv/git/.`,
    false,
    { ofWorker: true },
  );
