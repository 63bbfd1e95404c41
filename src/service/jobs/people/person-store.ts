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

/** Who makes a change, for the audit log: a person, an API key or another actor. Empty: the service itself. */
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
  /** What it was done to, such as a job's id. */
  readonly subject: string;
  /** Nothing secret. */
  readonly detail: string;
  /** Number in the chain of the organization, from 1. Undefined: an earlier program has written the line. */
  readonly line?: number;
  /** SHA-256 of the line and of the hash of the line before, in hexadecimal digits. */
  readonly hash?: string;
  /** SHA-256 of `salt`, `actor`, `subject` and `detail`; of the original ones if they are erased. */
  readonly digest?: string;
  /** Undefined once the texts are erased. */
  readonly salt?: string;
}

export interface NewAuditEntry extends Actor, Pick<AuditEntry, "action" | "subject" | "detail"> {
  readonly organizationId: string;
}

/** What the hashes of an organization's audit log say. */
export interface AuditVerdict {
  /** Lines of the chain that are stored. */
  readonly lines: number;
  /** Lines of the chain that were deleted because they were old. */
  readonly prunedLines: number;
  /** Lines whose texts were erased with a person. */
  readonly erasedLines: number;
  /** Positions of lines by programs that write no hash. */
  readonly unchained: readonly number[];
  /** Hash of the last line. Whoever keeps it elsewhere notices a log that was written anew. */
  readonly head: string;
  /** The first line that does not fit. */
  readonly broken: { readonly position: number; readonly problem: string } | undefined;
}

/**
 * Who may use the console, their sessions, and what they did. Every call is one transaction. A change adds its line to
 * the audit log in this transaction; `by` is who makes the change.
 */
export interface PersonStore {
  /** Whether anybody may enter. */
  hasPeople(): Promise<boolean>;
  /** With any membership or none. `email` in any case. */
  personByEmail(email: string): Promise<Person | undefined>;
  memberships(personId: string): Promise<readonly Membership[]>;
  /** Sorted by name. */
  members(organizationId: string): Promise<readonly Member[]>;
  /** Changes what is given; null removes it. */
  changePerson(personId: string, changes: PersonChanges, by?: Actor): Promise<void>;
  /**
   * Changes the role and ends the person's sessions. Without `role` the person leaves the organization. An organization
   * keeps its last owner.
   */
  setRole(
    organizationId: string,
    personId: string,
    role: Role | undefined,
    by?: Actor,
  ): Promise<"changed" | "unknown" | "last owner">;

  invite(invite: NewInvite, by?: Actor): Promise<CreatedInvite>;
  /** A link for a new password. Undefined: nobody has that address. */
  inviteToReset(email: string, endsAt: Date, by?: Actor): Promise<CreatedInvite | undefined>;
  /** Unused ones that have not expired, newest first. */
  invites(organizationId: string): Promise<readonly Invite[]>;
  /** False: there is no such unused invite. */
  withdrawInvite(organizationId: string, inviteId: string, by?: Actor): Promise<boolean>;
  /** The invite with that secret, if it can still be used. */
  findInvite(secret: string): Promise<Invite | undefined>;
  /**
   * Uses an invite. Someone who is a member elsewhere accepts with their own session, as `personId`; somebody new, or
   * one who resets the password, with a name and a password. A reset ends the person's sessions and second factor. The
   * last owner of an organization stays its owner, whatever the invite says.
   * Undefined: it has been used or has expired, or is for somebody else.
   */
  acceptInvite(secret: string, by: NewPerson | { readonly personId: string }): Promise<Person | undefined>;
  /**
   * The person with that subject, or else with that address, who then gets the subject. With `membership`, creates a
   * person who does not exist. Uses the invites of the address to organizations that the person does not belong to.
   * Undefined: nobody.
   */
  enterBySubject(entry: SubjectEntry): Promise<SubjectEntered | undefined>;

  /** Accepts a code of the second factor once: false if that step or a later one was used. */
  useTotpStep(personId: string, step: number): Promise<boolean>;
  /** Removes a recovery code. False: it was not there. */
  useRecoveryCode(personId: string, hash: string): Promise<boolean>;

  /** Returns the secret of the session. */
  createSession(session: NewSession): Promise<string>;
  /** The session with that secret, unless it has ended or the person has no membership any more. Notes that it was used. */
  findSession(secret: string): Promise<Session | undefined>;
  /** Open ones, used last first. */
  sessions(personId: string): Promise<readonly Omit<Session, "memberships">[]>;
  chooseOrganization(sessionId: string, organizationId: string): Promise<void>;
  /** The person logs out of it. */
  endSession(personId: string, sessionId: string): Promise<boolean>;
  /** Ends all sessions of the person but one. Resolves with their number. */
  endSessions(personId: string, exceptSessionId?: string, by?: Actor): Promise<number>;

  /**
   * Adds a line about an act that changes nothing, such as a download or a failed login. `ofPerson` adds it to the log
   * of each organization of the person.
   */
  addAuditEntry(
    entry: NewAuditEntry | (Omit<NewAuditEntry, "organizationId"> & { readonly ofPerson: string }),
  ): Promise<void>;
  /** How long lines are kept, in milliseconds. */
  readonly auditRetentionMs: number;
  /** Newest first by default. `cursor` is `next` of the previous page. */
  auditLog(
    organizationId: string,
    page: { readonly limit: number; readonly cursor?: string; readonly oldestFirst?: boolean },
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly next?: string }>;
  /** Recomputes the hashes of the log. */
  verifyAuditLog(organizationId: string): Promise<AuditVerdict>;
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
    /** Whether the provider assigns roles. False: the role is for somebody who is new to the organization. */
    readonly isMapped: boolean;
  };
}

export interface SubjectEntered {
  readonly person: Person;
  /** The provider gives a lower role to the last owner of the organization, who stays its owner. */
  readonly isRoleKept: boolean;
}

export interface NewSession {
  readonly personId: string;
  readonly stage: "password" | "open";
  readonly browser: string;
  readonly organizationId?: string;
  /** Address of the client, for the audit log. */
  readonly address?: string;
  /** Of a session by single sign-on: after this time its stage is `recheck`, in milliseconds. */
  readonly recheckMs?: number;
}
