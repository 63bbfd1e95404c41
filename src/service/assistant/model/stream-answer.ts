import { type AnswerFailure, AnswerFailure as Failure, type Usage } from "../answer.js";
import { lateFailure, modelFailure } from "./model-failure.js";
import type { ModelOptions, modelDefaults } from "./model-options.js";
import type { LanguageModel } from "./open-model.js";
import type { Message } from "./prompt.js";

export type ModelPart =
  | { readonly kind: "text"; readonly text: string }
  /** `isCut`: the answer reached its longest length. */
  | { readonly kind: "end"; readonly isCut: boolean; readonly usage: Partial<Usage> };

type Limits = Required<Pick<ModelOptions, Exclude<keyof typeof modelDefaults, "maxPromptTokens">>>;

/** More than a token usually has. Bounds the answer of a server that ignores the limit of tokens. */
const maxCharsPerToken = 8;

/**
 * Asks a model, and gives its answer while it arrives.
 *
 * Fails: with an `AnswerFailure`, if the model does not begin, pauses too long, or reports an error.
 * Stops: once `signal` aborts or the caller leaves the loop, the request is cancelled.
 */
export async function* streamAnswer(
  model: LanguageModel,
  messages: readonly Message[],
  { firstTokenMs, idleMs, maxAnswerTokens }: Limits,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  signal.throwIfAborted();
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  // Nobody may be waiting for it.
  stopped.promise.catch(() => {});
  const abort = (reason: unknown): void => {
    stopped.reject(reason);
    stop.abort(reason);
  };
  const leave = (): void => abort(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  let timer = setTimeout(() => abort(lateFailure(firstTokenMs)), firstTokenMs);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => abort(lateFailure(idleMs)), idleMs);
  };
  try {
    const request = { prompt: promptOf(messages), maxOutputTokens: maxAnswerTokens, abortSignal: stop.signal };
    const asked = Promise.resolve(model.doStream(request));
    asked.catch(() => {});
    const { stream } = await Promise.race([asked, stopped.promise]);
    const reader = stream.getReader();
    let length = 0;
    for (;;) {
      const read = reader.read();
      read.catch(() => {});
      const { done, value } = await Promise.race([read, stopped.promise]);
      if (done) throw cutOff();
      if (value.type === "error") throw value.error;
      if (value.type === "text-delta" || value.type === "reasoning-delta") {
        heard();
        length += value.delta.length;
        if (value.type === "text-delta") yield { kind: "text", text: value.delta };
      }
      const isTooLong = length > maxAnswerTokens * maxCharsPerToken;
      if (value.type !== "finish" && !isTooLong) continue;
      const isCut = isTooLong || (value.type === "finish" && value.finishReason.unified === "length");
      yield { kind: "end", isCut, usage: value.type === "finish" ? usageOf(value.usage) : {} };
      return;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw modelFailure(stop.signal.aborted ? stop.signal.reason : error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    stop.abort();
  }
}

type ProviderPrompt = Parameters<LanguageModel["doStream"]>[0]["prompt"];

const promptOf = (messages: readonly Message[]): ProviderPrompt =>
  messages.map(({ role, text }) =>
    role === "system" ? { role, content: text } : { role, content: [{ type: "text", text }] },
  );

const cutOff = (): AnswerFailure => new Failure("The answer was cut off. Try again.");

interface ProviderUsage {
  readonly inputTokens: { readonly total: number | undefined };
  readonly outputTokens: { readonly total: number | undefined };
}

const usageOf = ({ inputTokens, outputTokens }: ProviderUsage): Partial<Usage> => ({
  ...(inputTokens.total === undefined ? {} : { promptTokens: inputTokens.total }),
  ...(outputTokens.total === undefined ? {} : { completionTokens: outputTokens.total }),
});
