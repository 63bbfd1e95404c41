/** `owner`: people, keys, removal; `editor`: jobs, sites, conversations; `reader`: looks only. Each includes the next. */
export type Role = "owner" | "editor" | "reader";

export const roles: readonly Role[] = ["owner", "editor", "reader"];

export const includesRole = (role: Role, minRole: Role): boolean => roles.indexOf(role) <= roles.indexOf(minRole);

/** Someone who may use the console. */
export interface Person {
  /** `per_` and 32 hexadecimal digits. */
  readonly personId: string;
  /** In lower case, unique. */
  readonly email: string;
  readonly name: string;
  /** See `hashPassword`; undefined if the person can only use single sign-on. */
  readonly passwordHash?: string;
  /** The secret of the second factor in base32; undefined if it is off. */
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
  /** Empty if the person with the link chooses it. */
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

/** A login in one browser. */
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

/** Who makes a change, for the audit log: a person, an API key or another actor; empty for the service itself. */
export interface Actor {
  readonly personId?: string;
  readonly keyId?: string;
  /** Such as `command line (ada)`. */
  readonly actor?: string;
}

/** Who did what when. */
export interface AuditEntry extends Pick<Actor, "personId" | "keyId"> {
  readonly at: Date;
  /** Grows with each line of the database. */
  readonly position: number;
  /** Name and address that the person had, `key` and the name of the API key, or another actor; empty for the service. */
  readonly actor: string;
  /** Such as `job.cancel`. */
  readonly action: string;
  /** The object of the action, such as a job's id. */
  readonly subject: string;
  /** Nothing secret. */
  readonly detail: string;
  /** Number in the chain of the organization, from 1. */
  readonly line: number;
  /** SHA-256 of the line and of the hash of the line before, in hexadecimal digits. */
  readonly hash: string;
  /** SHA-256 of `salt`, `actor`, `subject` and `detail`; of the original ones if they are erased. */
  readonly digest: string;
  /** Undefined once the texts are erased. */
  readonly salt?: string;
}

export interface NewAuditEntry extends Actor, Pick<AuditEntry, "action" | "subject" | "detail"> {
  readonly organizationId: string;
}

/** The result of recomputing the hashes of an organization's audit log. */
export interface AuditVerdict {
  /** Lines of the chain that are stored. */
  readonly lines: number;
  /** Lines of the chain that were deleted because they were old. */
  readonly prunedLines: number;
  /** Lines whose texts were erased with a person. */
  readonly erasedLines: number;
  /** Hash of the last line. Store it elsewhere to detect a log that was rewritten. */
  readonly head: string;
  /** The first line whose hash or number is wrong. */
  readonly broken: { readonly position: number; readonly problem: string } | undefined;
}

export type PersonChanges = Partial<Pick<Person, "name" | "passwordHash" | "recoveryCodes">> & {
  readonly totpSecret?: string | null;
};

export interface NewPerson {
  readonly name: string;
  readonly passwordHash: string;
  /** For an invite that names no address. */
  readonly email?: string;
}

export interface CreatedInvite {
  readonly invite: Invite;
  readonly secret: string;
}

export interface SubjectEntry {
  readonly subject: string;
  /** Verified by the provider. */
  readonly email: string;
  readonly name: string;
  readonly membership?: {
    readonly organizationId: string;
    readonly role: Role;
    /** Whether the provider assigns roles. If not, only a new member of the organization gets the role. */
    readonly isMapped: boolean;
  };
}

export interface SubjectEntered {
  readonly person: Person;
  /** Whether the provider gave the last owner a lower role, which was ignored. */
  readonly isRoleKept: boolean;
}

export interface NewSession {
  readonly personId: string;
  readonly stage: "password" | "open";
  readonly browser: string;
  readonly organizationId?: string;
  /** Address of the client, for the audit log. */
  readonly address?: string;
  /** For single sign-on: the time in milliseconds after which the stage becomes `recheck`. */
  readonly recheckMs?: number;
}
