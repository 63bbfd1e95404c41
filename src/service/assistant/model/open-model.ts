import { guardedStream } from "../../../lib/fetch/index.js";
import { ModelUnreached } from "./model-failure.js";
import type { ModelOptions } from "./model-options.js";

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
