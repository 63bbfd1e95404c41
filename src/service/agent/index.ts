/**
 * In:  a prompt, and the repository of a site.
 * Out: a branch of it with a commit for each prompt and each repair, and its pull request.
 */

export {
  type AgentSetup,
  type AgentTarget,
  agentEvents,
  agentLimits,
  agentTarget,
  agentUse,
  repairModel,
} from "./agent-request.js";
export type { AgentWork, FaultCounts, FileChange, WorkProposal } from "./describe-work.js";
export {
  createModelCalls,
  endings,
  type ModelAnswer,
  type ModelCalls,
  ModelFault,
  type ModelTask,
  type RunLimits,
  runLimitDefaults,
} from "./model/model-calls.js";
export type { ModelWork } from "./model/run-model.js";
export { type Flag, flagTexts, type Review } from "./review/flag.js";
export { type AgentRunDeps, type AgentSettings, runAgent } from "./run-agent.js";
