/**
 * In:  a prompt, and the repository of a site.
 * Out: a branch of it with a commit for each prompt and each repair, and its pull request.
 */

export { agentEvents } from "./agent-events.js";
export { type AgentSetup, type AgentTarget, agentLimits, agentTarget, agentUse, repairModel } from "./agent-request.js";
export type { AgentWork, FaultCounts, FileChange, WorkProposal } from "./agent-work.js";
export {
  createModelCalls,
  type ModelCalls,
  ModelFault,
} from "./model/model-calls.js";
export { endings, type ModelAnswer, type ModelTask } from "./model/model-task.js";
export { type RunLimits, runLimitDefaults } from "./model/run-limits.js";
export type { ModelWork } from "./model/run-model.js";
export { type Flag, flagTexts, type Review } from "./review/flag.js";
export { type AgentRunDeps, type AgentSettings, runAgent } from "./run-agent.js";
