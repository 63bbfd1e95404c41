/**
 * In:  a prompt, and the repository of a site.
 * Out: a branch of it with a commit for each prompt and each repair, and its pull request.
 */
export * from "./agent-request.js";
export type { AgentWork, FaultCounts, FileChange } from "./describe-work.js";
export * from "./model/model-calls.js";
export type { ModelWork } from "./model/run-model.js";
export * from "./review/flag.js";
export * from "./run-agent.js";
