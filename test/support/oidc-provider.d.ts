/** The parts of the identity provider that the tests use; the package has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  interface KoaContext {
    readonly path: string;
    body: { id_token?: string } & Record<string, unknown>;
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  interface Tokens {
    find(token: string): Promise<{ readonly clientId: string; readonly scope?: string } | undefined>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: Tokens;
    readonly ClientCredentials: Tokens;
    readonly Grant: new (fields: {
      accountId: string;
      clientId: string;
    }) => Grant;
    callback(): RequestListener;
    use(middleware: (context: KoaContext, next: () => Promise<void>) => Promise<void>): void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ readonly params: { readonly client_id: string } }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
