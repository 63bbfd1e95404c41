import { devNull } from "node:os";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What git is run with, and what of it must never be shown. */
export interface GitEnvironment {
  readonly variables: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** Where the network is, and the keys of ssh: no secret among them. */
const passedOn = [
  ...["PATH", "SystemRoot", "SSH_AUTH_SOCK", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"],
];

/** Prints what git asks for; the credential itself stands in the environment. */
const helper =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$OFFPRINT_GIT_USER" "$OFFPRINT_GIT_PASSWORD"; }; f';

/**
 * An environment in which git runs nothing but itself: no configuration of this user or machine, no hooks, no filters,
 * no prompts, and no other way to another machine than https and ssh.
 *
 * @param environment gives the token for `url`: `OFFPRINT_GIT_TOKEN_<HOST>`, or `OFFPRINT_GIT_TOKEN`, each a token or
 * `user:token`. Git gets it for this host alone, wherever it is redirected to.
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
    // What is fetched stays one pack, which the next fetch can start from.
    ["fetch.unpackLimit", "1"],
    ["maintenance.auto", "false"],
    ["advice.detachedHead", "false"],
    ["http.lowSpeedLimit", "1000"],
    ["http.lowSpeedTime", "30"],
    // An empty one forgets those before it.
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

function credentialFor(environment: Environment, hostname: string): Credential | undefined {
  const name = `OFFPRINT_GIT_TOKEN_${hostname.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
  const written = (environment[name] || environment["OFFPRINT_GIT_TOKEN"])?.trim();
  // A line break would begin another line of what git is told.
  if (!written || /\p{Cc}/u.test(written)) return undefined;
  const colon = written.indexOf(":");
  // Hosts that know a token by itself take any user name.
  if (colon < 0) return { user: "x-access-token", password: written };
  return { user: written.slice(0, colon), password: written.slice(colon + 1) };
}

/** In every form that a message may hold. */
function secretsOf({ user, password }: Credential): string[] {
  const basic = Buffer.from(`${user}:${password}`).toString("base64");
  return [basic, password, encodeURIComponent(password)].filter((each) => each !== "");
}
