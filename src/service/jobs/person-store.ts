import type {
  Actor,
  AuditEntry,
  AuditVerdict,
  Invite,
  Member,
  Membership,
  NewAuditEntry,
  NewInvite,
  Person,
  Role,
  Session,
} from "./person.js";

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
