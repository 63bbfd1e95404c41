import { type JobRules, jobRuleDefaults } from "../job-store.js";
import { monotonicNow, wholeMs } from "../sql/clock.js";
import { createNotifier } from "../sql/notifier.js";
import { createAccountStore } from "../sql/sql-account-store.js";
import { createAgentStore } from "../sql/sql-agent-store.js";
import { createCredentialStore } from "../sql/sql-credential-store.js";
import { createJobStore } from "../sql/sql-job-store.js";
import { createPersonStore } from "../sql/sql-person-store.js";
import { createShardStore } from "../sql/sql-shard-store.js";
import { createThreadStore } from "../sql/sql-thread-store.js";
import { createViewStore } from "../sql/views/sql-view-store.js";
import type { State } from "../state.js";
import { openSqliteDatabase } from "./sqlite-database.js";
import { createSqliteQueue } from "./sqlite-queue.js";

export interface SqliteStateOptions {
  /** Created with its folder if missing. */
  readonly file: string;
  readonly rules?: Partial<JobRules>;
  /** Milliseconds since 1970 that advance evenly. */
  readonly now?: () => number;
}

/** Jobs and accounts in a SQLite file. */
export async function openSqliteState(options: SqliteStateOptions): Promise<State> {
  const rules = { ...jobRuleDefaults, ...options.rules };
  const now = wholeMs(options.now ?? monotonicNow);
  const notifier = createNotifier();
  const database = await openSqliteDatabase(options.file, notifier);
  const queue = createSqliteQueue(database, rules, now);
  const deps = { database, queue, notifier, rules, now };
  return {
    jobs: createJobStore(deps),
    shards: createShardStore(deps),
    agents: createAgentStore(deps),
    accounts: createAccountStore(deps),
    threads: createThreadStore(database, rules.threadRetentionMs),
    people: createPersonStore(database, now),
    sealedCredentials: createCredentialStore(database, now),
    views: createViewStore({ database, now, keptMonths: rules.viewDayMonths }),
    close: () => database.close(),
  };
}
