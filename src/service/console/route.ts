import type { JsxChild } from "../../lib/jsx/jsx-runtime.js";
import type { Log } from "../../lib/log.js";
import type { AgentSetup } from "../agent/index.js";
import type { Credentials } from "../git/credentials/index.js";
import type {
  AccountStore,
  Actor,
  AgentStore,
  ErasureStore,
  JobStore,
  Membership,
  Person,
  PersonStore,
  Role,
  Session,
  ThreadStore,
  ViewStore,
} from "../jobs/index.js";
import type { ObjectStore } from "../store/index.js";

interface ConsoleStore {
  readonly jobs: JobStore;
  readonly agents: AgentStore;
  readonly accounts: AccountStore;
  readonly threads: ThreadStore;
  readonly people: PersonStore;
  readonly views: ViewStore;
  readonly erasures: ErasureStore;
  readonly credentials: Credentials;
  readonly objects: ObjectStore;
}

export interface ConsoleDeps {
  readonly store: ConsoleStore;
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

/** What a handler knows of a request, also of one without a session. */
export interface OpenContext {
  readonly deps: ConsoleDeps;
  readonly request: Request;
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

/** What a handler knows of a request of somebody who has logged in. */
export interface ConsoleContext extends OpenContext {
  readonly session: Session;
  readonly person: Person;
  /** The one that the person looks at. Every answer is limited to it. */
  readonly organization: Membership;
  readonly role: Role;
  /** For the forms of the page. */
  readonly csrf: string;
  /** The person, for the audit log. */
  readonly by: Actor;
  /** Adds a line to the audit log about an act that changes nothing, such as a download. Nothing secret in `detail`. */
  audit(action: string, subject: string, detail?: string): Promise<void>;
}

export type ConsoleAnswer =
  /** `full`: without the menus around it. */
  | ({
      readonly page: JsxChild;
      readonly title: string;
      readonly status?: number;
      readonly retryAfterSeconds?: number;
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
  readonly handle: (context: C) => Promise<ConsoleAnswer>;
}

/** `open` needs no session. Somebody whose role is too low gets the same answer as for an unknown path. */
export type ConsoleRoute = RouteOf<"open", OpenContext> | RouteOf<Role, ConsoleContext>;

/** Single sign-on with OpenID Connect. */
export interface OidcOptions {
  /** `https://id.example.com`; over http only on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A new person with a verified address of one of these becomes a reader. */
  readonly domains: readonly string[];
  /**
   * Roles by group; of several the highest counts. With any, each login sets the role; without, no login changes a role
   * that somebody has. With groups or domains, nobody else may enter.
   */
  readonly groups: Readonly<Record<string, Role>>;
  /** The claim with the groups. */
  readonly groupsClaim: string;
  /** Whom the domains and groups make members of. */
  readonly organizationId: string;
  /** How long a session lasts until the provider has to confirm the person again, in milliseconds. */
  readonly recheckMs: number;
  /** Whether passwords are off. */
  readonly only: boolean;
}
