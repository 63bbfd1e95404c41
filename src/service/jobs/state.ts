import type { AccountStore } from "./account-store.js";
import type { AgentStore } from "./agent-store.js";
import type { CredentialStore } from "./credential-store.js";
import type { ErasureStore } from "./erasure-store.js";
import type { JobStore } from "./job-store.js";
import type { PersonStore } from "./person-store.js";
import type { ShardStore } from "./shard-store.js";
import type { ThreadStore } from "./thread-store.js";
import type { ViewStore } from "./view-store.js";

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
