import type { AccountStore } from "./account-store.js";
import type { JobStore } from "./job-store.js";

/** The service's persistent state, in one database. */
export interface State {
  readonly jobs: JobStore;
  readonly accounts: AccountStore;
  /** Waits for running transactions. */
  close(): Promise<void>;
}
