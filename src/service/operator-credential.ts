import { readFileSync } from "node:fs";
import type { Environment, GitCredential } from "./checkout/index.js";
import type { SiteSource } from "./jobs/index.js";

/**
 * The operator's credential for the host of a repository: `OFFPRINT_GIT_TOKEN_<HOST>` is a token or `user:token`,
 * `OFFPRINT_GIT_SSH_KEY_<HOST>` a file with a private key. Undefined without one.
 *
 * @throws {Error} if the file cannot be read.
 */
export function credentialFromEnvironment(source: SiteSource, environment: Environment): GitCredential | undefined {
  if (source.kind !== "git" || !URL.canParse(source.url)) return undefined;
  const { protocol, host, username } = new URL(source.url);
  const name = variableSuffix(host);
  if (name === undefined) return undefined;
  if (protocol === "https:") {
    const written = environment[`OFFPRINT_GIT_TOKEN_${name}`]?.trim();
    if (!written) return undefined;
    // Hosts identify a token by itself and accept any user name.
    const [, user = "x-access-token", token = ""] = /^(?:([^:]*):)?(.*)$/s.exec(written) ?? [];
    return { kind: "token", prefix: `https://${host}/`, user, token };
  }
  const file = protocol === "ssh:" ? environment[`OFFPRINT_GIT_SSH_KEY_${name}`]?.trim() : undefined;
  if (!file) return undefined;
  const prefix = `ssh://${username && `${username}@`}${host}/`;
  return { kind: "ssh-key", prefix, privateKey: readFileSync(file, "utf8") };
}

/**
 * `git.example-1.com:8443` is `GIT_EXAMPLE__1_COM_8443`. No two hosts have the same name, so that nobody can get the token
 * of another host. Undefined for hosts that have none.
 */
function variableSuffix(host: string): string | undefined {
  const isPlain = /^[a-z0-9]+(-+[a-z0-9]+)*(\.[a-z0-9]+(-+[a-z0-9]+)*)*(:\d+)?$/i.test(host);
  return isPlain ? host.toUpperCase().replace(/[.:]/g, "_").replaceAll("-", "__") : undefined;
}
