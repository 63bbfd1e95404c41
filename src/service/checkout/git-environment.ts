import { devNull } from "node:os";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables for git, and the secrets in them. */
export interface GitEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Settings of the network and ssh; none of them is secret. */
const passedOn = [
  ...["PATH", "SystemRoot", "SSH_AUTH_SOCK", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"],
];

/** Prints the credential, which is in the environment. */
const helper =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$OFFPRINT_GIT_USER" "$OFFPRINT_GIT_PASSWORD"; }; f';

/**
 * An environment in which git ignores the configuration of this user and machine, runs no hooks or filters, asks for
 * nothing, and uses only https and ssh.
 *
 * @param environment contains the token for `url`: `OFFPRINT_GIT_TOKEN_<HOST>` or `OFFPRINT_GIT_TOKEN`, each a token or
 * `user:token`. Git sends it to this host only, even after a redirect.
 * @param home an empty folder.
 */
export function gitEnvironment(environment: Environment, url: URL, home: string): GitEnvironment {
  const credential = url.protocol === "https:" ? credentialFor(environment, url.hostname) : undefined;
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
    GIT_SSH_COMMAND: `ssh -F ${devNull} -oBatchMode=yes -oStrictHostKeyChecking=yes -oConnectTimeout=15`,
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

export const tokenName = (hostname: string): string =>
  `OFFPRINT_GIT_TOKEN_${hostname.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;

function credentialFor(environment: Environment, hostname: string): Credential | undefined {
  const written = (environment[tokenName(hostname)] || environment["OFFPRINT_GIT_TOKEN"])?.trim();
  // A line break would add a line to the credential protocol.
  if (!written || /\p{Cc}/u.test(written)) return undefined;
  const colon = written.indexOf(":");
  // Hosts identify a token by itself and accept any user name.
  if (colon < 0) return { user: "x-access-token", password: written };
  return { user: written.slice(0, colon), password: written.slice(colon + 1) };
}

/** All forms in which a message may contain the credential. */
function secretsOf({ user, password }: Credential): string[] {
  const basic = Buffer.from(`${user}:${password}`).toString("base64");
  return [basic, password, encodeURIComponent(password)].filter((each) => each !== "");
}
