import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

export interface OAuthServer {
  readonly url: string;
  /** Address of the bundle's page that the client may be sent back to; to be set before the first request. */
  allow(redirect: string): void;
  /** The client that a token was issued to, and its scope; undefined for any other text. */
  find(token: string): Promise<{ readonly clientId: string; readonly scope: string } | undefined>;
  close(): Promise<void>;
}

const device = "urn:ietf:params:oauth:grant-type:device_code";

/** A certified implementation on loopback that pages of any origin may ask, with its own pages for signing in. */
export async function startOAuthServer(): Promise<OAuthServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let provider: Provider;
  return {
    url,
    allow(redirect) {
      provider = new Provider(url, {
        clients: [
          {
            client_id: "reader",
            token_endpoint_auth_method: "none",
            application_type: "native",
            redirect_uris: [redirect],
            grant_types: ["authorization_code", "refresh_token", device],
          },
          {
            client_id: "machine",
            client_secret: "a secret: 100%",
            grant_types: ["client_credentials"],
            redirect_uris: [],
            response_types: [],
          },
        ],
        cookies: { keys: ["test"] },
        scopes: ["openid", "read", "write"],
        features: {
          clientCredentials: { enabled: true },
          deviceFlow: { enabled: true },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: () => ({ scope: "read write", accessTokenFormat: "opaque" }),
            useGrantedResource: () => true,
          },
        },
        issueRefreshToken: (_context: object, client: { grantTypeAllowed(type: string): boolean }) =>
          client.grantTypeAllowed("refresh_token"),
        clientBasedCORS: () => true,
        pkce: { required: () => true },
        ttl: {
          Interaction: 600,
          Grant: 600,
          Session: 600,
          AccessToken: 600,
          IdToken: 600,
          ClientCredentials: 600,
          DeviceCode: 600,
          RefreshToken: 600,
        },
      });
      server.on("request", provider.callback());
    },
    async find(token) {
      const found = (await provider.AccessToken.find(token)) ?? (await provider.ClientCredentials.find(token));
      return found && { clientId: found.clientId, scope: found.scope ?? "" };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
