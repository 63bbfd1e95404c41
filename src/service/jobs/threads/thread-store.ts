import { type Database, type Row, raw, type Sql, sql, type Transaction } from "../database/database.js";
import { recordReader, storable } from "../database/rows.js";
import type { StoreDeps } from "../database/store-deps.js";
import { insertAuditEntry } from "../people/audit-log.js";
import type { Actor } from "../people/person.js";
import { dayMs, daysOf } from "../views/close-days.js";
import type { DayRange } from "../views/view-counts.js";

/** A thread belongs to a project and to the reader who began it. */
export interface ThreadOwner {
  /** A ULID. */
  readonly threadId: string;
  readonly projectId: string;
  /** Hash of the reader's fingerprint; empty for an anonymous reader. */
  readonly readerHash: string;
  readonly keyHash: string;
}

export interface Thread extends ThreadOwner {
  /** The newest 20, oldest first. */
  readonly turns: readonly { readonly question: string; readonly answer: string }[];
}

export interface ThreadListPage {
  readonly limit: number;
  /** `position` of the last thread of the previous page. */
  readonly after?: string;
  readonly projectId?: string;
  /** Only threads with an unanswered question, or with an answer that did not help. */
  readonly only?: "unanswered" | "unhelpful";
}

export interface ThreadSummary {
  readonly threadId: string;
  readonly projectId: string;
  readonly domain: string;
  readonly updatedAt: Date;
  /** The first one. */
  readonly question: string;
  readonly turnCount: number;
  readonly isUnanswered: boolean;
  readonly helpfulCount: number;
  readonly unhelpfulCount: number;
  readonly position: string;
}

