import { type JobRules, jobRuleDefaults } from "../job-store.js";
import { createAccountStore } from "../sql/account-store.js";
import { createBell } from "../sql/bell.js";
import { wholeMs } from "../sql/clock.js";
import { createJobStore } from "../sql/job-store.js";
import type { State } from "../state.js";
import { openBossQueue } from "./boss-queue.js";
import { openPostgresDatabase } from "./postgres-database.js";

export interface PostgresStateOptions {
  /** `postgresql://user:password@host:5432/name`; a secret. */
  readonly url: string;
  readonly rules?: Partial<JobRules>;
  /** Milliseconds since 1970; undefined: the server's clock, one for all machines. */
  readonly now?: () => number;
}

/** Jobs and accounts in a PostgreSQL database, for any number of machines. */
export async function openPostgresState(options: PostgresStateOptions): Promise<State> {
  const rules = { ...jobRuleDefaults, ...options.rules };
  const bell = createBell();
  const database = await openPostgresDatabase(options.url, bell);
  const now = wholeMs(options.now ?? database.now);
  try {
    const queue = await openBossQueue(database, rules, now);
    const parts = { database, queue, bell, rules, now };
    return {
      jobs: createJobStore(parts),
      accounts: createAccountStore(parts),
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
