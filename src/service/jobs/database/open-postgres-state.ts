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
import { openPgBossQueue } from "./pg-boss-queue.js";
import { openPostgresDatabase } from "./postgres-database.js";
import { steadyClock, wholeMs } from "./store-deps.js";

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
