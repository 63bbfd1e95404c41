import { type Fields, fieldsOf } from "../../lib/json/index.js";
import type { AppHost, AppOptions, Installation } from "./app-token.js";
import { askForge, mayPass, parsed } from "./ask-forge.js";
import { ForgeFault } from "./forge-fault.js";

/**
 * Whether the person who authorized the app owns the account of an installation: it is the person's own, or an organization
 * whose owner the person is. The number of an installation alone proves nothing: anybody can write it into an address.
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
  if (!oauth) throw new ForgeFault(`The app ${app.id} has no client secret, so nobody can prove anything.`, false);
  const settings = { ...options, allowPrivate: isOperators };
  const body = { client_id: oauth.clientId, client_secret: oauth.clientSecret, code };
  const exchanged = await askForge(`${webOf(api)}/login/oauth/access_token`, {}, body, settings);
  const token = exchanged.ok ? fieldsOf(parsed(exchanged.text))["access_token"] : undefined;
  if (typeof token !== "string" || !/^[!-~]+$/.test(token))
    throw new ForgeFault(`${host} does not accept the code of the return address. Begin again.`, false);
  const ask = async (path: string): Promise<Fields> => {
    const headers = { authorization: `Bearer ${token}`, accept: "application/vnd.github+json" };
    const outcome = await askForge(api + path, headers, undefined, settings);
    if (outcome.ok) return fieldsOf(parsed(outcome.text));
    // Of an organization that the person does not belong to, or that the app may not ask about.
    if (outcome.status === 403 || outcome.status === 404) return {};
    throw new ForgeFault(`${host} did not say who you are, because ${outcome.reason}.`, mayPass(outcome));
  };
  if (!isOrganization) return (await ask("/user"))["id"] === accountId;
  const { role, state, organization } = await ask(`/user/memberships/orgs/${encodeURIComponent(account)}`);
  return role === "admin" && state === "active" && fieldsOf(organization)["id"] === accountId;
}

const webOf = (api: string): string =>
  api === "https://api.github.com" ? "https://github.com" : api.replace(/\/api\/v3$/, "");
