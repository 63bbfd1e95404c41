import type { CallerCounts, Conversation, ConversationPage, ThreadTranscript, TurnOutcome } from "../thread-store.js";
import type { DayRange } from "../view-store.js";
import type { Database, Row } from "./database.js";
import { dayMs, daysOf } from "./views/calendar.js";

/** The questions of a site, newest first. */
export async function readConversations(
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

export async function readTranscript(
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
export async function countCallers(database: Database, projectId: string, range: DayRange): Promise<CallerCounts> {
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
