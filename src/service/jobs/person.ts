/** `owner`: people, keys, removal; `editor`: jobs, sites, conversations; `reader`: looks only. Each includes the next. */
export type Role = "owner" | "editor" | "reader";

export const roles: readonly Role[] = ["owner", "editor", "reader"];

/** Whether `role` includes `wanted`. */
export const includesRole = (role: Role, wanted: Role): boolean => roles.indexOf(role) <= roles.indexOf(wanted);

/** Someone who may use the console. */
export interface Person {
  /** `per_` and 32 hexadecimal digits. */
  readonly personId: string;
  /** In lower case, unique. */
  readonly email: string;
  readonly name: string;
  /** As `hash-password.ts` writes it; undefined: the person enters by single sign-on alone. */
  readonly passwordHash?: string;
  /** Base32, of the second factor; undefined: there is none. */
  readonly totpSecret?: string;
  /** Hashes of the recovery codes that are left. */
  readonly recoveryCodes: readonly string[];
  /** Issuer and subject of the identity provider. */
  readonly oidcSubject?: string;
  readonly createdAt: Date;
}

export interface Membership {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
}

/** A person of one organization. */
export interface Member {
  readonly person: Person;
  readonly role: Role;
  readonly lastSeenAt?: Date;
}

/** A link that lets someone enter, once. Its secret is shown once and stored as a hash. */
export interface Invite {
  readonly inviteId: string;
  /** `reset`: a new password for a person who exists; it has neither organization nor role. */
  readonly kind: "invite" | "reset";
  /** Empty: whoever has the link chooses it. */
  readonly email: string;
  readonly organizationId?: string;
  readonly role?: Role;
  readonly createdAt: Date;
  readonly endsAt: Date;
}

export interface NewInvite {
  readonly email: string;
  readonly organizationId: string;
  readonly role: Role;
  readonly endsAt: Date;
}

/** What a browser may do until it ends. */
export interface Session {
  /** Names the session in lists; not its secret. */
  readonly sessionId: string;
  readonly person: Person;
  /**
   * `password`: the second factor is still missing, so the session opens nothing but its form. `recheck`: it opens
   * nothing until the identity provider has confirmed the person again.
   */
  readonly stage: "password" | "open" | "recheck";
  /** Sorted by the organization's name. */
  readonly memberships: readonly Membership[];
  /** The organization that the person looks at. */
  readonly organizationId?: string;
  /** The program and system, in words. */
  readonly browser: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly endsAt: Date;
}

/** Who did what when. */
export interface AuditEntry {
  readonly at: Date;
  /** Name and address of the person, `key` and the name of the API key, or another actor; empty for the service. */
  readonly actor: string;
  /** Such as `job.cancel`. */
  readonly action: string;
  /** What it was done to, such as a job's id. */
  readonly subject: string;
  /** Nothing secret. */
  readonly detail: string;
}

export interface NewAuditEntry extends Pick<AuditEntry, "action" | "subject" | "detail"> {
  readonly organizationId: string;
  readonly personId?: string;
  readonly keyId?: string;
  /** Who it was, if neither a person nor a key: such as `command line (ada)`. */
  readonly actor?: string;
}
