import type { NewTurn, Thread, ThreadStore } from "../thread-store.js";
import { insertAuditEntry } from "./audit-log.js";
import type { Database, Row, Transaction } from "./database.js";
import { lockProject } from "./lock-project.js";
import { storable } from "./storable.js";
import { listThreads, turnsOf } from "./thread-lists.js";
import { countCallers, readConversations, readTranscript } from "./thread-reports.js";

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
