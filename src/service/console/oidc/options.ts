import type { Role } from "../../jobs/index.js";

/** Single sign-on with OpenID Connect. */
export interface OidcOptions {
  /** `https://id.example.com`; over http only on loopback. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Whoever has a verified address of one of these becomes a reader. */
  readonly domains: readonly string[];
  /** Roles by group; of several the highest counts. With groups or domains, nobody else may enter. */
  readonly groups: Readonly<Record<string, Role>>;
  /** The claim with the groups. */
  readonly groupsClaim: string;
  /** Whom the domains and groups make members of. */
  readonly organizationId: string;
  /** Whether passwords are off. */
  readonly only: boolean;
}
