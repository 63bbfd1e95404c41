import { type Database, type Sql, sql } from "../database/database.js";
import { newId, recordReader, storable } from "../database/rows.js";
import { dayMs, daysOf } from "./calendar.js";
import type { DayRange } from "./view-counts.js";

/** A reader's thumb for a page. */
export interface Feedback {
  readonly feedbackId: string;
  /** For the next page. */
  readonly position: number;
  readonly path: string;
  readonly helpful: boolean;
  readonly createdAt: Date;
}

export interface PageFeedback {
  readonly path: string;
  readonly thumbsUp: number;
  readonly thumbsDown: number;
}

/** The most thumbs of one site and day; further ones are dropped. */
const maxPerDay = 10_000;

export interface FeedbackSeen {
  readonly projectId: string;
  readonly path: string;
  readonly helpful: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const feedbackOf = recordReader<Omit<Feedback, "helpful">>(["feedbackId", "position", "path", "createdAt"]);
const pageFeedbackOf = recordReader<PageFeedback>(["path", "thumbsUp", "thumbsDown"]);

export function createFeedback(database: Database) {
  const isGiven = (projectId: string, range: DayRange): Sql => {
    const [from, to] = daysOf(range);
    return sql`project_id = ${projectId} and created_at >= ${from * dayMs} and created_at < ${to * dayMs}`;
  };
  return {
    /** Thumbs of a project that does not exist, or was removed, are dropped. */
    addFeedback: ({ projectId, path, helpful, at }: FeedbackSeen): Promise<void> =>
      database.transaction(async ({ query }) => {
        // As a lock, against the removal of the site at the same time.
        const open = await query`update projects set domain = domain
          where project_id = ${projectId} and removed_at is null returning 1 as one`;
        const [today] = await query`select count(*) as count from feedback
          where project_id = ${projectId} and created_at > ${at - dayMs}`;
        if (open.length === 0 || (today!["count"] as number) >= maxPerDay) return;
        await query`insert into feedback (feedback_id, project_id, path, helpful, created_at)
          values (${newId("fb")}, ${projectId}, ${storable(path)}, ${helpful ? 1 : 0}, ${at})`;
      }),
    /** Thumbs of readers, newest first. `before` is the `position` of the last one of the page before. */
    async feedback(
      projectId: string,
      range: DayRange,
      { limit, before = Number.MAX_SAFE_INTEGER }: { readonly limit: number; readonly before?: number | undefined },
    ): Promise<readonly Feedback[]> {
      const rows = await database.read`select * from feedback where ${isGiven(projectId, range)}
        and position < ${before} order by position desc limit ${limit}`;
      return rows.map((row) => ({ ...feedbackOf(row), helpful: row["helpful"] === 1 }));
    },
    /** Thumbs by page: most thumbs first, then by path. */
    async pageFeedback(projectId: string, range: DayRange, limit: number): Promise<readonly PageFeedback[]> {
      const rows = await database.read`select path, cast(sum(helpful) as bigint) as thumbs_up,
          cast(sum(1 - helpful) as bigint) as thumbs_down from feedback where ${isGiven(projectId, range)}
        group by path order by count(*) desc, path limit ${limit}`;
      return rows.map(pageFeedbackOf);
    },
  };
}
