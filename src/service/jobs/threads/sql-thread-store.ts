import { type Database, type Row, storable, type Transaction } from "../database/database.js";
import { insertAuditEntry } from "../people/audit-log.js";
import { dayMs, daysOf } from "../views/calendar.js";
import type { DayRange } from "../views/view-store.js";
import type {
  CallerCounts,
  Conversation,
  ConversationPage,
  NewTurn,
  StoredTurn,
  Thread,
  ThreadListPage,
  ThreadStore,
  ThreadSummary,
  ThreadTranscript,
  TurnOutcome,
} from "./thread-store.js";

const maxTurns = 20;

/** The longest answer that is stored, in characters. */
const maxAnswer = 100_000;

/** Threads in a SQL database. */
export function createThreadStore(database: Database, retentionMs: number, now: () => number): ThreadStore {
  return {
    retentionMs,
    async find(threadId) {
      const [row] = await database.read("select * from threads where thread_id = $1", [threadId]);
      if (!row) return undefined;
      const turns = await database.read(
        `select question, answer from thread_turns where thread_id = $1 order by turn_id desc limit ${maxTurns}`,
        [threadId],
      );
      return threadOf(row, turns.toReversed());
    },
    async add(turns) {
      if (retentionMs === 0 || turns.length === 0) return;
      await database.transaction(async (transaction) => {
        // An answer may end after its site was erased.
        const present = new Set<string>();
        for (const projectId of [...new Set(turns.map(({ thread }) => thread.projectId))].toSorted())
          if (await lockProject(transaction, projectId)) present.add(projectId);
        for (const turn of turns) if (present.has(turn.thread.projectId)) await addTurn(transaction, turn);
      });
    },
    rate: (threadId, messageId, { helpful, comment }) =>
      database.transaction(async (transaction) => {
        const rated = await transaction.query(
          `update thread_turns set helpful = $3, comment = $4
           where thread_id = $1 and message_id = $2 returning turn_id`,
          [threadId, messageId, helpful ? 1 : 0, comment],
        );
        return rated.length > 0;
      }),
    remove: (projectId, threadId, by) =>
      database.transaction(async (transaction) => {
        const removed = await transaction.query(
          "delete from threads where project_id = $1 and thread_id = $2 returning thread_id",
          [projectId, threadId],
        );
        if (removed.length === 0) return false;
        const [project] = await transaction.query(
          "select organization_id, domain from projects where project_id = $1",
          [projectId],
        );
        if (!project) return true;
        const organizationId = project["organization_id"] as string;
        const line = { organizationId, ...by, action: "questions.delete", subject: threadId };
        await insertAuditEntry(transaction, now(), { ...line, detail: project["domain"] as string });
        return true;
      }),
    list: (organizationId, page) => listThreads(database, organizationId, page),
    turns: (threadId) => turnsOf(database, threadId),
    conversations: (projectId, range, page) => readConversations(database, projectId, range, page),
    transcript: (projectId, threadId) => readTranscript(database, projectId, threadId),
    callers: (projectId, range) => countCallers(database, projectId, range),
  };
}

/** Removes turns from before `time`, and threads without later ones. */
export async function pruneThreads(transaction: Transaction, time: number): Promise<void> {
  await transaction.query("delete from thread_turns where asked_at <= $1", [time]);
  await transaction.query("delete from threads where updated_at <= $1", [time]);
}

