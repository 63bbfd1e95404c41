import type { Actor } from "../people/person-store.js";
import type { LogLine } from "./job.js";
import type { IdempotencyKey, Lease } from "./job-store.js";

/** `archived` wins over what the last run came to; a queued or running one is `active`. */
export type AgentStatus = "active" | "completed" | "failed" | "archived";

/** `repair` mends faults without a model. */
export type AgentMode = "model" | "repair";

/** Prompts about one site that become commits on one branch. Each message is a run: a job of the queue that exports use. */
export interface AgentJob {
  /** `aj_` and 32 hexadecimal digits. */
  readonly agentJobId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly status: AgentStatus;
  /** Web address of the repository, without credentials. */
  readonly repository: string;
  readonly mode: AgentMode;
  /** `vendor/id`, or `offprint/repair`. */
  readonly model: string;
  /** Whether the pull request is a draft in any case. */
  readonly asDraft: boolean;
  /** The agent's branch; undefined until it is pushed. */
  readonly ref?: string;
  /** Address of the pull request. */
  readonly pullRequest?: string;
  readonly requestedBy?: string;
  readonly createdAt: Date;
  readonly archivedAt?: Date;
  /** Of the last run; undefined while there is an unfinished one. */
  readonly finishedAt?: Date;
  /** Why the last run failed. */
  readonly error?: string;
  /** The last run. */
  readonly runId: string;
}

export type NewAgentJob = Pick<
  AgentJob,
  "organizationId" | "projectId" | "repository" | "mode" | "model" | "asDraft" | "requestedBy"
> & { readonly domain: string };

export type AgentStarted =
  | { readonly kind: "created" | "repeated"; readonly job: AgentJob }
  /** As `Created` of a job. */
  | { readonly kind: "mismatch" }
  | { readonly kind: "full"; readonly maxQueued: number };

/** Agent jobs. Their runs are leased, renewed, failed and released by `JobStore`. Every call is one transaction. `by` is who makes the change, for the audit log. */
export interface AgentStore {
  /** With `once`, as `JobStore.create`. */
  create(job: NewAgentJob, prompt: string, once?: IdempotencyKey, by?: Actor): Promise<AgentStarted>;
  /** Queues a further run. Undefined: there is no such job, or it is archived. */
  addMessage(
    agentJobId: string,
    message: { readonly prompt: string; readonly domain: string; readonly requestedBy?: string | undefined },
    once?: IdempotencyKey,
    by?: Actor,
  ): Promise<AgentStarted | undefined>;
  get(agentJobId: string): Promise<AgentJob | undefined>;
  /** Newest first. */
  list(page: AgentJobPage): Promise<AgentJobList>;
  /** Fails the unfinished runs with `reason`. Undefined: there is no such job. */
  cancel(agentJobId: string, reason: string, by?: Actor): Promise<AgentJob | undefined>;
  /** Also cancels. Undefined: there is no such job. */
  archive(agentJobId: string, by?: Actor): Promise<AgentJob | undefined>;

  /** What a run is to do. Undefined: there is no such run. */
  run(runId: string): Promise<AgentRun | undefined>;
  /** Stores what the run has come to so far. False: its lease is lost. */
  update(lease: Lease, result: AgentResult): Promise<boolean>;
  /** Ends the run. False: its lease is lost. Repeating the call gives true again. */
  complete(lease: Lease, result: AgentResult): Promise<boolean>;

  /** Stores what a run is about to push, as `git diff` prints it. False: its lease is lost. */
  storePatch(lease: Lease, patch: string): Promise<boolean>;
  /** Stores what the model says about its work. False: its lease is lost. */
  storeReply(lease: Lease, reply: string): Promise<boolean>;
  /** Undefined: the run has changed nothing, or it is too old. */
  patch(runId: string): Promise<string | undefined>;
  /** The prompts, oldest first. */
  messages(agentJobId: string): Promise<readonly AgentMessage[]>;
  /** What happened in all runs, oldest first. `cursor` is that of the last event of the previous page. */
  events(agentJobId: string, page: { readonly limit: number; readonly cursor?: string }): Promise<AgentEvents>;
}

/** The branch and the address of the pull request; undefined: none. */
export type AgentResult = Pick<AgentJob, "ref" | "pullRequest">;

export interface AgentRun {
  readonly job: AgentJob;
  readonly runId: string;
  readonly prompt: string;
  /** The conversation before, oldest first. */
  readonly earlier: readonly Pick<AgentMessage, "prompt" | "reply">[];
}

export interface AgentMessage {
  readonly runId: string;
  /** Empty once it is too old to be kept. */
  readonly prompt: string;
  /** What the model said at the end; undefined: nothing, or it is too old. */
  readonly reply?: string;
  readonly createdAt: Date;
  readonly requestedBy?: string;
}

/** One line of the log of a run: without contents of files. */
export interface AgentEvent extends LogLine {
  readonly runId: string;
  readonly cursor: string;
}

export interface AgentEvents {
  readonly events: readonly AgentEvent[];
  /** Undefined on the last page. */
  readonly next?: string;
}

export interface AgentJobPage {
  readonly organizationId: string;
  readonly projectId?: string;
  readonly status?: AgentStatus;
  /** 1 to 100. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly cursor?: string;
}

export interface AgentJobList {
  readonly jobs: readonly AgentJob[];
  /** Undefined on the last page. */
  readonly next?: string;
}
