import { hash, randomBytes } from "node:crypto";
import { type Database, type Row, raw, type Transaction } from "../database/database.js";
import { pageOf, positionOf, recordReader, storable } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import type { AuditEntry, AuditVerdict, NewAuditEntry } from "./person.js";

const verifiedLines = 1_000;

/**
 * Adds a line to the audit log in the transaction of the change that it describes, so that neither exists without the
 * other. The line contains the present name and address of the person, or the present name of the key. Its hash covers
 * the hash of the organization's line before. Locks the organization's row in `audit_heads` until the end of the
 * transaction: call it last. Adds nothing if the organization has been erased meanwhile.
 *
 * @param at in milliseconds since 1970.
 */
export async function insertAuditEntry(transaction: Transaction, at: number, entry: NewAuditEntry): Promise<void> {
  const { query } = transaction;
  const { organizationId, personId = null, keyId = null, action } = entry;
  const [head] = await query`insert into audit_heads (organization_id, lines, hash) values (${organizationId}, 0, '')
    on conflict (organization_id) do update set lines = audit_heads.lines returning lines, hash`;
  // The lock may have waited for the erasure of the organization.
  const [organization] = await query`select 1 as one from organizations where organization_id = ${organizationId}`;
  if (!organization) {
    await query`delete from audit_heads where organization_id = ${organizationId}`;
    return;
  }
  const texts: LineTexts = {
    actor: storable(await actorText(transaction, entry)),
    subject: storable(entry.subject),
    detail: storable(entry.detail),
  };
  const salt = randomBytes(16).toString("hex");
  const line = (head!["lines"] as number) + 1;
  const digest = digestOf(salt, texts);
  const lineHash = hashOf(head!["hash"] as string, { organizationId, line, at, personId, keyId, action, digest });
  await query`insert into audit_log
      (at, person_id, key_id, actor, organization_id, action, subject, detail, line, salt, digest, hash)
    values (${at}, ${personId}, ${keyId}, ${texts.actor}, ${organizationId}, ${action}, ${texts.subject},
      ${texts.detail}, ${line}, ${salt}, ${digest}, ${lineHash})`;
  await query`update audit_heads set lines = ${line}, hash = ${lineHash} where organization_id = ${organizationId}`;
}

/** Adds a line to the log of each organization of the person. */
export async function insertPersonEntry(
  transaction: Transaction,
  at: number,
  personId: string,
  entry: Omit<NewAuditEntry, "organizationId">,
): Promise<void> {
  const rows = await transaction.query`select organization_id from memberships
    where person_id = ${personId} order by organization_id`;
  for (const row of rows)
    await insertAuditEntry(transaction, at, { ...entry, organizationId: row["organization_id"] as string });
}

/** The texts of a line, which may contain personal data. Once they are erased, only their digest is left. */
interface LineTexts {
  readonly actor: string;
  readonly subject: string;
  readonly detail: string;
}

/** The salt keeps erased texts from being guessed by their digest. It is erased with them. */
const digestOf = (salt: string, { actor, subject, detail }: LineTexts): string =>
  hash("sha256", JSON.stringify([salt, actor, subject, detail]));

interface HashedLine extends Pick<NewAuditEntry, "organizationId" | "action"> {
  readonly line: number;
  readonly at: number;
  readonly personId: string | null;
  readonly keyId: string | null;
  readonly digest: string;
}

const hashOf = (before: string, { organizationId, line, at, personId, keyId, action, digest }: HashedLine): string =>
  hash("sha256", JSON.stringify([before, organizationId, line, at, personId, keyId, action, digest]));

/** The name that is stored in the line, so that later changes of the name do not change it. */
export async function actorText(
  { query }: Transaction,
  { personId, keyId, actor }: Pick<NewAuditEntry, "personId" | "keyId" | "actor">,
): Promise<string> {
  if (actor !== undefined) return actor;
  if (personId !== undefined) {
    const [person] = await query`select name, email from people where person_id = ${personId}`;
    return person ? `${person["name"] as string} (${person["email"] as string})` : pseudonymFor(personId);
  }
  if (keyId === undefined) return "";
  const [key] = await query`select name from api_keys where key_id = ${keyId}`;
  return key ? `key ${key["name"] as string}` : keyId;
}

export function createAuditLog({ database, now }: Pick<StoreDeps, "database" | "now">) {
  return {
    /** Adds a line about an act that changes nothing; `ofPerson`: to the log of each organization of the person. */
    async addAuditEntry(
      entry: NewAuditEntry | (Omit<NewAuditEntry, "organizationId"> & { readonly ofPerson: string }),
    ): Promise<void> {
      await database.transaction((transaction) =>
        "organizationId" in entry
          ? insertAuditEntry(transaction, now(), entry)
          : insertPersonEntry(transaction, now(), entry.ofPerson, entry),
      );
    },
    /** Newest first by default. `cursor` is `next` of the previous page. */
    async auditLog(
      organizationId: string,
      {
        limit,
        cursor,
        oldestFirst = false,
      }: { readonly limit: number; readonly cursor?: string; readonly oldestFirst?: boolean },
    ): Promise<{ readonly entries: readonly AuditEntry[]; readonly next?: string }> {
      const [isAfter, order] = oldestFirst ? [raw(">"), raw("asc")] : [raw("<"), raw("desc")];
      const start = oldestFirst ? 0 : Number.MAX_SAFE_INTEGER;
      const rows = await database.read`select * from audit_log where organization_id = ${organizationId}
          and position ${isAfter} ${cursor === undefined ? start : positionOf(cursor)}
        order by position ${order} limit ${limit + 1}`;
      const { shown, next } = pageOf(rows, limit, "position");
      return { entries: shown.map(entryOf), next };
    },
    /** Recomputes the hashes of the log. */
    async verifyAuditLog(organizationId: string): Promise<AuditVerdict> {
      for (;;) {
        const [head] = await database.read`select * from audit_heads where organization_id = ${organizationId}`;
        const verdict = await verifyLines(database, organizationId, head);
        const [after] = await database.read`select pruned_lines from audit_heads
          where organization_id = ${organizationId}`;
        // Otherwise old lines were deleted while this read: verify again.
        if (!head || after!["pruned_lines"] === head["pruned_lines"]) return verdict;
      }
    },
  };
}

