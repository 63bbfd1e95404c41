import type { LogLine } from "./job.js";

/** `archived` wins over what the last run came to; a queued or running one is `active`. */
export type AgentStatus = "active" | "completed" | "failed" | "archived";

/** `repair` repairs faults without a model, and carries out no prompt. */
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
  /** The branch that the job is to create. Undefined: a run names its own. */
  readonly branch?: string;
  /** The agent's branch; undefined until it is pushed. */
  readonly ref?: string;
  readonly pullRequest?: string;
  readonly requestedBy?: string;
  readonly createdAt: Date;
  readonly archivedAt?: Date;
  /** Of the last run; undefined while there is an unfinished one. */
  readonly finishedAt?: Date;
  /** Why the last run failed. */
  readonly error?: string;
  readonly runId: string;
  /** Of the last run; empty once it is too old to be kept. */
  readonly prompt?: string;
}

export type NewAgentJob = Pick<
  AgentJob,
  "organizationId" | "projectId" | "repository" | "mode" | "model" | "asDraft" | "branch" | "requestedBy"
> & { readonly domain: string };

export type AgentStarted =
  | { readonly kind: "created" | "repeated"; readonly job: AgentJob }
  /** As `Created` of a job. */
  | { readonly kind: "mismatch" }
  | { readonly kind: "full"; readonly maxQueued: number };

/** The branch and the address of the pull request; undefined: none. */
export type AgentResult = Pick<AgentJob, "ref" | "pullRequest">;

export interface AgentRun {
  readonly job: AgentJob;
  readonly runId: string;
  readonly prompt: string;
  /** Of the first run of a repair: what the last repair of the same site has come to. */
  readonly earlierRepair?: AgentResult;
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
  /** Jobs to leave out in front. */
  readonly skip?: number;
}

export interface AgentJobList {
  readonly jobs: readonly AgentJob[];
  /** Undefined on the last page. */
  readonly next?: string;
}
