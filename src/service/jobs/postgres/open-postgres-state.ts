import { type JobRules, jobRuleDefaults } from "../job-store.js";
import { steadyClock, wholeMs } from "../sql/clock.js";
import { createErasureStore } from "../sql/erasure/sql-erasure-store.js";
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
import { openPgBossQueue } from "./pg-boss-queue.js";
import { openPostgresDatabase } from "./postgres-database.js";

export interface PostgresStateOptions {
  /** `postgresql://user:password@host:5432/name`; a secret. */
  readonly url: string;
  readonly rules?: Partial<JobRules>;
  /** Milliseconds since 1970; undefined: the server's clock, which all machines share. */
  readonly now?: () => number;
  /** Milliseconds that never step. */
  readonly steadyNow?: () => number;
}

/** Jobs and accounts in a PostgreSQL database that any number of machines can share. */
export async function openPostgresState(options: PostgresStateOptions): Promise<State> {
  const { steadyNow = steadyClock } = options;
  const rules = { ...jobRuleDefaults, ...options.rules };
  const notifier = createNotifier();
  const database = await openPostgresDatabase(options.url, notifier);
  const now = wholeMs(options.now ?? database.now);
  try {
    const queue = await openPgBossQueue(database, rules, steadyNow);
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
      async close() {
        await queue.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
