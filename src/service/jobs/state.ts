import type { AccountStore } from "./account-store.js";
import type { JobStore } from "./job-store.js";

/** What the service remembers, in one database. */
export interface State {
  readonly jobs: JobStore;
  readonly accounts: AccountStore;
  /** Waits for what has begun. */
  close(): Promise<void>;
}
