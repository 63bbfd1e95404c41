import { type JobRules, jobRuleDefaults } from "../job-store.js";
import { createAccountStore } from "../sql/account-store.js";
import { createBell } from "../sql/bell.js";
import { steadyNow, wholeMs } from "../sql/clock.js";
import { createJobStore } from "../sql/job-store.js";
import type { State } from "../state.js";
import { createLeaseQueue } from "./lease-queue.js";
import { openSqliteDatabase } from "./sqlite-database.js";

export interface SqliteStateOptions {
  /** Made, with its folder, if it is not there. */
  readonly file: string;
  readonly rules?: Partial<JobRules>;
  /** Milliseconds since 1970 that go on evenly. */
  readonly now?: () => number;
}

/** Jobs and accounts in a SQLite file. */
export async function openSqliteState(options: SqliteStateOptions): Promise<State> {
  const rules = { ...jobRuleDefaults, ...options.rules };
  const now = wholeMs(options.now ?? steadyNow);
  const bell = createBell();
  const database = await openSqliteDatabase(options.file, bell);
  const longestBackoffMs = rules.backoffMs * 2 ** rules.maxAttempts;
  const queue = createLeaseQueue({ database, leaseMs: rules.leaseMs, longestBackoffMs, now });
  const parts = { database, queue, bell, rules, now };
  return { jobs: createJobStore(parts), accounts: createAccountStore(parts), close: () => database.close() };
}
