import type { StoredTurn, ThreadListPage, ThreadSummary } from "../thread-store.js";
import type { Database, Row } from "./database.js";

/** Threads with an unanswered question first, then by their newest turn. A position names the last thread of a page. */
export async function listThreads(
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
export async function turnsOf(database: Database, threadId: string): Promise<readonly StoredTurn[]> {
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
