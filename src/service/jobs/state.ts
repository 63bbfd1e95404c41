import { type AccountStore, createAccountStore } from "./accounts/account-store.js";
import { type CredentialStore, createCredentialStore } from "./accounts/credential-store.js";
import { type StoreDeps, steadyClock, wholeMs } from "./database/store-deps.js";
import { createErasureStore, type ErasureStore } from "./erasures/erasure-store.js";
import { createPersonStore, type PersonStore } from "./people/person-store.js";
import { type AgentStore, createAgentStore } from "./queue/agent-store.js";
import { type JobRules, jobRuleDefaults } from "./queue/job-rules.js";
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

export interface StateOptions {
  readonly rules?: Partial<JobRules>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Milliseconds that never step. */
  readonly steadyNow?: () => number;
}

export const stateSettings = ({ rules, now, steadyNow = steadyClock }: StateOptions, clock: () => number) => ({
  rules: { ...jobRuleDefaults, ...rules },
  now: wholeMs(now ?? clock),
  steadyNow,
});

export const createState = (deps: StoreDeps, close: State["close"]): State => ({
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
