import { fieldsOf, valueOfJson } from "../../../lib/json/index.js";
import { type Role, roles } from "../../jobs/index.js";
import { cookie, isLoopback, readCookies } from "../browser-request.js";
import * as ui from "../components/index.js";
import { isEmailAddress } from "../format.js";
import type { ConsoleAnswer, OidcOptions, OpenContext, PageAnswer } from "../route.js";
import { doorPage, localPath, openSession } from "./login.js";

/** How long a person may take to log in at the provider. */
const loginSeconds = 10 * 60;
const client = () => import("openid-client");
type Configuration = Awaited<ReturnType<Awaited<ReturnType<typeof client>>["discovery"]>>;

/** A login that has begun. The browser stores it in a cookie while the person is at the provider. */
interface PendingLogin {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly to: string;
}

const configurations = new WeakMap<OidcOptions, Promise<Configuration>>();

/** Fetched once; again after a failure. */
function configurationOf(options: OidcOptions): Promise<Configuration> {
  const earlier = configurations.get(options);
  if (earlier) return earlier;
  const configuration = discover(options);
  configurations.set(options, configuration);
  configuration.catch(() => configurations.delete(options));
  return configuration;
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<Configuration> {
  const { discovery, allowInsecureRequests, enableNonRepudiationChecks, ClientSecretBasic } = await client();
  const server = new URL(issuer);
  const isLocal = server.protocol === "http:" && isLoopback(server.hostname);
  // By default the client relies on TLS and does not check the signature of the ID token.
  const execute = [enableNonRepudiationChecks, ...(isLocal ? [allowInsecureRequests] : [])];
  return discovery(server, clientId, undefined, ClientSecretBasic(clientSecret), { execute, timeout: 10 });
}

const callback = "/console/login/oidc/callback";

/** Sends the browser to the provider. */
export async function beginOidc({ deps, query, isSecure }: OpenContext): Promise<ConsoleAnswer> {
  const { oidc, publicUrl } = deps;
  if (!oidc) return "not-found";
  const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge, buildAuthorizationUrl } =
    await client();
  const configuration = await configurationOf(oidc).catch((error: unknown) => {
    deps.log("error", "single sign-on failed", { fault: String(error) });
    return undefined;
  });
  if (!configuration) return refused("The single sign-on provider is not reachable. Try again in a minute.", 503);
  const pending: PendingLogin = {
    state: randomState(),
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    to: localPath(query.get("to")),
  };
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: publicUrl + callback,
    scope: "openid email profile",
    response_type: "code",
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: "S256",
  });
  return { redirect: url.href, cookies: [cookie("oidc", JSON.stringify(pending), isSecure, loginSeconds)] };
}

/** Checks the provider's answer and opens a session. */
export async function finishOidc(context: OpenContext): Promise<ConsoleAnswer> {
  const { deps, store, request, query, isSecure } = context;
  const { oidc, publicUrl } = deps;
  if (!oidc) return "not-found";
  const pending = parsePending(readCookies(request.headers.get("Cookie"), isSecure).oidc);
  const cookies = [cookie("oidc", "", isSecure)];
  if (!pending)
    return { ...refused("This login took too long, or was started in another browser. Start again."), cookies };
  let claims: Claims;
  try {
    claims = await claimsOf(oidc, new URL(`${publicUrl}${callback}?${query}`), pending);
  } catch (error) {
    deps.log("warn", "single sign-on refused", { fault: String(error) });
    return { ...refused("The provider's response is invalid. Start again."), cookies };
  }
  const entry = entryOf(claims, oidc);
  if ("problem" in entry) return { ...refused(entry.problem), cookies };
  const { email, name, role } = entry;
  const isMapped = Object.keys(oidc.groups).length > 0;
  const entered = await store.people.enterBySubject({
    subject: `${oidc.issuer} ${claims.sub}`,
    email,
    name,
    membership: role && { organizationId: oidc.organizationId, role, isMapped },
  });
  const isMember = entered && (await store.people.memberships(entered.person.personId)).length > 0;
  if (!isMember) return { ...refused("You have not been invited to this console."), cookies };
  const opened = await openSession(context, entered.person, pending.to, { recheckMs: oidc.recheckMs });
  // When a session is only confirmed again, the person has seen the notice before.
  const isConfirmed =
    context.session?.stage === "recheck" && context.session.person.personId === entered.person.personId;
  const notice =
    entered.isRoleKept && !isConfirmed
      ? `You stay an owner, since nobody else is one. Your groups make you ${role} once there is another owner.`
      : undefined;
  return { ...opened, notice, cookies: [...cookies, ...opened.cookies] };
}

/** The claims of the ID token, completed by the userinfo endpoint if the token lacks the address or the groups. */
async function claimsOf(oidc: OidcOptions, url: URL, { state, nonce, verifier }: PendingLogin): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await client();
  const configuration = await configurationOf(oidc);
  const tokens = await authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const hasGroups = Object.keys(oidc.groups).length === 0 || claims[oidc.groupsClaim] !== undefined;
  const hasAll = claims["email"] !== undefined && hasGroups;
  if (hasAll || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
  // `email_verified` counts only in the document that contains the address.
  const isVerified = (claims["email"] === undefined ? info : claims)["email_verified"];
  return { ...info, ...claims, email_verified: isVerified };
}

function parsePending(text: string | undefined): PendingLogin | undefined {
  const { state, nonce, verifier, to } = fieldsOf(valueOfJson(text)) as Readonly<Record<string, string>>;
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  if (!isText(state) || !isText(nonce) || !isText(verifier) || !isText(to)) return undefined;
  return { state, nonce, verifier, to: localPath(to) };
}

const refused = (problem: string, status = 403): PageAnswer =>
  doorPage("Log in", [<p>{problem}</p>, <ui.LinkButton href="/console/login" kind="primary" label="To the login" />], {
    heading: "The login failed",
    status,
  });

/** The provider's statements about the person. */
interface Claims {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
  readonly name?: unknown;
  readonly [claim: string]: unknown;
}

/** Without a role, the person needs an invite or an account. */
type Entry =
  | { readonly email: string; readonly name: string; readonly role: Role | undefined }
  | { readonly problem: string };

/** Who may enter, and as what. */
function entryOf(claims: Claims, { domains, groups, groupsClaim }: OidcOptions): Entry {
  const { email, email_verified: isVerified, name } = claims;
  if (typeof email !== "string" || !isEmailAddress(email))
    return { problem: "Your account there has no email address." };
  if (isVerified !== true) return { problem: "The email address of your account there is not verified." };
  const role = roleIn(claims[groupsClaim], groups) ?? (isIn(domains, email) ? "reader" : undefined);
  if (role === undefined && (domains.length > 0 || Object.keys(groups).length > 0))
    return { problem: "Your account there is not allowed to open this console." };
  return { email, name: typeof name === "string" && name.trim() !== "" ? name.trim().slice(0, 100) : email, role };
}

function roleIn(claim: unknown, groups: OidcOptions["groups"]): Role | undefined {
  const names = Array.isArray(claim) ? claim : [claim];
  const matches = names.flatMap((name) =>
    typeof name === "string" && Object.hasOwn(groups, name) ? [groups[name]] : [],
  );
  return roles.find((role) => matches.includes(role));
}

const isIn = (domains: readonly string[], email: string): boolean =>
  domains.includes(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