async function verifyLines(database: Database, organizationId: string, head: Row | undefined): Promise<AuditVerdict> {
  const { lines = 0, hash: headHash = "", pruned_lines: pruned = 0, pruned_hash: prunedHash = "" } = head ?? {};
  const prunedLines = pruned as number;
  /** By pseudonym: erased lines, and how many of them lines of `person.erase` account for. */
  const erased = new Map<string, { lines: number; allowed: number; position: number }>();
  let broken: AuditVerdict["broken"];
  let [line, lastHash] = [prunedLines, prunedHash as string];
  let position = 0;
  const problemOf = (row: Row): string | undefined => {
    // The line was written after the head was read.
    if (head && (row["line"] as number) > (lines as number)) return undefined;
    line++;
    if (row["line"] !== line)
      return (row["line"] as number) > line ? `line ${line} is missing before it` : "it occurs twice";
    const [texts, digest] = [textsOf(row), row["digest"] as string];
    if (row["salt"] === null) {
      const pseudonym = pseudonymOf(row);
      if (pseudonym === undefined) return "its texts are erased, but not those of a person";
      const before = erased.get(pseudonym) ?? { lines: 0, allowed: 0, position };
      erased.set(pseudonym, { ...before, lines: before.lines + 1 });
    } else if (digestOf(row["salt"] as string, texts) !== digest) return "its texts were changed";
    if (row["action"] === "person.erase") {
      const before = erased.get(texts.subject);
      const allowed = Number.parseInt(texts.detail, 10) || 0;
      if (before) erased.set(texts.subject, { ...before, allowed: before.allowed + allowed });
    }
    lastHash = hashOf(lastHash, {
      organizationId,
      line,
      at: row["at"] as number,
      personId: row["person_id"] as string | null,
      keyId: row["key_id"] as string | null,
      action: row["action"] as string,
      digest,
    });
    return lastHash === row["hash"] ? undefined : "its hash does not match the previous line";
  };
  const readLines = () => database.read`select * from audit_log
    where organization_id = ${organizationId} and position > ${position} order by position limit ${verifiedLines}`;
  for (let rows = await readLines(); rows.length > 0 && !broken; rows = await readLines())
    for (const row of rows) {
      position = row["position"] as number;
      const problem = problemOf(row);
      if (problem === undefined) continue;
      broken = { position, problem };
      break;
    }
  if (line < (lines as number))
    broken ??= { position: position + 1, problem: `the lines ${line + 1} to ${lines} are missing at the end` };
  if (line > 0 && lastHash !== headHash) broken ??= { position, problem: "the stored head has another hash" };
  for (const { lines: count, allowed, position: first } of erased.values())
    if (count > allowed)
      broken ??= { position: first, problem: "its texts are erased, but no line says that the person was erased" };
  return {
    lines: line - prunedLines,
    prunedLines,
    erasedLines: [...erased.values()].reduce((sum, { lines: count }) => sum + count, 0),
    head: lastHash,
    broken,
  };
}

/** Replaces the names and addresses of an erased person in all lines. */
export const pseudonymFor = (personId: string): string => `erased person ${personId.slice(4, 12)}`;

const pseudonymOf = (row: Row): string | undefined =>
  /erased person [0-9a-f]{8}/.exec(Object.values(textsOf(row)).join("\n"))?.[0];

const textsOf = (row: Row): LineTexts => ({
  actor: row["actor"] as string,
  subject: row["subject"] as string,
  detail: row["detail"] as string,
});

/** Deletes lines from before `time`. The head keeps number and hash of the last one, to verify the rest. */
export async function pruneAuditLog({ query }: Transaction, time: number): Promise<void> {
  const rows = await query`select distinct organization_id from audit_log where at <= ${time}`;
  for (const organizationId of rows.map((row) => row["organization_id"] as string).sort()) {
    const [head] = await query`update audit_heads set lines = lines
      where organization_id = ${organizationId} returning lines`;
    // The clocks of two machines differ: a line stays while one before it stays.
    const [oldest] = await query`select min(line) as line from audit_log
      where organization_id = ${organizationId} and at > ${time}`;
    const last = ((oldest!["line"] as number | null) ?? ((head?.["lines"] as number | undefined) ?? 0) + 1) - 1;
    await query`update audit_heads set pruned_lines = ${last}, pruned_hash = (
        select hash from audit_log where audit_log.organization_id = ${organizationId} and line = ${last}
      ) where organization_id = ${organizationId} and pruned_lines < ${last}`;
    await query`delete from audit_log where organization_id = ${organizationId} and line <= ${last}`;
  }
}

const fieldsOf = recordReader<Omit<AuditEntry, "at">>([
  ...(["position", "personId", "keyId", "actor", "action", "subject", "detail"] as const),
  ...(["line", "salt", "digest", "hash"] as const),
]);

const entryOf = (row: Row): AuditEntry => ({ ...fieldsOf(row), at: new Date(row["at"] as number) });
