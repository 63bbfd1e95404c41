import { writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { type GitCredential, isBelowPrefix } from "./git-credential.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables for git, and the secrets in them. */
export interface GitEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Settings of the network and ssh; none of them is secret. */
const passedOn = [
  ...["PATH", "SystemRoot", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"],
];

/** Prints the credential, which is in the environment. */
const helper =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$OFFPRINT_GIT_USER" "$OFFPRINT_GIT_PASSWORD"; }; f';

/**
 * An environment in which git ignores the configuration of this user and machine, runs no hooks or filters, asks for
 * nothing, and uses only https and ssh.
 *
 * @param given is used if `url` is below its prefix. Git sends a token to this host only, even after a redirect; without a
 * key, ssh offers none of this machine. See `writeKey`.
 * @param home an empty folder.
 */
export function gitEnvironment(
  environment: Environment,
  url: URL,
  home: string,
  given: GitCredential | undefined,
): GitEnvironment {
  const used = given && isBelowPrefix(url, given.prefix) ? given : undefined;
  const credential = used?.kind === "token" ? { user: used.user, password: used.token } : undefined;
  const config: [key: string, value: string][] = [
    ["core.hooksPath", devNull],
    ["core.protectHFS", "true"],
    ["core.protectNTFS", "true"],
    ["core.autocrlf", "false"],
    ["submodule.recurse", "false"],
    ["gc.auto", "0"],
    // Keep each fetch as one pack, for the cache.
    ["fetch.unpackLimit", "1"],
    ["maintenance.auto", "false"],
    ["advice.detachedHead", "false"],
    ["http.lowSpeedLimit", "1000"],
    ["http.lowSpeedTime", "30"],
    // An empty value removes earlier helpers.
    ["credential.helper", ""],
    ...(credential ? [[`credential.${url.origin}.helper`, helper] as [string, string]] : []),
  ];
  const variables = {
    ...Object.fromEntries(passedOn.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))),
    ...Object.fromEntries(
      config.flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
    ...(credential && { OFFPRINT_GIT_USER: credential.user, OFFPRINT_GIT_PASSWORD: credential.password }),
    GIT_CONFIG_COUNT: String(config.length),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "https:ssh:file",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_SSH_COMMAND: `ssh -F ${devNull} ${identityOptions(used, home)} -oBatchMode=yes -oStrictHostKeyChecking=yes -oConnectTimeout=15`,
    GIT_SSH_VARIANT: "ssh",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_PAGER: "",
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: "C",
  };
  return { variables, secrets: credential ? secretsOf(credential) : [] };
}

interface Credential {
  readonly user: string;
  readonly password: string;
}

/** Git passes the command to a shell. */
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

function identityOptions(credential: GitCredential | undefined, home: string): string {
  const none = "-oIdentitiesOnly=yes -oIdentityAgent=none";
  if (credential?.kind !== "ssh-key") return `${none} -oIdentityFile=none`;
  const hosts = credential.knownHosts === undefined ? "" : ` -oUserKnownHostsFile=${quoted(join(home, "known_hosts"))}`;
  return `${none} -i ${quoted(join(home, "key"))}${hosts}`;
}

/** Writes the key of a credential into `home`, where ssh reads it. */
export async function writeKey(credential: GitCredential | undefined, home: string): Promise<void> {
  if (credential?.kind !== "ssh-key") return;
  await writeFile(join(home, "key"), credential.privateKey, { mode: 0o600 });
  if (credential.knownHosts !== undefined) await writeFile(join(home, "known_hosts"), credential.knownHosts);
}

/** All forms in which a message may contain the credential. */
function secretsOf({ user, password }: Credential): string[] {
  const basic = Buffer.from(`${user}:${password}`).toString("base64");
  return [basic, password, encodeURIComponent(password)].filter((each) => each !== "");
}
