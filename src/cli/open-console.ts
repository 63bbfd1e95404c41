import type { Log } from "../lib/log.js";
import type { AgentSetup } from "../service/agent/index.js";
import type { OidcOptions } from "../service/console/route.js";
import type { Answerer, ApiOptions, Listening } from "../service/http/index.js";
import { type Role, roles } from "../service/jobs/index.js";
import type { Store } from "../service/open-store.js";
import { linkSecretFile } from "../service/store/index.js";
import { inOneDay, inviteLink } from "./commands/console.js";
import { type Environment, programName, UsageError } from "./environment.js";
import { defaultOrganization, plainUrl } from "./options.js";
import { listenerOptions } from "./settings/api.js";
import type { StoreSettings } from "./settings/store.js";
import { count, list, read, secretFile } from "./settings/variables.js";
import { commandLineActor } from "./with-store.js";

/** Below the API, at an address of its own, or nowhere. */
export type ConsolePlace = "same" | "off" | { readonly host: string; readonly port: number };

interface ConsoleSetup {
  readonly args: {
    readonly console: ConsolePlace;
    readonly consoleLogin: "any" | "oidc";
    readonly data?: string | undefined;
  };
  readonly store: Store;
  readonly settings: StoreSettings;
  readonly publicUrl: string;
  readonly options: ApiOptions;
  readonly agent: AgentSetup;
  readonly environment: Environment;
  readonly log: Log;
}

interface OpenedConsole {
  /** For the API, if the console is below it. */
  readonly below?: Answerer;
  /** Its own port. */
  readonly listening?: Listening;
  /** Where browsers reach it; undefined if it is off. */
  readonly url?: string;
}

/** The console, below the API or at a port of its own. */
export async function openConsole({
  args: { console: where, consoleLogin, data },
  store,
  settings,
  publicUrl,
  options,
  agent,
  environment,
  log,
}: ConsoleSetup): Promise<OpenedConsole> {
  if (where === "off") return {};
  const { createConsole } = await import("../service/console/console.js");
  const configuredUrl = plainUrl(
    "OFFPRINT_CONSOLE_URL must be the URL at which browsers reach the console, such as https://exports.example.com",
    read(environment.env, "OFFPRINT_CONSOLE_URL"),
  );
  const oidc = await oidcOptions(store, environment.env, consoleLogin === "oidc");
  const open = (url: string) =>
    createConsole({ store, agent, publicUrl: url, oidc, system: describeSystem(settings, data), now: Date.now, log });
  if (where === "same") {
    const url = configuredUrl ?? publicUrl;
    return { below: await open(url), url };
  }
  const { consoleApi, listen } = await import("../service/http/index.js");
  const console = Promise.withResolvers<Answerer>();
  const api = consoleApi(
    { fetch: async (request, info) => (await console.promise).fetch(request, info) },
    options.trustedProxies ?? [],
    log,
  );
  const listening = await listen({ api, ...where, ...listenerOptions(environment.env), log });
  const url = configuredUrl ?? listening.url;
  console.resolve(await open(url));
  log("info", "the console listens", { url: listening.url });
  return { listening, url };
}

const describeSystem = ({ databaseUrl, s3, dataFolder }: StoreSettings, data: string | undefined) => ({
  database: databaseUrl === undefined ? "SQLite" : "PostgreSQL",
  bundles: s3 === undefined ? "a folder" : `the bucket ${s3.bucket}`,
  dataFolder: databaseUrl === undefined || s3 === undefined ? dataFolder : undefined,
  dataOption: data === undefined ? "" : ` --data ${data}`,
  linkSecretFile: s3 === undefined ? linkSecretFile(dataFolder) : undefined,
});

/**
 * Tells how the first owner gets in, as long as nobody can: on a terminal, a link. Elsewhere, where others may read the
 * output as a log, the command that creates a link.
 *
 * @param data passed on to that command as `--data`.
 */
export async function firstOwnerText(
  store: Store,
  url: string | undefined,
  data: string | undefined,
  environment: Environment,
): Promise<string> {
  if (url === undefined || (await store.people.hasPeople())) return "";
  if (!environment.stdout.isTTY) {
    const option = data === undefined ? "" : ` --data ${data}`;
    return `To open the console at ${url}/console, run this command in a terminal and open the link that it prints:\n\n${programName(environment)} console invite you@example.com --role owner --public-url ${url}${option}\n\n`;
  }
  const { organizationId } = await store.accounts.organization(defaultOrganization, undefined, commandLineActor());
  const invitation = { email: "", organizationId, role: "owner", endsAt: inOneDay() } as const;
  const { secret } = await store.people.invite(invitation, commandLineActor());
  return `To open the console, open this link within 24 hours; it works only once:\n\n${inviteLink(url, secret)}\n\n`;
}

/** Undefined without an identity provider. @throws {UsageError} if a variable is invalid. */
export async function oidcOptions(
  { accounts }: Pick<Store, "accounts">,
  env: NodeJS.ProcessEnv,
  only: boolean,
): Promise<OidcOptions | undefined> {
  const issuer = plainUrl(
    "OFFPRINT_OIDC_ISSUER must be the URL of an identity provider, such as https://id.example.com",
    read(env, "OFFPRINT_OIDC_ISSUER"),
  );
  const clientId = read(env, "OFFPRINT_OIDC_CLIENT_ID");
  if (issuer === undefined) {
    if (only)
      throw new UsageError("--console-login oidc needs OFFPRINT_OIDC_ISSUER, the URL of the identity provider.");
    return undefined;
  }
  const clientSecret = secretFile(env, "OFFPRINT_OIDC_SECRET_FILE");
  if (clientId === undefined || clientSecret === undefined)
    throw new UsageError("OFFPRINT_OIDC_ISSUER needs OFFPRINT_OIDC_CLIENT_ID and OFFPRINT_OIDC_SECRET_FILE.");
  const { organizationId } = await accounts.organization(
    read(env, "OFFPRINT_OIDC_ORGANIZATION") ?? defaultOrganization,
    undefined,
    commandLineActor(),
  );
  return {
    issuer,
    clientId,
    clientSecret,
    domains: list(env, "OFFPRINT_OIDC_DOMAINS").map((domain) => domain.toLowerCase()),
    groups: Object.fromEntries(list(env, "OFFPRINT_OIDC_GROUPS").map(parseGroupRole)),
    groupsClaim: read(env, "OFFPRINT_OIDC_GROUPS_CLAIM") ?? "groups",
    organizationId,
    recheckMs: (count(env, "OFFPRINT_OIDC_RECHECK_MINUTES") ?? 60) * 60_000,
    only,
  };
}

function parseGroupRole(written: string): readonly [string, Role] {
  const at = written.lastIndexOf("=");
  const role = roles.find((candidate) => candidate === written.slice(at + 1).trim());
  if (at < 1 || !role)
    throw new UsageError(`OFFPRINT_OIDC_GROUPS maps groups to roles, such as writers=editor; "${written}" is invalid.`);
  return [written.slice(0, at).trim(), role];
}
