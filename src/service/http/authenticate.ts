import { createHash, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { addressMatcher, networkOf } from "../../lib/http/index.js";
import { attemptDelay } from "../failed-attempts.js";
import type { AccountStore, ApiKey } from "../jobs/index.js";
import { ApiError, tryLater } from "./api-error.js";
import type { ApiContext, ApiEnvironment, RouteDeps } from "./request-context.js";

interface KeyDeps extends Pick<RouteDeps, "onRefusal" | "now"> {
  readonly store: { readonly accounts: Pick<AccountStore, "findKey" | "markKeyUsed"> };
}

/**
 * Accepts requests with a valid key of that kind that allows the client's address. An admin key needs the scope of the
 * method: `read` for GET and HEAD, `write` for the rest. The key is looked up for each request, so that revoking it takes
 * effect at once.
 *
 * @param scope overrides that of the method: for a POST that changes nothing.
 * @param keyWithoutHeader where else a request may have its key.
 */
export function authenticate(
  { store: { accounts }, onRefusal, now }: KeyDeps,
  kind: ApiKey["kind"] = "admin",
  scope?: ApiKey["scopes"][number],
  keyWithoutHeader: (c: ApiContext) => string | undefined = () => undefined,
): MiddlewareHandler<ApiEnvironment> {
  const check = async (c: ApiContext): Promise<void> => {
    const header = c.req.header("Authorization");
    const secret = (header === undefined ? keyWithoutHeader(c) : undefined) ?? bearerToken(header);
    const key = secret.startsWith("svc_") && secret.length <= 200 ? await accounts.findKey(secret) : undefined;
    if (!key) throw unauthorized("This API key does not exist. Check it, or create another: offprint key create.");
    // Before the checks, so that the log of a refused request names the key.
    c.set("key", key);
    checkExpiry(key, now());
    checkAddress(key, c.get("clientAddress"));
    if (key.kind !== kind) throw new ApiError(403, wrongKind[key.kind]);
    if (kind === "admin") checkScope(key, c.req.method, scope);
    // A request goes on if the database takes no writes.
    await accounts.markKeyUsed(key).catch(() => {});
  };
  return async (c, next) => {
    await check(c).catch((error: unknown) => {
      throw error instanceof ApiError && error.status < 500 ? onRefusal(error, c.get("clientAddress")) : error;
    });
    await next();
  };
}

function bearerToken(header: string | undefined): string {
  if (header === undefined)
    throw new ApiError(401, 'The request has no API key. Send the header "Authorization: Bearer svc_…".', {
      "WWW-Authenticate": 'Bearer realm="offprint"',
    });
  const token = /^Bearer +([\w~+/.-]+=*) *$/i.exec(header)?.[1];
  if (token === undefined)
    throw unauthorized('The Authorization header must be "Bearer", a space, and an API key that starts with svc_.');
  return token;
}

export const isValid = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  !revokedAt && !(expiresAt && expiresAt.getTime() <= now);

function checkExpiry(key: ApiKey, now: number): void {
  if (isValid(key, now)) return;
  const { revokedAt, expiresAt } = key;
  const why = revokedAt ? "has been revoked" : `expired at ${expiresAt!.toISOString()}`;
  throw unauthorized(`This API key ${why}. Create another: offprint key create.`);
}

function checkAddress(key: ApiKey, address: string | undefined): void {
  if (key.allowedAddresses.length === 0) return;
  if (address === undefined || !addressMatcher(key.allowedAddresses)(address))
    throw new ApiError(
      403,
      `This API key cannot be used from ${address ?? "an unknown address"}. Add the address to the key's allowed addresses.`,
    );
}

const wrongKind = {
  admin: "This is an admin key (svc_…), which must stay on servers; this route takes an assistant key (svc_dsc_…).",
  assistant: "This is an assistant key (svc_dsc_…); this route takes an admin key (svc_…).",
};

function checkScope(
  key: ApiKey,
  method: string,
  scope = method === "GET" || method === "HEAD" ? ("read" as const) : ("write" as const),
): void {
  if (!key.scopes.includes(scope) && !key.scopes.includes("write"))
    throw new ApiError(403, `This API key does not have the scope "${scope}", which ${method} requests need.`);
}

const unauthorized = (message: string): ApiError =>
  new ApiError(401, message, { "WWW-Authenticate": 'Bearer realm="offprint", error="invalid_token"' });

/** Compares in constant time. @param realm of the token, in lower case. @throws {ApiError} 401 if it differs. */
export function requireToken(token: string, authorization: string | undefined, realm: string): void {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  if (timingSafeEqual(hash(`Bearer ${token}`), hash(authorization ?? ""))) return;
  throw new ApiError(401, `This route needs the token of ${realm}: Authorization: Bearer <token>.`, {
    "WWW-Authenticate": `Bearer realm="${realm}"`,
  });
}

/** An address waits after this many failures. */
const allowedFailures = 10;

/**
 * Like `requireToken`, but it limits guesses: after ten wrong tokens, an address waits longer and longer, up to 15 minutes,
 * in all processes. The right token waits as well; otherwise guesses would have no limit.
 *
 * @returns a function that throws an `ApiError`: 401, or 429 with Retry-After.
 */
export function createTokenCheck({ store: { accounts }, now }: RouteDeps, token: string, realm: string) {
  return async (authorization: string | undefined, address = "unknown"): Promise<void> => {
    const name = `token of ${realm} from ${networkOf(address)}`;
    const wait = (ms: number): void => {
      if (ms <= 0) return;
      const seconds = Math.ceil(ms / 1000);
      const what = `Too many requests with a wrong token came from ${address}.`;
      throw tryLater(429, `${what} Try again in ${seconds} seconds.`, seconds);
    };
    try {
      requireToken(token, authorization, realm);
    } catch (refusal) {
      // A request without a token is not a guess.
      if (authorization === undefined) throw refusal;
      wait(
        (await accounts.countFailure([name], ([failures]) => attemptDelay(failures!, allowedFailures, now()))).waitMs,
      );
      throw refusal;
    }
    wait(attemptDelay(await accounts.failures(name), allowedFailures, now()));
  };
}
