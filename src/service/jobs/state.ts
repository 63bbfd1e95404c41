import type { AccountStore } from "./accounts/account-store.js";
import type { CredentialStore } from "./accounts/credential-store.js";
import type { ErasureStore } from "./erasures/erasure-store.js";
import type { PersonStore } from "./people/person-store.js";
import type { AgentStore } from "./queue/agent-store.js";
import type { JobStore, ShardStore } from "./queue/job-store.js";
import type { ThreadStore } from "./threads/thread-store.js";
import type { ViewStore } from "./views/view-store.js";

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
