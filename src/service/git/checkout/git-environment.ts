import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { Refusal, type Target } from "../../../lib/fetch/index.js";
import { type GitCredential, isBelowPrefix } from "./git-credential.js";
import { SourceFault } from "./git-source.js";
import * as proxy from "./guard-proxy.js";
import { type GitEnvironment, GitFailure } from "./run-git.js";

export interface GitAccess {
  readonly url: URL;
  readonly credential?: GitCredential | undefined;
  /** Settings of the network and ssh: no credential is read from it. */
  readonly environment: proxy.Environment;
  readonly targets: proxy.AllowedTargets;
}

/** None of them is secret. Proxies are not among them: git connects through the guard, which reads them. */
const passedOn = ["PATH", "SystemRoot", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/** Prints the credential, which is in the environment. */
const helper =
  '!f() { test "$1" = get && printf "username=%s\\npassword=%s\\n" "$OFFPRINT_GIT_USER" "$OFFPRINT_GIT_PASSWORD"; }; f';

/**
 * Runs `use` with an environment in which git ignores the configuration of this user and machine, runs no hooks or
 * filters, asks for nothing, uses only the protocol of `url`, and connects only to addresses that are checked. A token
 * is sent to the repository's own address alone. A key is in a file until `use` ends: processes of exports can read the
 * folders of a checkout.
 *
 * Fails: throws what `use` throws; a `SourceFault` if a connection was refused or the credential is of another address.
 *
 * @param home a folder of this checkout alone.
 */
export async function withGit<T>(
  { url, credential, environment, targets }: GitAccess,
  home: string,
  use: (environment: GitEnvironment) => Promise<T>,
): Promise<T> {
  if (url.protocol === "file:" && !targets.allowsFile(url.href)) throw proxy.refusedFile();
  const protocol = credential?.kind === "token" ? "https:" : "ssh:";
  if (credential && (protocol !== url.protocol || !isBelowPrefix(url.href, credential.prefix)))
    throw new SourceFault(
      `The repository at ${url.host} is not under ${credential.prefix}, the prefix of its credential, so the credential was not sent. This is a bug in Offprint: please report it.`,
      false,
      { ofWorker: true },
    );
  if (credential?.kind === "token" && /\p{Cc}/u.test(credential.user + credential.token))
    throw new SourceFault(`The credential for ${credential.prefix} contains a line break, so git cannot use it.`);
  const secretFolder = url.protocol === "ssh:" ? await mkdtemp(join(home, "ssh-")) : undefined;
  const guard =
    url.protocol === "https:"
      ? await proxy.startGuardProxy((authority) => proxy.dial(authority, targets, environment))
      : undefined;
  try {
    const ssh = secretFolder && (await sshCommand(url, credential, environment, targets, secretFolder));
    return await use(gitEnvironment(url, credential, environment, home, guard, ssh));
  } catch (error) {
    const failure = guard?.failure();
    if (failure instanceof SourceFault) throw failure;
    // Git knows only that its proxy has not connected.
    if (failure && error instanceof GitFailure) throw new GitFailure(`${error.message}\n${failure.message}`);
    throw error;
  } finally {
    await guard?.close();
    if (secretFolder !== undefined) await rm(secretFolder, { recursive: true, force: true });
  }
}

function gitEnvironment(
  url: URL,
  credential: GitCredential | undefined,
  environment: proxy.Environment,
  home: string,
  guard: proxy.GuardProxy | undefined,
  ssh: string | undefined,
): GitEnvironment {
  const token = credential?.kind === "token" ? credential : undefined;
  const config: Readonly<Record<string, string>> = {
    "core.hooksPath": devNull,
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "core.autocrlf": "false",
    "submodule.recurse": "false",
    "gc.auto": "0",
    // Keep each fetch as one pack, for the cache.
    "fetch.unpackLimit": "1",
    "maintenance.auto": "false",
    "advice.detachedHead": "false",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "30",
    // After a redirect, curl would send the token to any path of the same host.
    "http.followRedirects": token ? "false" : "initial",
    // An empty value removes earlier helpers.
    "credential.helper": "",
    ...(token && { "credential.useHttpPath": "true", [`credential.${askedAs(url)}.helper`]: helper }),
    ...(guard && { "http.proxy": guard.url, "http.proxyAuthMethod": "basic" }),
  };
  const variables = {
    ...Object.fromEntries(passedOn.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))),
    ...Object.fromEntries(
      Object.entries(config).flatMap(([key, value], i) => [
        [`GIT_CONFIG_KEY_${i}`, key],
        [`GIT_CONFIG_VALUE_${i}`, value],
      ]),
    ),
    ...(token && { OFFPRINT_GIT_USER: token.user, OFFPRINT_GIT_PASSWORD: token.token }),
    ...(ssh !== undefined && { GIT_SSH_COMMAND: ssh, GIT_SSH_VARIANT: "ssh" }),
    GIT_CONFIG_COUNT: String(Object.keys(config).length),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: url.protocol.slice(0, -1),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_PAGER: "",
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: "C",
  };
  return { variables, secrets: [...(guard ? [guard.password] : []), ...(token ? secretsOf(token) : [])] };
}

