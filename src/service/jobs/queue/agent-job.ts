import type { LogLine } from "./job.js";

/** `active` while a run is queued or running, then the result of the last run; `archived` replaces both. */
export type AgentStatus = "active" | "completed" | "failed" | "archived";

/** `repair` repairs faults without a model, and ignores the prompt. */
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
  /** Whether the pull request is always a draft. */
  readonly asDraft: boolean;
  /** The branch to create. By default a run chooses the name. */
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
  /** The prompt of the last run; empty once it has been deleted for its age. */
  readonly prompt?: string;
}

export type NewAgentJob = Pick<
  AgentJob,
  "organizationId" | "projectId" | "repository" | "mode" | "model" | "asDraft" | "branch" | "requestedBy"
> & { readonly domain: string };

export type AgentStarted =
  | { readonly kind: "created" | "repeated"; readonly job: AgentJob }
  /** See `Created`. */
  | { readonly kind: "mismatch" }
  | { readonly kind: "full"; readonly maxQueued: number };

/** The branch and the URL of the pull request, as far as they exist. */
export type AgentResult = Pick<AgentJob, "ref" | "pullRequest">;

export interface AgentRun {
  readonly job: AgentJob;
  readonly runId: string;
  readonly prompt: string;
  /** For the first run of a repair: the branch and pull request of the last repair of the same site. */
  readonly earlierRepair?: AgentResult;
  /** The earlier messages, oldest first. */
  readonly earlier: readonly Pick<AgentMessage, "prompt" | "reply">[];
}

export interface AgentMessage {
  readonly runId: string;
  /** Empty once it has been deleted for its age. */
  readonly prompt: string;
  /** The model's last words; undefined if there are none, or once they have been deleted for their age. */
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
  /** The number of jobs to skip. */
  readonly skip?: number;
}

export interface AgentJobList {
  readonly jobs: readonly AgentJob[];
  /** Undefined on the last page. */
  readonly next?: string;
}
