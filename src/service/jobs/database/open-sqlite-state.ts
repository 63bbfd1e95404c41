import { createAccountStore } from "../accounts/sql-account-store.js";
import { createCredentialStore } from "../accounts/sql-credential-store.js";
import { createErasureStore } from "../erasures/sql-erasure-store.js";
import { createPersonStore } from "../people/sql-person-store.js";
import { type JobRules, jobRuleDefaults } from "../queue/job-store.js";
import { createAgentStore } from "../queue/sql-agent-store.js";
import { createJobStore } from "../queue/sql-job-store.js";
import { createShardStore } from "../queue/sql-shard-store.js";
import type { State } from "../state.js";
import { createThreadStore } from "../threads/sql-thread-store.js";
import { createViewStore } from "../views/sql-view-store.js";
import { createNotifier } from "./notifier.js";
import { openSqliteDatabase } from "./sqlite-database.js";
import { createSqliteQueue } from "./sqlite-queue.js";
import { steadyClock, wholeMs } from "./store-deps.js";

export interface SqliteStateOptions {
  /** Created with its folder if missing. */
  readonly file: string;
  readonly rules?: Partial<JobRules>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds that never step. */
  readonly steadyNow?: () => number;
}

/** Jobs and accounts in a SQLite file. */
export async function openSqliteState(options: SqliteStateOptions): Promise<State> {
  const { steadyNow = steadyClock } = options;
  const rules = { ...jobRuleDefaults, ...options.rules };
  const now = wholeMs(options.now ?? Date.now);
  const notifier = createNotifier();
  const database = await openSqliteDatabase(options.file, notifier);
  const queue = createSqliteQueue(database, rules, now, steadyNow);
  const deps = { database, queue, notifier, rules, now, steadyNow };
  return {
    jobs: createJobStore(deps),
    shards: createShardStore(deps),
    agents: createAgentStore(deps),
    accounts: createAccountStore(deps),
    threads: createThreadStore(database, rules.threadRetentionMs, now),
    people: createPersonStore(database, now, rules.auditRetentionMs),
    sealedCredentials: createCredentialStore(database, now),
    views: createViewStore({ database, now, keptMonths: rules.viewDayMonths }),
    erasures: createErasureStore(deps),
    close: () => database.close(),
  };
}
