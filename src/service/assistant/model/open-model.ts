import { guardedStream, type Network } from "../../../lib/fetch/index.js";
import { ModelUnreached } from "./model-failure.js";

/** Longest answer, reasoning included. */
const answerMs = 10 * 60_000;
const maxBytes = 32 * 1024 * 1024;

/** The part of a provider that answers. */
export type LanguageModel = Awaited<ReturnType<typeof openModel>>;

/** Loads the provider's code, which only a service with a model needs. @param send default: guarded requests. */
export async function openModel({ provider, url, model, key, network }: ModelOptions, send = guarded(network)) {
  if (provider === "anthropic") {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ baseURL: url, apiKey: key ?? "none", fetch: send }).chat(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name: "openai",
    baseURL: url,
    ...(key === undefined ? {} : { apiKey: key }),
    fetch: send,
    includeUsage: true,
    // Newer models of OpenAI accept only the new name of this limit, and other servers often only the old one.
    transformRequestBody: ({ max_tokens: limit, ...body }) =>
      new URL(url).hostname === "api.openai.com"
        ? { ...body, max_completion_tokens: limit }
        : { ...body, max_tokens: limit },
  }).chatModel(model);
}

const guarded =
  (network: ModelOptions["network"]) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = {
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: String(init?.body),
      allowPrivate: true,
      timeoutMs: answerMs,
      maxBytes,
      ...(network === undefined ? {} : { network }),
    };
    const signal = init?.signal ?? undefined;
    return await guardedStream(String(input), request, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new ModelUnreached(error instanceof Error ? error.message : String(error));
    });
  };

/** The model that answers, and its limits. */
export interface ModelOptions {
  /** "openai": a server that speaks OpenAI's chat completions, such as Ollama, vLLM or llama.cpp. */
  readonly provider: "openai" | "anthropic";
  /**
   * Without the slash at the end: `http://localhost:11434/v1`. Private addresses are allowed, since the operator wrote
   * it.
   */
  readonly url: string;
  readonly model: string;
  readonly key?: string;
  /** Longest answer, in tokens. */
  readonly maxAnswerTokens?: number;
  /** Longest prompt, in estimated tokens, with all that the model reads: older turns and then passages are left out. */
  readonly maxPromptTokens?: number;
  /** How long the model may take to begin, in milliseconds. */
  readonly firstTokenMs?: number;
  /** Longest pause between two pieces of an answer, in milliseconds. */
  readonly idleMs?: number;
  /**
   * Whether the model may search and read pages by itself. Default: yes, unless its server refuses requests with tools.
   */
  readonly tools?: boolean;
  readonly network?: Network;
}

export const modelDefaults = {
  maxAnswerTokens: 2000,
  maxPromptTokens: 8000,
  firstTokenMs: 30_000,
  idleMs: 60_000,
} as const satisfies Partial<ModelOptions>;
