import type { JsxChild } from "../../lib/jsx/jsx-runtime.js";
import type { Log } from "../../lib/log.js";
import type { AgentSetup } from "../agent/index.js";
import type { Actor, Membership, Person, Role, Session } from "../jobs/index.js";
import type { Store } from "../open-store.js";

export interface ConsoleDeps {
  readonly store: Omit<Store, "shards" | "close">;
  /** The kinds of agent jobs that are accepted. Default: none. */
  readonly agent?: AgentSetup;
  /** The address of the console for browsers, without trailing slash. With `https:` the cookies are secure. */
  readonly publicUrl: string;
  /** The binary logarithm of scrypt's N; default 17. */
  readonly passwordCost?: number;
  /** Single sign-on; without it people enter by password alone. */
  readonly oidc?: OidcOptions;
  /** Where the service stores its data, for the overview. */
  readonly system?: {
    readonly database: string;
    readonly bundles: string;
    /** Undefined if no data is on a disk of this machine. */
    readonly dataFolder?: string;
    /** The end of the commands that the pages show, such as ` --data out/service`. */
    readonly dataOption?: string;
    /** The file with the secret of the links; undefined if the object store signs them. */
    readonly linkSecretFile?: string;
  };
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Log;
}

/** A request, with or without a session. */
export interface OpenContext {
  readonly deps: ConsoleDeps;
  /** Fails with a 503 while the database or the object store cannot be reached. */
  readonly store: ConsoleDeps["store"];
  readonly request: Request;
  /** Whether the browser sends its cookies encrypted. */
  readonly isSecure: boolean;
  /** Address of the client. */
  readonly address: string | undefined;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a POST; empty for other requests. */
  readonly form: URLSearchParams;
  readonly session?: Session;
  readonly closing?: AbortSignal;
}

/** A request of somebody who has logged in. */
export interface ConsoleContext extends OpenContext {
  readonly session: Session;
  readonly person: Person;
  /** The organization that the person looks at. Every answer is limited to it. */
  readonly organization: Membership;
  readonly organizationId: string;
  readonly role: Role;
  /** The token for the forms of the page. */
  readonly csrf: string;
  /** Who acts, for the audit log. */
  readonly by: Actor;
  /** Adds a line to the audit log about an act that changes nothing, such as a download. Keep secrets out of `detail`. */
  audit(action: string, subject: string, detail?: string): Promise<void>;
}

export interface PageAnswer extends Cookies {
  readonly page: JsxChild;
  readonly title: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  /** Fills the window, without the menus. */
  readonly full?: boolean;
}

export type ConsoleAnswer =
  | PageAnswer
  /** A path of the console, and a notice for the top of the next page. */
  | ({ readonly redirect: string; readonly notice?: string } & Cookies)
  | { readonly file: string | Uint8Array; readonly type: string; readonly name: string }
  | { readonly response: Response }
  | "not-found";

interface Cookies {
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[];
}

interface RouteOf<R, C> {
  /** Only a POST may change anything. */
  readonly method: "GET" | "POST";
  /** The path below `/console`, such as `/jobs/{id}`; "" is the first page. */
  readonly path: string;
  readonly role: R;
  readonly handle: (context: C) => Promise<ConsoleAnswer> | ConsoleAnswer;
}

/** A route with the role `open` needs no session. If the person's role is too low, the path is answered like an unknown one. */
export type ConsoleRoute = RouteOf<"open", OpenContext> | RouteOf<Role, ConsoleContext>;

/** Handlers for the object in a path. If `find` returns undefined, the response is that of an unknown path. */
export const forObject =
  <T>(find: (context: ConsoleContext) => Promise<T | undefined>) =>
  (handle: (context: ConsoleContext, object: T) => Promise<ConsoleAnswer> | ConsoleAnswer) =>
  async (context: ConsoleContext): Promise<ConsoleAnswer> => {
    const object = await find(context);
    return object === undefined ? "not-found" : handle(context, object);
  };

/** Single sign-on with OpenID Connect. */
export interface OidcOptions {
  /** `https://id.example.com`; over http only on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A new person with a verified address of one of these becomes a reader. */
  readonly domains: readonly string[];
  /**
   * Roles by group; the highest role wins. If there are any, each login sets the role; otherwise a login never changes an
   * existing role. With groups or domains, nobody else may enter.
   */
  readonly groups: Readonly<Record<string, Role>>;
  readonly groupsClaim: string;
  /** The organization that people of these domains and groups join. */
  readonly organizationId: string;
  /** How long a session lasts until the provider has to confirm the person again, in milliseconds. */
  readonly recheckMs: number;
  /** Whether passwords are off. */
  readonly only: boolean;
}
