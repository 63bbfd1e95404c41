import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { onTestFinished } from "vitest";

export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The provider's claims about the person who logs in. */
  claims: Record<string, unknown>;
  /** Changes the ID token before it is signed again, with the provider's key or another one. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | undefined;
  signsWithOtherKey: boolean;
  /** Goes through the login there as a browser does, and gives the address that it leads back to. */
  logIn(address: string): Promise<URL>;
}

/** A certified implementation on loopback, at which everybody who comes is logged in. */
export async function startIdentityProvider(redirect: string): Promise<IdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [key, other] = [newKey(), newKey()];
  const [clientId, clientSecret] = ["offprint", "a secret of the client"];
  const made: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    claims: {},
    tamper: undefined,
    signsWithOtherKey: false,
    logIn,
  };
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirect] }],
    jwks: { keys: [{ ...key.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "test" }] },
    cookies: { keys: ["test"] },
    claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, ...made.claims }),
    }),
    interactions: { url: () => "/enter" },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
  });
  provider.use(async (context, next) => {
    await next();
    const token = context.path === "/token" ? context.body?.id_token : undefined;
    if (token === undefined || (!made.tamper && !made.signsWithOtherKey)) return;
    const claims = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
    context.body.id_token = signed(made.tamper?.(claims) ?? claims, made.signsWithOtherKey ? other : key);
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    if (!request.url!.startsWith("/enter")) return answer(request, response);
    void enter(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return made;

  async function enter(...[request, response]: Parameters<ReturnType<Provider["callback"]>>): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const accountId = createHash("sha256")
      .update(String(made.claims["account"] ?? made.claims["email"]))
      .digest("hex");
    const grant = new provider.Grant({ accountId, clientId: params.client_id });
    grant.addOIDCScope("openid email profile");
    await provider.interactionFinished(request, response, {
      login: { accountId },
      consent: { grantId: await grant.save() },
    });
  }

  async function logIn(address: string): Promise<URL> {
    const cookies = new Map<string, string>();
    for (let url = new URL(address); ; ) {
      if (url.href.startsWith(redirect)) return url;
      const Cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const response = await fetch(url, { redirect: "manual", headers: { Cookie } });
      for (const each of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(each)!;
        cookies.set(name!, value!);
      }
      const to = response.headers.get("Location");
      if (to === null) throw new Error(`The provider answers ${response.status}: ${await response.text()}`);
      url = new URL(to, url);
    }
  }
}

const newKey = (): KeyObject => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

function signed(claims: object, key: KeyObject): string {
  const [head, body] = [{ alg: "RS256", kid: "test" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `${head}.${body}.${sign("sha256", Buffer.from(`${head}.${body}`), key).toString("base64url")}`;
}
