import { type AccountStore, createAccountStore } from "./accounts/account-store.js";
import { type CredentialStore, createCredentialStore } from "./accounts/credential-store.js";
import { createNotifier } from "./database/notifier.js";
import { openPgBossQueue } from "./database/pg-boss-queue.js";
import { openPostgresDatabase } from "./database/postgres-database.js";
import { createSqliteQueue, openSqliteDatabase } from "./database/sqlite-database.js";
import { type StoreDeps, steadyClock, wholeMs } from "./database/store-deps.js";
import { createErasureStore, type ErasureStore } from "./erasures/erasure-store.js";
import { createPersonStore, type PersonStore } from "./people/person-store.js";
import { type AgentStore, createAgentStore } from "./queue/agent-store.js";
import { type JobRules, jobRuleDefaults } from "./queue/job.js";
import { createJobStore, type JobStore } from "./queue/job-store.js";
import { createShardStore, type ShardStore } from "./queue/shard-store.js";
import { createThreadStore, type ThreadStore } from "./threads/thread-store.js";
import { createViewStore, type ViewStore } from "./views/view-store.js";

/** The service's persistent state, in one database. */
export interface State {
  readonly jobs: JobStore;
  readonly shards: ShardStore;
  readonly agents: AgentStore;
  readonly accounts: AccountStore;
  readonly threads: ThreadStore;
  readonly people: PersonStore;
  readonly sealedCredentials: CredentialStore;
  readonly views: ViewStore;
  readonly erasures: ErasureStore;
  /** Waits for running transactions. */
  close(): Promise<void>;
}

interface StateOptions {
  readonly rules?: Partial<JobRules>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds that never step. */
  readonly steadyNow?: () => number;
}

const stateSettings = ({ rules, now, steadyNow = steadyClock }: StateOptions, clock: () => number) => ({
  rules: { ...jobRuleDefaults, ...rules },
  now: wholeMs(now ?? clock),
  steadyNow,
});

const createState = (deps: StoreDeps, close: State["close"]): State => ({
  jobs: createJobStore(deps),
  shards: createShardStore(deps),
  agents: createAgentStore(deps),
  accounts: createAccountStore(deps),
  threads: createThreadStore(deps),
  people: createPersonStore(deps),
  sealedCredentials: createCredentialStore(deps),
  views: createViewStore(deps),
  erasures: createErasureStore(deps),
  close,
});

export interface SqliteStateOptions extends StateOptions {
  /** Created with its folder if missing. */
  readonly file: string;
}

export async function openSqliteState({ file, ...options }: SqliteStateOptions): Promise<State> {
  const notifier = createNotifier();
  const database = await openSqliteDatabase(file, notifier);
  const settings = stateSettings(options, Date.now);
  const queue = createSqliteQueue(database, settings);
  return createState({ database, queue, notifier, ...settings }, () => database.close());
}

export interface PostgresStateOptions extends StateOptions {
  /** `postgresql://user:password@host:5432/name`; a secret. */
  readonly url: string;
}

/** State in a PostgreSQL database that machines share. By default times come from the server's clock. */
export async function openPostgresState({ url, ...options }: PostgresStateOptions): Promise<State> {
  const notifier = createNotifier();
  const database = await openPostgresDatabase(url, notifier);
  try {
    const settings = stateSettings(options, database.now);
    const queue = await openPgBossQueue(database, settings);
    return createState({ database, queue, notifier, ...settings }, async () => {
      await queue.close();
      await database.close();
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}
