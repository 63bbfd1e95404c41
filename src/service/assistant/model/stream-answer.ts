import { valueOfJson } from "../../../lib/json/index.js";
import { type AnswerFailure, AnswerFailure as Failure, type Usage } from "../answer.js";
import { lateFailure, modelFailure, refusesTools, ToolsRefused } from "./model-failure.js";
import type { LanguageModel, ModelOptions, modelDefaults } from "./open-model.js";
import type { Message } from "./prompt.js";
import { type ToolCall, toolDefinitions } from "./tools.js";

export type ModelPart =
  | { readonly kind: "text"; readonly text: string }
  /** `isCut`: the answer reached its longest length. */
  | {
      readonly kind: "end";
      readonly isCut: boolean;
      readonly usage: Partial<Usage>;
      /** The model waits for their results. */
      readonly calls: readonly ToolCall[];
      /** Continues the conversation with the results of the calls, in their order. */
      readonly withResults: (results: readonly string[]) => Exchange;
    };

/** What a model said besides its first prompt, and the results that it got. */
export type Exchange = ProviderPrompt;
type ProviderPrompt = Parameters<LanguageModel["doStream"]>[0]["prompt"];
type ReplyPart = Extract<ProviderPrompt[number], { readonly role: "assistant" }>["content"][number];

interface ModelQuestion {
  readonly messages: readonly Message[];
  readonly exchange: Exchange;
  readonly hasTools: boolean;
}

type Limits = Required<Pick<ModelOptions, Exclude<keyof typeof modelDefaults, "maxPromptTokens">>>;

/** More than a token usually has. Bounds the answer of a server that ignores the limit of tokens. */
const maxCharsPerToken = 8;

/**
 * Asks a model, and gives its answer while it arrives.
 *
 * Fails: with an `AnswerFailure`, if the model does not begin, pauses too long, or reports an error; with `ToolsRefused`,
 *        if the server may answer without tools.
 * Stops: once `signal` aborts or the caller leaves the loop, the request is cancelled.
 */
export async function* streamAnswer(
  model: LanguageModel,
  { messages, exchange, hasTools }: ModelQuestion,
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
  let hasBegun = false;
  try {
    const request = {
      prompt: [...promptOf(messages), ...exchange],
      maxOutputTokens: maxAnswerTokens,
      abortSignal: stop.signal,
      ...(hasTools && { tools: toolDefinitions }),
    };
    const asked = Promise.resolve(model.doStream(request));
    asked.catch(() => {});
    const { stream } = await Promise.race([asked, stopped.promise]);
    const reader = stream.getReader();
    const reply = createReply();
    let length = 0;
    for (;;) {
      const read = reader.read();
      read.catch(() => {});
      const { done, value } = await Promise.race([read, stopped.promise]);
      if (done) throw cutOff();
      if (value.type === "error") throw value.error;
      const delta = deltaOf(value);
      if (delta !== undefined) {
        hasBegun = true;
        heard();
        length += delta.length;
        if (value.type === "text-delta") yield { kind: "text", text: delta };
      }
      reply.add(value);
      const isTooLong = length > maxAnswerTokens * maxCharsPerToken;
      if (value.type !== "finish" && !isTooLong) continue;
      const isCut = isTooLong || (value.type === "finish" && value.finishReason.unified === "length");
      yield { kind: "end", isCut, usage: value.type === "finish" ? usageOf(value.usage) : {}, ...reply.end() };
      return;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (hasTools && !hasBegun && refusesTools(error)) throw new ToolsRefused();
    throw modelFailure(stop.signal.aborted ? stop.signal.reason : error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    stop.abort();
  }
}

type StreamPart =
  Awaited<ReturnType<LanguageModel["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

const deltaOf = (part: StreamPart): string | undefined =>
  part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "tool-input-delta"
    ? part.delta
    : undefined;

/** Calls beyond it in one message are not carried out, nor sent back. */
const maxCalls = 8;

/** Collects what the model says, in the form in which its server wants it back. */
function createReply() {
  const parts: ReplyPart[] = [];
  const calls: (ToolCall & { readonly id: string })[] = [];
  return {
    add(value: StreamPart): void {
      if (value.type === "text-delta" || value.type === "reasoning-delta") {
        const type = value.type === "text-delta" ? "text" : "reasoning";
        const last = parts.at(-1);
        if (last?.type === type) parts[parts.length - 1] = { ...last, text: last.text + value.delta };
        else parts.push({ type, text: value.delta });
      } else if (value.type === "tool-call" && calls.length < maxCalls) {
        const { toolCallId, toolName, input, providerMetadata } = value;
        calls.push({ id: toolCallId, name: toolName, input });
        const providerOptions = providerMetadata && { providerOptions: providerMetadata };
        parts.push({ type: "tool-call", toolCallId, toolName, input: objectIn(input), ...providerOptions });
      }
    },
    end: () => ({
      calls,
      withResults: (results: readonly string[]): Exchange => [
        { role: "assistant", content: parts },
        {
          role: "tool",
          content: calls.map(({ id: toolCallId, name: toolName }, at) => ({
            type: "tool-result",
            toolCallId,
            toolName,
            output: { type: "text", value: results[at] ?? "" },
          })),
        },
      ],
    }),
  };
}

/** Servers refuse a conversation whose calls have other arguments than objects. */
function objectIn(input: string): object {
  const value = valueOfJson(input);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Anthropic keeps what it has read up to these marks for the next request; others keep it without a mark. */
const cached = { providerOptions: { anthropic: { cacheControl: { type: "ephemeral" as const } } } };

const promptOf = (messages: readonly Message[]): ProviderPrompt =>
  messages.map(({ role, text }, at) => {
    const isEnd = at === messages.length - 1 ? cached : {};
    return role === "system"
      ? { role, content: text, ...cached }
      : { role, content: [{ type: "text", text }], ...isEnd };
  });

const cutOff = (): AnswerFailure => new Failure("The answer was cut off. Try again.");

interface ProviderUsage {
  readonly inputTokens: { readonly total: number | undefined };
  readonly outputTokens: { readonly total: number | undefined };
}

const usageOf = ({ inputTokens, outputTokens }: ProviderUsage): Partial<Usage> => ({
  ...(inputTokens.total === undefined ? {} : { promptTokens: inputTokens.total }),
  ...(outputTokens.total === undefined ? {} : { completionTokens: outputTokens.total }),
});
