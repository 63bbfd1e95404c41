import { createHash, randomBytes } from "node:crypto";
import type { Row } from "../database/database.js";
import type { Invite, Membership, Person, Role, Session } from "./person-store.js";

/** 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** A random secret needs no slow hash. */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

const dateIn = (row: Row, column: string): Date => new Date(row[column] as number);
const optional = (row: Row, column: string): string | undefined => (row[column] as string | null) ?? undefined;

export const personOf = (row: Row): Person => ({
  personId: row["person_id"] as string,
  email: row["email"] as string,
  name: row["name"] as string,
  passwordHash: optional(row, "password_hash"),
  totpSecret: optional(row, "totp_secret"),
  recoveryCodes: JSON.parse(row["recovery_codes"] as string) as string[],
  oidcSubject: optional(row, "oidc_subject"),
  createdAt: dateIn(row, "created_at"),
});

export const membershipOf = (row: Row): Membership => ({
  organizationId: row["organization_id"] as string,
  organizationName: row["organization_name"] as string,
  role: row["role"] as Role,
});

export const inviteOf = (row: Row): Invite => ({
  inviteId: row["invite_id"] as string,
  kind: row["kind"] as Invite["kind"],
  email: row["email"] as string,
  organizationId: optional(row, "organization_id"),
  role: optional(row, "role") as Role | undefined,
  createdAt: dateIn(row, "created_at"),
  endsAt: dateIn(row, "ends_at"),
});

/** Columns of a session that the table of people does not have under the same name. */
export const sessionColumns =
  "hash, stage, browser, sessions.organization_id, sessions.created_at as began_at, seen_at, ends_at, recheck_at, people.*";

export const sessionOf = (row: Row, time: number): Omit<Session, "memberships"> => ({
  // A part of the hash: it does not lead to the secret.
  sessionId: (row["hash"] as string).slice(0, 16),
  person: personOf(row),
  stage: isRecheckDue(row, time) ? "recheck" : (row["stage"] as Session["stage"]),
  organizationId: optional(row, "organization_id"),
  browser: row["browser"] as string,
  createdAt: dateIn(row, "began_at"),
  seenAt: dateIn(row, "seen_at"),
  endsAt: dateIn(row, "ends_at"),
});

/** Also if the session began more than a minute from now: the clock was set back. */
const isRecheckDue = ({ recheck_at: at, began_at: beganAt }: Row, time: number): boolean =>
  at !== null && ((at as number) <= time || (beganAt as number) > time + 60_000);