async function addTurn(transaction: Transaction, turn: NewTurn): Promise<void> {
  const { threadId, projectId, readerHash, keyHash } = turn.thread;
  await transaction.query(
    `insert into threads (thread_id, project_id, reader_hash, key_hash, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (thread_id) do update set updated_at = excluded.updated_at`,
    [threadId, projectId, readerHash, keyHash, turn.askedAt],
  );
  await transaction.query(
    `insert into thread_turns (thread_id, message_id, asked_at, question, answer, sources, outcome, caller,
       prompt_tokens, completion_tokens)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      threadId,
      turn.messageId,
      turn.askedAt,
      storable(turn.question),
      storable(turn.answer.slice(0, maxAnswer)),
      storable(JSON.stringify(turn.sources)),
      turn.outcome,
      turn.caller,
      turn.promptTokens,
      turn.completionTokens,
    ],
  );
}

const threadOf = (row: Row, turns: readonly Row[]): Thread => ({
  threadId: row["thread_id"] as string,
  projectId: row["project_id"] as string,
  readerHash: row["reader_hash"] as string,
  keyHash: row["key_hash"] as string,
  turns: turns.map(({ question, answer }) => ({ question: question as string, answer: answer as string })),
});

/**
 * Whether a site exists and is not removed. If so, an erasure waits for the end of the transaction and sees what it has
 * added; otherwise nothing may be added for the site any more.
 */
async function lockProject(transaction: Transaction, projectId: string): Promise<boolean> {
  const rows = await transaction.query(
    "update projects set domain = domain where project_id = $1 and removed_at is null returning 1 as one",
    [projectId],
  );
  return rows.length > 0;
}

/** Threads with an unanswered question first, then by their newest turn. A position names the last thread of a page. */
async function listThreads(
  database: Database,
  organizationId: string,
  { projectId, only, limit, after }: ThreadListPage,
): Promise<readonly ThreadSummary[]> {
  const [unanswered, updatedAt, threadId] = positionOf(after);
  const rows = await database.read(
    `select listed.*,
       (select question from thread_turns t where t.thread_id = listed.thread_id order by turn_id limit 1) as question,
       (select count(*) from thread_turns t where t.thread_id = listed.thread_id) as turns,
       (select count(*) from thread_turns t where t.thread_id = listed.thread_id and helpful = 1) as helpful,
       (select count(*) from thread_turns t where t.thread_id = listed.thread_id and helpful = 0) as unhelpful
     from (
       select * from (
         select threads.thread_id, threads.updated_at, projects.project_id, projects.domain,
           case when exists (select 1 from thread_turns t where t.thread_id = threads.thread_id and ${conditions.unanswered})
             then 1 else 0 end as unanswered
         from threads join projects on projects.project_id = threads.project_id
         where projects.organization_id = $1 and projects.removed_at is null
           and (cast($2 as text) is null or projects.project_id = $2)
           ${only ? `and exists (select 1 from thread_turns t where t.thread_id = threads.thread_id and ${conditions[only]})` : ""}
       ) as marked
       where (unanswered, updated_at, thread_id) < ($3, $4, $5)
       order by unanswered desc, updated_at desc, thread_id desc limit $6
     ) as listed
     order by unanswered desc, updated_at desc, thread_id desc`,
    [organizationId, projectId, unanswered, updatedAt, threadId, limit],
  );
  return rows.map(summaryOf);
}

const conditions = { unanswered: "t.outcome = 'unanswered'", unhelpful: "t.helpful = 0" } as const;

const first = [2, 0, ""] as const;

/** An invalid position gives the first page. */
function positionOf(after: string | undefined): readonly [number, number, string] {
  const parts = /^([01])-(\d{1,15})-(\w{1,40})$/.exec(after ?? "");
  return parts ? [Number(parts[1]), Number(parts[2]), parts[3]!] : first;
}

function summaryOf(row: Row): ThreadSummary {
  const [threadId, updatedAt] = [row["thread_id"] as string, row["updated_at"] as number];
  return {
    threadId,
    projectId: row["project_id"] as string,
    domain: row["domain"] as string,
    updatedAt: new Date(updatedAt),
    question: (row["question"] as string | null) ?? "",
    turnCount: row["turns"] as number,
    isUnanswered: row["unanswered"] === 1,
    helpfulCount: row["helpful"] as number,
    unhelpfulCount: row["unhelpful"] as number,
    position: `${row["unanswered"]}-${updatedAt}-${threadId}`,
  };
}

/** All turns of a thread, oldest first. */
async function turnsOf(database: Database, threadId: string): Promise<readonly StoredTurn[]> {
  const rows = await database.read("select * from thread_turns where thread_id = $1 order by turn_id", [threadId]);
  return rows.map((row) => ({
    messageId: row["message_id"] as string,
    askedAt: row["asked_at"] as number,
    question: row["question"] as string,
    answer: row["answer"] as string,
    sources: JSON.parse(row["sources"] as string) as StoredTurn["sources"],
    outcome: row["outcome"] as StoredTurn["outcome"],
    caller: row["caller"] as StoredTurn["caller"],
    promptTokens: row["prompt_tokens"] as number,
    completionTokens: row["completion_tokens"] as number,
    ...(row["helpful"] === null
      ? {}
      : { rating: { helpful: row["helpful"] === 1, comment: (row["comment"] as string | null) ?? undefined } }),
  }));
}

/** The questions of a site, newest first. */
async function readConversations(
  database: Database,
  projectId: string,
  range: DayRange,
  { limit, before = Number.MAX_SAFE_INTEGER }: ConversationPage,
): Promise<readonly Conversation[]> {
  const rows = await database.read(
    `select turn_id, thread_turns.thread_id, message_id, asked_at, question, answer, sources, outcome
     from thread_turns join threads on threads.thread_id = thread_turns.thread_id
     where project_id = $1 and turn_id < $2 and asked_at >= $3 and asked_at < $4 order by turn_id desc limit $5`,
    [projectId, before, ...timesOf(range), limit],
  );
  return rows.map((row) => ({
    turnId: row["turn_id"] as number,
    threadId: row["thread_id"] as string,
    messageId: row["message_id"] as string,
    askedAt: new Date(row["asked_at"] as number),
    question: row["question"] as string,
    answer: row["answer"] as string,
    sources: sourcesOf(row),
    outcome: row["outcome"] as TurnOutcome,
  }));
}

async function readTranscript(
  database: Database,
  projectId: string,
  threadId: string,
): Promise<ThreadTranscript | undefined> {
  const rows = await database.read(
    `select message_id, asked_at, question, answer
     from thread_turns join threads on threads.thread_id = thread_turns.thread_id
     where project_id = $1 and thread_turns.thread_id = $2 order by turn_id`,
    [projectId, threadId],
  );
  if (rows.length === 0) return undefined;
  const turns = rows.map((row) => ({
    messageId: row["message_id"] as string,
    askedAt: new Date(row["asked_at"] as number),
    question: row["question"] as string,
    answer: row["answer"] as string,
  }));
  return { threadId, turns };
}

/** Questions by who asked: the site's own page, a program, or something else. */
async function countCallers(database: Database, projectId: string, range: DayRange): Promise<CallerCounts> {
  const rows = await database.read(
    `select caller, count(*) as count from thread_turns join threads on threads.thread_id = thread_turns.thread_id
     where project_id = $1 and asked_at >= $2 and asked_at < $3 group by caller`,
    [projectId, ...timesOf(range)],
  );
  const counts = new Map(rows.map((row) => [row["caller"], row["count"] as number]));
  return { web: counts.get("web") ?? 0, api: counts.get("api") ?? 0, other: counts.get("other") ?? 0 };
}

const timesOf = (range: DayRange): readonly number[] => daysOf(range).map((day) => day * dayMs);

const sourcesOf = (row: Row): Conversation["sources"] =>
  JSON.parse(row["sources"] as string) as Conversation["sources"];
