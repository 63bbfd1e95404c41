import { hash, randomBytes } from "node:crypto";
import { type Query, type Row, raw } from "../database/database.js";
import { recordReader } from "../database/rows.js";
import type { Invite, Membership, Person, Session } from "./person.js";

/** 256 random bits. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** A random secret needs no slow hash. */
export const secretHash = (secret: string): string => hash("sha256", secret);

export const personOf = recordReader<Person>(
  ["personId", "email", "name", "passwordHash", "totpSecret", "oidcSubject", "createdAt"],
  ["recoveryCodes"],
);

export async function personBy(
  query: Query,
  column: "email" | "oidc_subject" | "person_id",
  value: string,
): Promise<Person | undefined> {
  const [row] = await query`select * from people where ${raw(column)} = ${value}`;
  return row && personOf(row);
}

export const membershipOf = recordReader<Membership>(["organizationId", "organizationName", "role"]);

export const inviteOf = recordReader<Invite>([
  ...(["inviteId", "kind", "email", "organizationId", "role", "createdAt", "endsAt"] as const),
]);

/** Columns of a session that the table of people does not have under the same name. */
export const sessionColumns = raw(
  `hash, stage, browser, sessions.organization_id, sessions.created_at as began_at, seen_at, ends_at, recheck_at,
   people.*`,
);

const sessionFieldsOf = recordReader<Pick<Session, "stage" | "organizationId" | "browser" | "seenAt" | "endsAt">>([
  ...(["stage", "organizationId", "browser", "seenAt", "endsAt"] as const),
]);

export const sessionOf = (row: Row, time: number): Omit<Session, "memberships"> => ({
  ...sessionFieldsOf(row),
  // A part of the hash: it does not lead to the secret.
  sessionId: (row["hash"] as string).slice(0, 16),
  person: personOf(row),
  createdAt: new Date(row["began_at"] as number),
  ...(isRecheckDue(row, time) && { stage: "recheck" }),
});

/** Also if the session began more than a minute from now: the clock was set back. */
const isRecheckDue = ({ recheck_at: at, began_at: beganAt }: Row, time: number): boolean =>
  at !== null && ((at as number) <= time || (beganAt as number) > time + 60_000);
