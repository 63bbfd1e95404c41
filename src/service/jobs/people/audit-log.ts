import { createHash, randomBytes } from "node:crypto";
import type { Database, Row, Transaction } from "../database/database.js";
import { storable } from "../database/database.js";
import { cursorOf, positionOf } from "../queue/job.js";
import type { AuditEntry, AuditVerdict, NewAuditEntry, PersonStore } from "./person-store.js";

/** Lines that are read at once. */
const pageLines = 1_000;

/**
 * Adds a line to the audit log in the transaction of the change that it describes, so that neither exists without the
 * other. The line holds the name and address that the person, or the name that the key, has now. Its hash covers the
 * hash of the organization's line before. Locks the organization's row in `audit_heads` until the end of the
 * transaction: call it last. Adds nothing for an organization that was erased meanwhile.
 *
 * @param at in milliseconds since 1970.
 */
export async function insertAuditEntry(transaction: Transaction, at: number, entry: NewAuditEntry): Promise<void> {
  const { organizationId, personId = null, keyId = null, action } = entry;
  const [head] = await transaction.query(
    `insert into audit_heads (organization_id, lines, hash) values ($1, 0, '')
     on conflict (organization_id) do update set lines = audit_heads.lines returning lines, hash`,
    [organizationId],
  );
  // The lock may have waited for the erasure of the organization, which has no log any more.
  const [organization] = await transaction.query("select 1 as one from organizations where organization_id = $1", [
    organizationId,
  ]);
  if (!organization) {
    await transaction.query("delete from audit_heads where organization_id = $1", [organizationId]);
    return;
  }
  const texts: Texts = {
    actor: storable(await actorText(transaction, entry)),
    subject: storable(entry.subject),
    detail: storable(entry.detail),
  };
  const salt = randomBytes(16).toString("hex");
  const line = (head!["lines"] as number) + 1;
  const digest = digestOf(salt, texts);
  const hash = hashOf(head!["hash"] as string, { organizationId, line, at, personId, keyId, action, digest });
  await transaction.query(
    `insert into audit_log (at, person_id, key_id, actor, organization_id, action, subject, detail, line, salt, digest,
       hash) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[at, personId, keyId, texts.actor, organizationId, action, texts.subject, texts.detail],
      ...[line, salt, digest, hash],
    ],
  );
  await transaction.query("update audit_heads set lines = $2, hash = $3 where organization_id = $1", [
    organizationId,
    line,
    hash,
  ]);
}

/** Adds a line to the log of each organization of the person, or of `organizationIds`. */
export async function insertPersonEntry(
  transaction: Transaction,
  at: number,
  personId: string,
  entry: Omit<NewAuditEntry, "organizationId">,
): Promise<void> {
  const rows = await transaction.query(
    "select organization_id from memberships where person_id = $1 order by organization_id",
    [personId],
  );
  for (const row of rows)
    await insertAuditEntry(transaction, at, { ...entry, organizationId: row["organization_id"] as string });
}

/** The texts of a line, which may hold personal data. Once they are erased, `digest` stands for them. */
interface Texts {
  readonly actor: string;
  readonly subject: string;
  readonly detail: string;
}

/** Without the salt, nobody can find out by guessing which texts a digest stands for. */
const digestOf = (salt: string, { actor, subject, detail }: Texts): string =>
  sha256(JSON.stringify([salt, actor, subject, detail]));

interface HashedLine extends Pick<NewAuditEntry, "organizationId" | "action"> {
  readonly line: number;
  readonly at: number;
  readonly personId: string | null;
  readonly keyId: string | null;
  readonly digest: string;
}

const hashOf = (before: string, { organizationId, line, at, personId, keyId, action, digest }: HashedLine): string =>
  sha256(JSON.stringify([before, organizationId, line, at, personId, keyId, action, digest]));

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The name that is stored in the line, so that later changes of the name do not change it. */
export async function actorText(
  transaction: Transaction,
  { personId, keyId, actor }: Pick<NewAuditEntry, "personId" | "keyId" | "actor">,
): Promise<string> {
  if (actor !== undefined) return actor;
  if (personId !== undefined) {
    const [person] = await transaction.query("select name, email from people where person_id = $1", [personId]);
    return person ? `${person["name"] as string} (${person["email"] as string})` : pseudonymFor(personId);
  }
  if (keyId === undefined) return "";
  const [key] = await transaction.query("select name from api_keys where key_id = $1", [keyId]);
  return key ? `key ${key["name"] as string}` : keyId;
}

/** Reading and verifying the log. */
export function createAuditLog(
  database: Database,
  now: () => number,
): Pick<PersonStore, "addAuditEntry" | "auditLog" | "verifyAuditLog"> {
  const verify = async (organizationId: string): Promise<AuditVerdict> => {
    const [head] = await database.read("select * from audit_heads where organization_id = $1", [organizationId]);
    const verdict = await verifyLines(database, organizationId, head);
    const [after] = await database.read("select pruned_lines from audit_heads where organization_id = $1", [
      organizationId,
    ]);
    // Old lines were deleted meanwhile.
    return head && after!["pruned_lines"] !== head["pruned_lines"] ? verify(organizationId) : verdict;
  };
  return {
    async addAuditEntry(entry) {
      await database.transaction((transaction) =>
        "organizationId" in entry
          ? insertAuditEntry(transaction, now(), entry)
          : insertPersonEntry(transaction, now(), entry.ofPerson, entry),
      );
    },
    async auditLog(organizationId, { limit, cursor, oldestFirst = false }) {
      const [isAfter, order] = oldestFirst ? [">", "asc"] : ["<", "desc"];
      const start = oldestFirst ? 0 : Number.MAX_SAFE_INTEGER;
      const rows = await database.read(
        `select audit_log.*, people.name, people.email, api_keys.name as key_name
         from audit_log left join people on people.person_id = audit_log.person_id
         left join api_keys on api_keys.key_id = audit_log.key_id
         where audit_log.organization_id = $1 and position ${isAfter} $2 order by position ${order} limit $3`,
        [organizationId, cursor === undefined ? start : positionOf(cursor), limit + 1],
      );
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return { entries: shown.map(entryOf), next: last && cursorOf(last["position"] as number) };
    },
    verifyAuditLog: verify,
  };
}

async function verifyLines(database: Database, organizationId: string, head: Row | undefined): Promise<AuditVerdict> {
  const [lines, headHash, prunedLines, prunedHash] = head
    ? [head["lines"] as number, head["hash"], head["pruned_lines"] as number, head["pruned_hash"] as string]
    : [0, "", 0, ""];
  const unchained: number[] = [];
  const erased = new Map<string, { lines: number; allowed: number; position: number }>();
  let broken: AuditVerdict["broken"];
  let [line, hash] = [prunedLines, prunedHash];
  let position = 0;
  const check = (row: Row): string | undefined => {
    if (row["line"] === null) {
      unchained.push(position);
      return undefined;
    }
    // Written since the head was read.
    if ((row["line"] as number) > lines && head) return undefined;
    line++;
    if (row["line"] !== line)
      return (row["line"] as number) > line ? `line ${line} is missing before it` : "it is there twice";
    const [texts, digest] = [textsOf(row), row["digest"] as string];
    if (row["salt"] === null) {
      const pseudonym = pseudonymOf(row);
      if (pseudonym === undefined) return "its texts are erased, but not those of a person";
      const { lines: count, allowed } = erased.get(pseudonym) ?? { lines: 0, allowed: 0 };
      erased.set(pseudonym, { lines: count + 1, allowed, position: erased.get(pseudonym)?.position ?? position });
    } else if (digestOf(row["salt"] as string, texts) !== digest) return "its texts were changed";
    if (row["action"] === "person.erase") {
      const before = erased.get(texts.subject);
      const allowed = Number.parseInt(texts.detail, 10) || 0;
      if (before) erased.set(texts.subject, { ...before, allowed: before.allowed + allowed });
    }
    hash = hashOf(hash, {
      organizationId,
      line,
      at: row["at"] as number,
      personId: row["person_id"] as string | null,
      keyId: row["key_id"] as string | null,
      action: row["action"] as string,
      digest,
    });
    return hash === row["hash"] ? undefined : "its hash does not follow from the line before";
  };
  for (let rows = await readLines(); rows.length > 0 && !broken; rows = await readLines())
    for (const row of rows) {
      position = row["position"] as number;
      const problem = check(row);
      if (problem === undefined) continue;
      broken = { position, problem };
      break;
    }
  if (!broken && line < lines)
    broken = { position: position + 1, problem: `the lines ${line + 1} to ${lines} are missing at the end` };
  if (!broken && line > 0 && hash !== headHash) broken = { position, problem: "the stored head has another hash" };
  for (const { lines: count, allowed, position: first } of erased.values())
    if (!broken && count > allowed)
      broken = { position: first, problem: "its texts are erased, but no line says that the person was erased" };
  return {
    lines: line - prunedLines,
    prunedLines,
    erasedLines: [...erased.values()].reduce((sum, { lines: count }) => sum + count, 0),
    unchained,
    head: hash,
    broken,
  };

  function readLines(): Promise<readonly Row[]> {
    return database.read(
      "select * from audit_log where organization_id = $1 and position > $2 order by position limit $3",
      [organizationId, position, pageLines],
    );
  }
}

/** Takes the place of the names and addresses of an erased person; the same for all lines of the person. */
export const pseudonymFor = (personId: string): string => `erased person ${personId.slice(4, 12)}`;

const pseudonymOf = (row: Row): string | undefined =>
  /erased person [0-9a-f]{8}/.exec(Object.values(textsOf(row)).join("\n"))?.[0];

const textsOf = (row: Row): Texts => ({
  actor: row["actor"] as string,
  subject: row["subject"] as string,
  detail: row["detail"] as string,
});

/**
 * Deletes lines from before `time`. The head keeps the number and hash of the last deleted line of the chain, from
 * which the rest is verified.
 */
export async function pruneAuditLog(transaction: Transaction, time: number): Promise<void> {
  const rows = await transaction.query("select distinct organization_id from audit_log where at <= $1", [time]);
  for (const { organization_id: organizationId } of rows.toSorted(byOrganization)) {
    const [head] = await transaction.query(
      "update audit_heads set lines = lines where organization_id = $1 returning lines",
      [organizationId!],
    );
    // The clocks of two machines differ: a line stays while one before it stays.
    const [kept] = await transaction.query(
      "select min(line) as line from audit_log where organization_id = $1 and line is not null and at > $2",
      [organizationId!, time],
    );
    const last = ((kept!["line"] as number | null) ?? ((head?.["lines"] as number | undefined) ?? 0) + 1) - 1;
    await transaction.query(
      `update audit_heads set pruned_lines = $2,
         pruned_hash = (select hash from audit_log where audit_log.organization_id = $1 and line = $2)
       where organization_id = $1 and pruned_lines < $2`,
      [organizationId!, last],
    );
    await transaction.query(
      "delete from audit_log where organization_id = $1 and (line <= $2 or (line is null and at <= $3))",
      [organizationId!, last, time],
    );
  }
}

const byOrganization = (a: Row, b: Row): number =>
  (a["organization_id"] as string) < (b["organization_id"] as string) ? -1 : 1;

const entryOf = (row: Row): AuditEntry => ({
  at: new Date(row["at"] as number),
  position: row["position"] as number,
  actor: writtenActor(row),
  ...(row["person_id"] !== null && { personId: row["person_id"] as string }),
  ...(row["key_id"] !== null && { keyId: row["key_id"] as string }),
  action: row["action"] as string,
  subject: row["subject"] as string,
  detail: row["detail"] as string,
  ...(row["line"] !== null && {
    line: row["line"] as number,
    hash: row["hash"] as string,
    digest: row["digest"] as string,
  }),
  ...(row["salt"] !== null && { salt: row["salt"] as string }),
});

/** Earlier programs store no name with a person or key, so the present one is shown. */
function writtenActor({ name, email, key_id: keyId, key_name: keyName, actor }: Row): string {
  if (actor !== null) return actor as string;
  if (email !== null) return `${name as string} (${email as string})`;
  return keyName === null ? ((keyId ?? "") as string) : `key ${keyName as string}`;
}