/** The address as git writes it when it asks for a credential: every character that is not plain is encoded. */
const askedAs = ({ origin, pathname }: URL): string =>
  origin +
  encodeURIComponent(decodeURIComponent(pathname))
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%2F", "/");

/**
 * Ssh to the checked address, with the key of `credential` and no other. The host's own key is known under its name.
 *
 * @param folder gets the key, readable by this user alone.
 */
async function sshCommand(
  { hostname, port, host }: URL,
  credential: GitCredential | undefined,
  environment: proxy.Environment,
  targets: proxy.AllowedTargets,
  folder: string,
): Promise<string> {
  const name = hostname.toLowerCase();
  const target = await targets.targetOf(`${name}:${port || 22}`).catch((error: unknown) => {
    if (error instanceof Refusal) throw proxy.refusedHost(host, error.message);
    throw new SourceFault(`The worker could not reach the repository at ${host}.`, true, { cause: error });
  });
  const key = credential?.kind === "ssh-key" ? credential : undefined;
  const write = async (fileName: string, text: string): Promise<string> => {
    const path = join(folder, fileName);
    // Ssh reads no key without a line break at its end.
    await writeFile(path, `${text.replace(/\r\n?/g, "\n").trim()}\n`, { mode: 0o600, flag: "wx" });
    return path;
  };
  const knownHosts = key?.knownHosts === undefined ? undefined : await write("known_hosts", key.knownHosts);
  const operatorHosts = environment["OFFPRINT_SSH_KNOWN_HOSTS"]?.trim();
  const options: Readonly<Record<string, string | undefined>> = {
    BatchMode: "yes",
    StrictHostKeyChecking: "yes",
    UpdateHostKeys: "no",
    ConnectTimeout: "15",
    HostName: await reachable(target, targets),
    HostKeyAlias:
      port === "" || port === "22" ? name.replace(/^\[|\]$/g, "") : `[${name.replace(/^\[|\]$/g, "")}]:${port}`,
    IdentitiesOnly: "yes",
    IdentityAgent: "none",
    IdentityFile: key ? quoted(await write("key", key.privateKey)) : "none",
    UserKnownHostsFile: knownHosts ? quoted(knownHosts) : operatorHosts ? quoted(operatorHosts) : undefined,
    GlobalKnownHostsFile: knownHosts === undefined ? undefined : devNull,
  };
  const words = Object.entries(options).flatMap(([option, value]) =>
    value === undefined ? [] : [`'-o${option}=${value.replaceAll("'", "'\\''")}'`],
  );
  return `ssh -F ${devNull} ${words.join(" ")}`;
}

/** A path as ssh reads it in its options. */
const quoted = (path: string): string => `"${path.replaceAll("%", "%%")}"`;

/** The first address that accepts connections: ssh cannot be given several. */
async function reachable(target: Target, targets: proxy.AllowedTargets): Promise<string> {
  if (target.otherAddresses.length === 0) return target.address;
  try {
    const { socket, address } = await proxy.connectTo(target, targets);
    socket.destroy();
    return address;
  } catch {
    // Ssh says why.
    return target.address;
  }
}

/** All forms in which a message may contain the credential. */
function secretsOf({ user, token }: { readonly user: string; readonly token: string }): string[] {
  const basic = Buffer.from(`${user}:${token}`).toString("base64");
  return [basic, token, encodeURIComponent(token)].filter((each) => each !== "");
}
