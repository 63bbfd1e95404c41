import { sign } from "node:crypto";
import { type Fields, fieldsOf, valueOfJson } from "../../../lib/json/index.js";
import { rememberedFor } from "../../../lib/memo.js";
import { askForge, ForgeFault, mayPass, type OpenForgeOptions } from "./ask-forge.js";
import type { ForgeHost, GitHubApp, Repository } from "./forges.js";

/** A token is used only if it is valid for this long: a run pushes at its end. */
const minValidMs = 30 * 60_000;

/** GitHub accepts at most ten minutes; clocks differ. */
const jwtSeconds = { before: 60, after: 9 * 60 };

export interface AppHost extends ForgeHost {
  readonly app: GitHubApp;
  /** For messages. */
  readonly host: string;
}

export interface AppOptions extends OpenForgeOptions {
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** Where an app is installed. */
export interface Installation {
  /** The user or organization that owns the repositories. */
  readonly account: string;
  readonly accountId: number;
  readonly isOrganization: boolean;
}

interface InstallationToken {
  readonly token: string;
  readonly endsAt: number;
}
const cachedTokens = rememberedFor((_: GitHubApp) => new Map<string, InstallationToken>());

/**
 * A token for this repository alone, which is cached until half an hour before its end.
 *
 * @param installationId the only installation that may be used. Default: that of the repository.
 * @param writes whether it may also push and open pull requests.
 *
 * Fails: throws a `ForgeFault`.
 */
export async function repositoryToken(
  at: AppHost,
  repository: Repository,
  installationId: number | undefined,
  writes: boolean,
  options: AppOptions,
): Promise<string> {
  const now = options.now ?? Date.now;
  const tokens = cachedTokens(at.app);
  const key = JSON.stringify([at.api, repository.path, installationId, writes]);
  const cached = tokens.get(key);
  if (cached && cached.endsAt - now() > minValidMs) return cached.token;
  const path = repository.path.split("/").map(encodeURIComponent).join("/");
  const id = installationId ?? (await askAsApp(at, `/repos/${path}/installation`, undefined, options))["id"];
  const { token, expires_at: end } = await askAsApp(
    at,
    `/app/installations/${encodeURIComponent(String(id))}/access_tokens`,
    {
      repositories: [repository.path.split("/").at(-1)],
      permissions: writes ? { contents: "write", pull_requests: "write" } : { contents: "read" },
    },
    options,
  );
  const endsAt = typeof end === "string" ? Date.parse(end) : Number.NaN;
  if (typeof token !== "string" || !/^[!-~]+$/.test(token) || Number.isNaN(endsAt))
    throw new ForgeFault(`${at.host} sent an answer that is not a token.`);
  tokens.set(key, { token, endsAt });
  return token;
}

/** The account that an installation belongs to. Fails: throws a `ForgeFault`. */
export async function installationOf(at: AppHost, installationId: number, options: AppOptions): Promise<Installation> {
  const { account } = await askAsApp(at, `/app/installations/${installationId}`, undefined, options);
  const { login, id, type } = fieldsOf(account);
  if (typeof login !== "string" || !/^[\w.-]+$/.test(login) || typeof id !== "number")
    throw new ForgeFault(`${at.host} sent an answer that is not an installation.`);
  return { account: login, accountId: id, isOrganization: type === "Organization" };
}

/** Where people install the app. Fails: throws a `ForgeFault`. */
export async function installAddress(at: AppHost, options: AppOptions): Promise<string> {
  const { html_url: url } = await askAsApp(at, "/app", undefined, options);
  if (typeof url !== "string" || !URL.canParse(url) || new URL(url).host !== at.host)
    throw new ForgeFault(`${at.host} sent an answer that is not an app.`);
  return `${url}/installations/new`;
}

async function askAsApp(at: AppHost, path: string, body: object | undefined, options: AppOptions): Promise<Fields> {
  const { app, api, host, isOperators } = at;
  const now = (options.now ?? Date.now)();
  const headers = { authorization: `Bearer ${jwtOf(app, now)}`, accept: "application/vnd.github+json" };
  const outcome = await askForge(api + path, headers, body, { ...options, allowPrivate: isOperators });
  if (outcome.ok) return fieldsOf(valueOfJson(outcome.text));
  const why =
    outcome.status === 404
      ? "it is not installed there"
      : outcome.status === 401
        ? "its ID or its private key is wrong"
        : outcome.reason;
  throw new ForgeFault(`${host} rejected the app ${app.id}, because ${why}.`, mayPass(outcome));
}

function jwtOf({ id, privateKey }: GitHubApp, now: number): string {
  const seconds = Math.floor(now / 1000);
  const claims = { iat: seconds - jwtSeconds.before, exp: seconds + jwtSeconds.after, iss: id };
  const text = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
}

/**
 * Whether the person who authorized the app owns the account of an installation: it is the person's own, or an
 * organization whose owner the person is. The number of an installation alone proves nothing: anybody can write it into
 * an address.
 *
 * @param code of the return address; GitHub exchanges it once, within ten minutes.
 *
 * Fails: throws a `ForgeFault`.
 */
export async function ownsAccount(
  at: AppHost,
  code: string,
  { account, accountId, isOrganization }: Installation,
  options: AppOptions,
): Promise<boolean> {
  const { api, host, isOperators, app } = at;
  const { oauth } = app;
  if (!oauth)
    throw new ForgeFault(
      `The app ${app.id} has no client secret, so the service cannot verify who owns an installation.`,
    );
  const settings = { ...options, allowPrivate: isOperators };
  const body = { client_id: oauth.clientId, client_secret: oauth.clientSecret, code };
  const exchanged = await askForge(`${webOf(api)}/login/oauth/access_token`, {}, body, settings);
  const token = exchanged.ok ? fieldsOf(valueOfJson(exchanged.text))["access_token"] : undefined;
  if (typeof token !== "string" || !/^[!-~]+$/.test(token))
    throw new ForgeFault(`${host} does not accept the code in the return URL. Start again.`);
  const ask = async (path: string): Promise<Fields> => {
    const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" };
    const outcome = await askForge(api + path, headers, undefined, settings);
    if (outcome.ok) return fieldsOf(valueOfJson(outcome.text));
    // Of an organization that the person does not belong to, or that the app may not ask about.
    if (outcome.status === 403 || outcome.status === 404) return {};
    throw new ForgeFault(`${host} did not confirm who you are, because ${outcome.reason}.`, mayPass(outcome));
  };
  if (!isOrganization) return (await ask("/user"))["id"] === accountId;
  const { role, state, organization } = await ask(`/user/memberships/orgs/${encodeURIComponent(account)}`);
  return role === "admin" && state === "active" && fieldsOf(organization)["id"] === accountId;
}

const webOf = (api: string): string =>
  api === "https://api.github.com" ? "https://github.com" : api.replace(/\/api\/v3$/, "");
