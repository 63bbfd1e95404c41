import {
  type AgentSettings,
  createModelCalls,
  type ModelTask,
  type RunLimits,
  runLimitDefaults,
} from "../agent/index.js";
import type { AgentRun } from "../jobs/index.js";
import type { AgentAnswer, AgentCall } from "./agent-messages.js";
import { JobFailure } from "./job-failure.js";
import type { JobRecord } from "./job-record.js";

/** Tools that events name; a model may ask for others. */
const toolName = /^[a-z_]{1,20}$/;

/**
 * The model of one run: what its process is to do with it, and the answers to what that process asks for. Undefined if the
 * job wants none.
 *
 * @throws {JobFailure} if this worker has no model.
 */
export function openAgentModel(
  { job, prompt, earlier }: AgentRun,
  { languageModel: model, limits: given, network, retryMs }: AgentSettings,
  record: JobRecord,
  signal: AbortSignal,
) {
  if (job.mode !== "model") return undefined;
  if (!model)
    throw new JobFailure("This worker has no language model. Set OFFPRINT_MODEL where it runs.", "environment", false);
  const limits: RunLimits = { ...runLimitDefaults, ...given };
  const onRetry = (why: string): Promise<void> => record.add("warning", why);
  const calls = createModelCalls({ model, limits, network, retryMs, signal, now: () => performance.now(), onRetry });
  const usedText = (): string => {
    const { requests, tokens } = calls.used();
    return `Requests to the model: ${requests}. Tokens: ${tokens.toLocaleString("en-US")}.`;
  };
  return {
    taskWith: (instructions: string | undefined): ModelTask => ({
      provider: model.provider,
      url: model.url,
      model: model.model,
      prompt,
      earlier,
      limits,
      ...(instructions !== undefined && { instructions }),
    }),
    async answer(call: AgentCall): Promise<AgentAnswer> {
      if (call.kind === "ask model") return { model: await calls.answer(call.body) };
      const { tool, path, isRefused } = call;
      const name = toolName.test(tool) ? tool : "an unknown tool";
      const at = path === undefined ? "" : ` ${JSON.stringify(path.slice(0, 200))}`;
      await record.add("info", `${name}${at}${isRefused ? " was refused" : ""}. ${usedText()}`);
      return { noted: true };
    },
    recordUse: (): Promise<void> => record.add("info", usedText()),
  };
}
export type AgentModel = NonNullable<ReturnType<typeof openAgentModel>>;
