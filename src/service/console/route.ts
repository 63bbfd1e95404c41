import type { JsxChild } from "../../lib/jsx/jsx-runtime.js";
import type { Log } from "../../lib/log.js";
import type { AgentSetup } from "../agent/index.js";
import type { Actor, Membership, Person, Role, Session } from "../jobs/index.js";
import type { Store } from "../open-store.js";

export interface ConsoleDeps {
  readonly store: Omit<Store, "shards" | "close">;
  /** What agent jobs may be asked for. Default: nothing, so each is refused. */
  readonly agent?: AgentSetup;
  /** Where browsers reach the console, without slash at the end; `https:` makes the cookies secure. */
  readonly publicUrl: string;
  /** The binary logarithm of scrypt's N; default 17. */
  readonly passwordCost?: number;
  /** Single sign-on; without it people enter by password alone. */
  readonly oidc?: OidcOptions;
  /** Where the service keeps its data, for the overview. */
  readonly system?: {
    readonly database: string;
    readonly bundles: string;
    /** Undefined: no data is on a disk of this machine. */
    readonly dataFolder?: string;
    /** Ends the commands that the pages teach: ` --data out/service`, if the service has that option. */
    readonly dataOption?: string;
    /** The file with the secret of the links; undefined: the object store signs them. */
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
  /** The parts of the path that the route names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a POST, bounded; of other requests empty. */
  readonly form: URLSearchParams;
  readonly session?: Session;
  /** Aborts when the server closes. */
  readonly closing?: AbortSignal;
}

/** A request of somebody who has logged in. */
export interface ConsoleContext extends OpenContext {
  readonly session: Session;
  readonly person: Person;
  /** The one that the person looks at. Every answer is limited to it. */
  readonly organization: Membership;
  readonly organizationId: string;
  readonly role: Role;
  /** For the forms of the page. */
  readonly csrf: string;
  /** The person, for the audit log. */
  readonly by: Actor;
  /** Adds a line to the audit log about an act that changes nothing, such as a download. Nothing secret in `detail`. */
  audit(action: string, subject: string, detail?: string): Promise<void>;
}

export type ConsoleAnswer =
  | ({
      readonly page: JsxChild;
      readonly title: string;
      readonly status?: number;
      readonly retryAfterSeconds?: number;
      /** Without the menus around it. */
      readonly full?: boolean;
    } & Cookies)
  /** A path of the console, and what the next page says on top. */
  | ({ readonly redirect: string; readonly notice?: string } & Cookies)
  | { readonly file: string | Uint8Array; readonly type: string; readonly name: string }
  | { readonly response: Response }
  | "not-found";

interface Cookies {
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[];
}

interface RouteOf<R, C> {
  /** POST alone changes things. */
  readonly method: "GET" | "POST";
  /** Below `/console`: `/jobs/{id}`, or "" for the first page. */
  readonly path: string;
  readonly role: R;
  readonly handle: (context: C) => Promise<ConsoleAnswer> | ConsoleAnswer;
}

/** `open` needs no session. Somebody whose role is too low gets the same answer as for an unknown path. */
export type ConsoleRoute = RouteOf<"open", OpenContext> | RouteOf<Role, ConsoleContext>;

/**
 * A handler for the object that the address names. An object that `find` does not give, such as one of another
 * organization, is answered like an unknown path.
 */
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
  /** The claim with the groups. */
  readonly groupsClaim: string;
  /** The organization that people of these domains and groups join. */
  readonly organizationId: string;
  /** How long a session lasts until the provider has to confirm the person again, in milliseconds. */
  readonly recheckMs: number;
  /** Whether passwords are off. */
  readonly only: boolean;
}
