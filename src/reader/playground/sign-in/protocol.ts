import { attempt } from "../../../lib/attempt.js";
import type { FormFlow, FormSignIn } from "../../../reference/forms/playground-form.js";
import type { SignInTools } from "../sign-in-tools.js";

export interface Client {
  readonly id: string;
  /** Empty for a public client. */
  readonly secret: string;
  /** Separated by blanks. */
  readonly scope: string;
}

/** URLs of the server that issues tokens. */
export interface Endpoints {
  readonly authorizationUrl?: string;
  readonly deviceAuthorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly issuer?: string;
  /** The server accepts a client secret in the body only. */
  readonly secretInBody: boolean;
  /** More parameters from the specification, such as `audience`: of the authorization URL (`query`) and of token requests. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
}
export type TokenEndpoint = Pick<Endpoints, "tokenUrl" | "secretInBody" | "issuer" | "body">;
/** The part of the endpoints that is stored with a token. */
export const tokenEndpoint = ({ tokenUrl, secretInBody, issuer, body }: TokenEndpoint): TokenEndpoint => ({
  tokenUrl,
  secretInBody,
  issuer,
  body,
});

export interface Token {
  readonly value: string;
  readonly refresh?: string;
  /** By the clock of the browser. */
  readonly expiresAtMs?: number;
}

/** What is needed when the server sends the reader back. */
export interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly redirect: string;
}

/** The response of a token server, which may be an error. */
type Fields = Readonly<Record<string, unknown>>;
export type Ask = (
  url: string,
  fields?: Readonly<Record<string, string>>,
  headers?: [string, string][],
) => Promise<Fields>;

/** Sends requests to token servers. Rejects with a text for the reader if the response is not JSON. */
export const createAsk =
  ({ sendRequest, reasonsFor }: SignInTools, signal: AbortSignal): Ask =>
  async (url, fields, headers = []) => {
    const type: [string, string][] = fields ? [["Content-Type", "application/x-www-form-urlencoded"]] : [];
    const request = {
      sample: { method: fields ? "POST" : "GET", url, headers: [] },
      forwarded: Object.keys(fields ?? {}),
      headers: [["Accept", "application/json"] as const, ...type, ...headers],
      ...(fields ? { body: new URLSearchParams(fields).toString() } : {}),
    };
    const outcome = await sendRequest(request, { withCookies: false, signal, onText: () => {} });
    if (outcome.kind !== "answer") throw new Error(reasonsFor(outcome, url).join(" "));
    const { status, bytes } = outcome.answer;
    const response = parseFields(new TextDecoder().decode(bytes));
    if (response === undefined) throw new Error(`${url}: ${status}`);
    return response;
  };

function parseFields(text: string): Fields | undefined {
  const value = attempt(() => JSON.parse(text));
  return typeof value === "object" && value !== null ? value : undefined;
}

const textField = (fields: Fields, name: string): string | undefined =>
  typeof fields[name] === "string" ? (fields[name] as string) : undefined;

/** The URLs from the specification; those that it omits come from the discovery document. @param base the API's URL. */
export async function findEndpoints(
  { discovery }: FormSignIn,
  flow: FormFlow,
  base: string,
  ask: Ask,
): Promise<Endpoints> {
  const discovered = discovery === undefined ? {} : await ask(webAddress(discovery, base));
  const endpoint = (specified: string | undefined, name: string): string | undefined => {
    const url = specified ?? textField(discovered, name);
    return url === undefined ? undefined : webAddress(url, base);
  };
  const methods = discovered["token_endpoint_auth_methods_supported"];
  const supports = (method: string): boolean => Array.isArray(methods) && methods.includes(method);
  return {
    authorizationUrl: endpoint(flow.authorizationUrl, "authorization_endpoint"),
    deviceAuthorizationUrl: endpoint(flow.deviceAuthorizationUrl, "device_authorization_endpoint"),
    tokenUrl: endpoint(flow.tokenUrl, "token_endpoint"),
    issuer: textField(discovered, "issuer"),
    query: flow.query,
    body: flow.body,
    secretInBody: supports("client_secret_post") && !supports("client_secret_basic"),
  };
}

/** An absolute HTTP URL. @throws for other schemes, such as `javascript:`. */
function webAddress(text: string, base: string): string {
  const url = URL.canParse(text) ? new URL(text) : new URL(text, base);
  if (!/^https?:$/.test(url.protocol)) throw new Error(text);
  return url.href;
}

export const newPending = (redirect: string): Pending => ({
  state: randomText(),
  verifier: randomText(),
  nonce: randomText(),
  redirect,
});

const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));
const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

const isOpenId = (scope: string): boolean => scope.split(" ").includes("openid");

/** The URL at which the reader signs in: authorization code with PKCE. */
export function authorizationAddress(
  { authorizationUrl, query: more }: Endpoints,
  { id, scope }: Client,
  pending: Pending,
): string {
  const address = new URL(required(authorizationUrl, "authorization_endpoint"));
  const query: Record<string, string> = {
    ...more,
    response_type: "code",
    client_id: id,
    redirect_uri: pending.redirect,
    state: pending.state,
    code_challenge: base64Url(sha256(pending.verifier)),
    code_challenge_method: "S256",
    ...(scope === "" ? {} : { scope }),
    ...(isOpenId(scope) ? { nonce: pending.nonce } : {}),
  };
  for (const name in query) address.searchParams.set(name, query[name]!);
  return address.href;
}

