import { sign } from "node:crypto";
import { fieldsOf } from "../../lib/json/index.js";
import { askForge, mayPass, type OpenForgeOptions, parsed } from "./ask-forge.js";
import { ForgeFault } from "./forge-fault.js";
import type { ForgeEntry, ForgeSettings, GitHubApp, Repository } from "./forges.js";

/** A run must be able to push with its token at its end. */
const leastMs = 30 * 60_000;
/** The longest that GitHub accepts are ten minutes; clocks differ. */
const jwtSeconds = { before: 60, after: 9 * 60 };

interface InstallationToken {
  readonly token: string;
  readonly endsAt: number;
}
const known = new WeakMap<GitHubApp, Map<string, InstallationToken>>();

/**
 * What a run uses at a forge: of a GitHub App, a token for this repository alone, which is kept until half an hour before
 * its end.
 *
 * Fails: throws a `ForgeFault`.
 */
export async function settingsFor(
  repository: Repository,
  entry: ForgeEntry,
  options: OpenForgeOptions & { readonly now?: () => number },
): Promise<ForgeSettings> {
  const { kind, api, app } = entry;
  if (!app) return { kind, api, token: entry.token };
  const { now = Date.now } = options;
  const tokens = known.get(app) ?? new Map<string, InstallationToken>();
  known.set(app, tokens);
  const kept = tokens.get(repository.path);
  if (kept && kept.endsAt - now() > leastMs) return { kind, api, token: kept.token };
  const made = await makeToken(repository, api, app, options, now());
  tokens.set(repository.path, made);
  return { kind, api, token: made.token };
}

async function makeToken(
  repository: Repository,
  api: string,
  app: GitHubApp,
  options: OpenForgeOptions,
  now: number,
): Promise<InstallationToken> {
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${jwtOf(app, now)}`, accept: "application/vnd.github+json" };
    const outcome = await askForge(api + path, headers, body, options);
    if (outcome.ok) return fieldsOf(parsed(outcome.text));
    const why =
      outcome.status === 404
        ? `it is not installed for "${repository.path}"`
        : outcome.status === 401
          ? "its id or its private key is wrong"
          : outcome.reason;
    throw new ForgeFault(`The app ${app.id} got no token of ${repository.host}, because ${why}.`, mayPass(outcome));
  };
  const path = repository.path.split("/").map(encodeURIComponent);
  const { id } = await ask(`/repos/${path.join("/")}/installation`);
  const { token, expires_at: end } = await ask(`/app/installations/${encodeURIComponent(String(id))}/access_tokens`, {
    repositories: [repository.path.split("/").at(-1)],
    permissions: { contents: "write", pull_requests: "write" },
  });
  const endsAt = typeof end === "string" ? Date.parse(end) : Number.NaN;
  if (typeof token !== "string" || !/^[!-~]+$/.test(token) || Number.isNaN(endsAt))
    throw new ForgeFault(`${repository.host} answered something else than a token.`, false);
  return { token, endsAt };
}

function jwtOf({ id, privateKey }: GitHubApp, now: number): string {
  const seconds = Math.floor(now / 1000);
  const claims = { iat: seconds - jwtSeconds.before, exp: seconds + jwtSeconds.after, iss: id };
  const text = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
}