export interface NewTurn {
  readonly thread: ThreadOwner;
  readonly messageId: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly question: string;
  /** What the reader received, also of an answer that ended early. */
  readonly answer: string;
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  readonly outcome: TurnOutcome;
  readonly caller: "web" | "api" | "other";
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type StoredTurn = Omit<NewTurn, "thread"> & { readonly rating?: Rating };

/** `unsure`: sections that may help; `stopped`: the reader left; `failed`: the answer ended with an error. */
export type TurnOutcome = "answered" | "unsure" | "unanswered" | "stopped" | "failed";

export interface ConversationPage {
  readonly limit: number;
  /** Only turns with a lower `turnId`. */
  readonly before?: number;
}

/** A question with its answer. */
export interface Conversation extends TranscriptTurn {
  /** Grows with each turn of the database. */
  readonly turnId: number;
  readonly threadId: string;
  readonly sources: NewTurn["sources"];
  readonly outcome: TurnOutcome;
}

export interface ThreadTranscript {
  readonly threadId: string;
  /** Oldest first; at least one. */
  readonly turns: readonly TranscriptTurn[];
}

interface TranscriptTurn {
  readonly messageId: string;
  readonly askedAt: Date;
  readonly question: string;
  readonly answer: string;
}

export type CallerCounts = Readonly<Record<NewTurn["caller"], number>>;

export interface Rating {
  readonly helpful: boolean;
  readonly comment?: string;
}

/** The most earlier turns that the answerer gets with a new question. */
const maxTurns = 20;
/** The longest stored answer, in characters. */
const maxAnswerLength = 100_000;

export type ThreadStore = ReturnType<typeof createThreadStore>;

/** Conversations with the assistant. Every call is one transaction. */
export function createThreadStore({ database, rules, now }: Pick<StoreDeps, "database" | "rules" | "now">) {
  const retentionMs = rules.threadRetentionMs;
  return {
    /** How long turns are kept, in milliseconds; 0: nothing is stored. */
    retentionMs,
    async find(threadId: string): Promise<Thread | undefined> {
      const [row] = await database.read`select * from threads where thread_id = ${threadId}`;
      if (!row) return undefined;
      const turns = await database.read`select question, answer from thread_turns
        where thread_id = ${threadId} order by turn_id desc limit ${maxTurns}`;
      return { ...threadOwnerOf(row), turns: turns.toReversed().map(recordReader(["question", "answer"])) };
    },
    /** Adds turns, in order, and the threads that do not exist yet. */
    async add(turns: readonly NewTurn[]): Promise<void> {
      if (retentionMs === 0 || turns.length === 0) return;
      await database.transaction(async (transaction) => {
        // An answer may end after its site was erased.
        const projects = new Set<string>();
        for (const projectId of [...new Set(turns.map(({ thread }) => thread.projectId))].toSorted())
          if (await lockProject(transaction, projectId)) projects.add(projectId);
        for (const turn of turns) if (projects.has(turn.thread.projectId)) await addTurn(transaction, turn);
      });
    },
    /** Stores the reader's rating of an answer. False if the thread has no such answer. */
    async rate(threadId: string, messageId: string, { helpful, comment }: Rating): Promise<boolean> {
      const rated = await database.write`update thread_turns set helpful = ${helpful ? 1 : 0}, comment = ${comment}
        where thread_id = ${threadId} and message_id = ${messageId} returning turn_id`;
      return rated.length > 0;
    },
    /** Deletes a thread with its turns; `by` is for the audit log. False if the project has no such thread. */
    remove: (projectId: string, threadId: string, by?: Actor): Promise<boolean> =>
      database.transaction(async (transaction) => {
        const { query } = transaction;
        const removed =
          await query`delete from threads where project_id = ${projectId} and thread_id = ${threadId} returning thread_id`;
        if (removed.length === 0) return false;
        const [project] = await query`select organization_id, domain from projects where project_id = ${projectId}`;
        if (!project) return true;
        const organizationId = project["organization_id"] as string;
        const line = { organizationId, ...by, action: "questions.delete", subject: threadId };
        await insertAuditEntry(transaction, now(), { ...line, detail: project["domain"] as string });
        return true;
      }),
    /** Threads of an organization's sites: those with an unanswered question first, then the newest. */
    list: (organizationId: string, page: ThreadListPage) => listThreads(database, organizationId, page),
    /** All turns of a thread, oldest first. */
    async turns(threadId: string): Promise<readonly StoredTurn[]> {
      const rows = await database.read`select * from thread_turns where thread_id = ${threadId} order by turn_id`;
      return rows.map(storedTurnOf);
    },
    /** The questions of a site, each with its answer, newest first. */
    async conversations(projectId: string, range: DayRange, page: ConversationPage): Promise<readonly Conversation[]> {
      const { limit, before = Number.MAX_SAFE_INTEGER } = page;
      const rows = await database.read`select thread_turns.* from thread_turns
        join threads on threads.thread_id = thread_turns.thread_id
        where project_id = ${projectId} and turn_id < ${before} and ${isAskedIn(range)}
        order by turn_id desc limit ${limit}`;
      return rows.map(conversationOf);
    },
    /** A whole thread of the project. */
    async transcript(projectId: string, threadId: string): Promise<ThreadTranscript | undefined> {
      const rows = await database.read`select thread_turns.* from thread_turns
        join threads on threads.thread_id = thread_turns.thread_id
        where project_id = ${projectId} and thread_turns.thread_id = ${threadId} order by turn_id`;
      return rows.length === 0 ? undefined : { threadId, turns: rows.map(transcriptTurnOf) };
    },
    /** Questions by who asked. */
    async callers(projectId: string, range: DayRange): Promise<CallerCounts> {
      const rows = await database.read`select caller, count(*) as count from thread_turns
        join threads on threads.thread_id = thread_turns.thread_id
        where project_id = ${projectId} and ${isAskedIn(range)} group by caller`;
      const counts = new Map(rows.map((row) => [row["caller"], row["count"] as number]));
      return { web: counts.get("web") ?? 0, api: counts.get("api") ?? 0, other: counts.get("other") ?? 0 };
    },
  };
}

/** Removes turns from before `time`, and threads without later ones. */
export async function pruneThreads({ query }: Transaction, time: number): Promise<void> {
  await query`delete from thread_turns where asked_at <= ${time}`;
  await query`delete from threads where updated_at <= ${time}`;
}

/**
 * Whether a site exists and is not removed. If so, an erasure waits for the end of this transaction and deletes its
 * rows, too; otherwise add nothing for the site.
 */
export async function lockProject({ query }: Transaction, projectId: string): Promise<boolean> {
  const rows = await query`update projects set domain = domain
    where project_id = ${projectId} and removed_at is null returning 1 as one`;
  return rows.length > 0;
}

async function addTurn({ query }: Transaction, turn: NewTurn): Promise<void> {
  const { threadId, projectId, readerHash, keyHash } = turn.thread;
  const { messageId, askedAt, outcome, caller, promptTokens, completionTokens } = turn;
  await query`insert into threads (thread_id, project_id, reader_hash, key_hash, updated_at)
    values (${threadId}, ${projectId}, ${readerHash}, ${keyHash}, ${askedAt})
    on conflict (thread_id) do update set updated_at = excluded.updated_at`;
  await query`insert into thread_turns (thread_id, message_id, asked_at, question, answer, sources, outcome, caller,
      prompt_tokens, completion_tokens)
    values (${threadId}, ${messageId}, ${askedAt}, ${storable(turn.question)},
      ${storable(turn.answer.slice(0, maxAnswerLength))}, ${storable(JSON.stringify(turn.sources))}, ${outcome},
      ${caller}, ${promptTokens}, ${completionTokens})`;
}

const threadOwnerOf = recordReader<ThreadOwner>(["threadId", "projectId", "readerHash", "keyHash"]);

const turnFieldsOf = recordReader<Omit<StoredTurn, "askedAt" | "rating">>(
  ["messageId", "question", "answer", "outcome", "caller", "promptTokens", "completionTokens"],
  ["sources"],
);

const storedTurnOf = (row: Row): StoredTurn => ({
  ...turnFieldsOf(row),
  askedAt: row["asked_at"] as number,
  ...(row["helpful"] !== null && {
    rating: { helpful: row["helpful"] === 1, comment: (row["comment"] as string | null) ?? undefined },
  }),
});

async function listThreads(
  database: Database,
  organizationId: string,
  { projectId, only, limit, after }: ThreadListPage,
): Promise<readonly ThreadSummary[]> {
  const [unanswered, updatedAt, threadId] = placeIn(after);
  const hasTurn = (condition: string) =>
    raw(`exists (select 1 from thread_turns t where t.thread_id = threads.thread_id and ${condition})`);
  const isListed = only ? hasTurn(conditions[only]) : raw("true");
  const rows = await database.read`select listed.*,
      (select question from thread_turns t where t.thread_id = listed.thread_id order by turn_id limit 1) as question,
      (select count(*) from thread_turns t where t.thread_id = listed.thread_id) as turns,
      (select count(*) from thread_turns t where t.thread_id = listed.thread_id and helpful = 1) as helpful,
      (select count(*) from thread_turns t where t.thread_id = listed.thread_id and helpful = 0) as unhelpful
    from (
      select * from (
        select threads.thread_id, threads.updated_at, projects.project_id, projects.domain,
          case when ${hasTurn(conditions.unanswered)} then 1 else 0 end as unanswered
        from threads join projects on projects.project_id = threads.project_id
        where projects.organization_id = ${organizationId} and projects.removed_at is null
          and (cast(${projectId} as text) is null or projects.project_id = ${projectId}) and ${isListed}
      ) as marked
      where (unanswered, updated_at, thread_id) < (${unanswered}, ${updatedAt}, ${threadId})
      order by unanswered desc, updated_at desc, thread_id desc limit ${limit}
    ) as listed
    order by unanswered desc, updated_at desc, thread_id desc`;
  return rows.map(summaryOf);
}

const conditions = { unanswered: "t.outcome = 'unanswered'", unhelpful: "t.helpful = 0" } as const;

/** Reads a `ThreadSummary.position`. An invalid one gives the start of the list. */
function placeIn(position: string | undefined): readonly [unanswered: number, updatedAt: number, threadId: string] {
  const parts = /^([01])-(\d{1,15})-(\w{1,40})$/.exec(position ?? "");
  return parts ? [Number(parts[1]), Number(parts[2]), parts[3]!] : [2, 0, ""];
}

const summaryFieldsOf = recordReader<Pick<ThreadSummary, "threadId" | "projectId" | "domain" | "updatedAt">>([
  ...(["threadId", "projectId", "domain", "updatedAt"] as const),
]);

const summaryOf = (row: Row): ThreadSummary => ({
  ...summaryFieldsOf(row),
  question: (row["question"] as string | null) ?? "",
  turnCount: row["turns"] as number,
  isUnanswered: row["unanswered"] === 1,
  helpfulCount: row["helpful"] as number,
  unhelpfulCount: row["unhelpful"] as number,
  position: `${row["unanswered"]}-${row["updated_at"]}-${row["thread_id"]}`,
});

const conversationOf = recordReader<Conversation>(
  ["turnId", "threadId", "messageId", "askedAt", "question", "answer", "outcome"],
  ["sources"],
);

const transcriptTurnOf = recordReader<ThreadTranscript["turns"][number]>([
  ...(["messageId", "askedAt", "question", "answer"] as const),
]);

const isAskedIn = (range: DayRange): Sql => {
  const [from, to] = daysOf(range);
  return sql`asked_at >= ${from * dayMs} and asked_at < ${to * dayMs}`;
};