/** The code in the query of the URL that the reader returned to; undefined if it answers another request. */
export function codeIn(query: string, { state }: Pending, { issuer }: Pick<Endpoints, "issuer">): string | undefined {
  const answer = new URLSearchParams(query);
  if (answer.get("state") !== state) return undefined;
  const answerIssuer = answer.get("iss");
  if (issuer !== undefined && answerIssuer !== null && answerIssuer !== issuer) throw new Error(`iss: ${answerIssuer}`);
  const code = answer.get("code");
  if (code === null) throw new Error(answer.get("error_description") ?? answer.get("error") ?? query);
  return code;
}

export async function tokenFor(
  grant: Readonly<Record<string, string>>,
  client: Client,
  { tokenUrl, secretInBody, issuer, body }: TokenEndpoint,
  ask: Ask,
  nonce?: string,
): Promise<Token> {
  const { id, secret } = client;
  const isBasic = secret !== "" && !secretInBody;
  const clientFields: Record<string, string> = isBasic
    ? {}
    : { client_id: id, ...(secret === "" ? {} : { client_secret: secret }) };
  const headers: [string, string][] = isBasic
    ? [["Authorization", `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`]]
    : [];
  const answer = await ask(required(tokenUrl, "token_endpoint"), { ...body, ...grant, ...clientFields }, headers);
  const token = textField(answer, "access_token");
  if (token === undefined) throw new Refusal(answer);
  const type = textField(answer, "token_type") ?? "Bearer";
  if (!/^bearer$/i.test(type)) throw new Error(`token_type: ${type}`);
  const idToken = textField(answer, "id_token");
  if (nonce !== undefined && idToken !== undefined) checkIdToken(idToken, { nonce, id, issuer });
  const seconds = Number(answer["expires_in"]);
  const expiresAtMs = seconds > 0 ? Date.now() + seconds * 1000 : undefined;
  return { value: token, refresh: textField(answer, "refresh_token"), expiresAtMs };
}

/** An error response of a token server. */
export class Refusal extends Error {
  readonly code: string;
  constructor(answer: Fields) {
    const code = textField(answer, "error") ?? "";
    super(textField(answer, "error_description") ?? code);
    this.code = code;
  }
}

export const required = (url: string | undefined, name: string): string => {
  if (url === undefined) throw new Error(name);
  return url;
};

/** The token came straight from the token server, so its signature need not be checked. */
function checkIdToken(token: string, expected: { nonce: string; id: string; issuer: string | undefined }): void {
  const payload = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
  const claims = parseFields(atob(payload)) ?? {};
  if (claims["nonce"] !== expected.nonce) throw new Error("id_token: nonce");
  if (![claims["aud"]].flat().includes(expected.id)) throw new Error("id_token: aud");
  if (expected.issuer !== undefined && claims["iss"] !== expected.issuer) throw new Error("id_token: iss");
}

interface DeviceCode {
  readonly code: string;
  readonly address: string;
  /** Polls until the reader has confirmed the code on that page. */
  token(): Promise<Token>;
}

export async function startDevice(
  client: Client,
  endpoints: Endpoints,
  ask: Ask,
  signal: AbortSignal,
): Promise<DeviceCode> {
  const url = required(endpoints.deviceAuthorizationUrl, "device_authorization_endpoint");
  const answer = await ask(url, {
    ...endpoints.body,
    client_id: client.id,
    ...(client.scope === "" ? {} : { scope: client.scope }),
  });
  const device = textField(answer, "device_code");
  if (device === undefined) throw new Refusal(answer);
  const address = textField(answer, "verification_uri_complete") ?? textField(answer, "verification_uri") ?? "";
  let seconds = typeof answer["interval"] === "number" ? answer["interval"] : 5;
  const grant = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: device };
  return {
    code: textField(answer, "user_code") ?? "",
    address: webAddress(address, url),
    async token() {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        signal.throwIfAborted();
        try {
          return await tokenFor(grant, client, endpoints, ask);
        } catch (error) {
          const code = error instanceof Refusal ? error.code : "";
          if (code === "slow_down") seconds += 5;
          else if (code !== "authorization_pending") throw error;
        }
      }
    },
  };
}

/** SHA-256. `crypto.subtle` is missing on pages over plain HTTP. @param text ASCII only. */
export function sha256(text: string): Uint8Array {
  const length = text.length;
  const words = new Uint32Array(((length + 8) >> 6) * 16 + 16);
  for (let i = 0; i <= length; i++) words[i >> 2]! |= (i < length ? text.charCodeAt(i) : 0x80) << (24 - (i % 4) * 8);
  words[words.length - 1] = length * 8;
  const hash = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const keys = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
  const w = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = words[block + i]!;
      else {
        const [x, y] = [w[i - 15]!, w[i - 2]!];
        const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
        const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
        w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
      }
      const sum = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + h + keys[i]! + w[i]!;
      const other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + sum) >>> 0, c, b, a, (sum + other) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      hash[i]! += word;
    });
  }
  return Uint8Array.from({ length: 32 }, (_, i) => hash[i >> 2]! >>> (24 - (i % 4) * 8));
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const fraction = (root: number): number => Math.floor((root % 1) * 2 ** 32);
const primes = Array.from({ length: 312 }, (_, i) => i).filter(
  (number) => number > 1 && !Array.from({ length: number }, (_, i) => i).some((by) => by > 1 && number % by === 0),
);
