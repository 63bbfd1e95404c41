import type { Role } from "../../jobs/index.js";

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
