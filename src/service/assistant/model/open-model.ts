import { guardedStream, type Network } from "../../../lib/fetch/index.js";
import { AnswerFailure } from "../answer.js";

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
  /** Without the slash at the end: `http://localhost:11434/v1`. Private addresses are allowed. */
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
  /** Whether the model may search and read pages. Default: yes, unless its server refuses requests with tools. */
  readonly tools?: boolean;
  readonly network?: Network;
}

export const modelDefaults = {
  maxAnswerTokens: 2000,
  maxPromptTokens: 8000,
  firstTokenMs: 30_000,
  idleMs: 60_000,
} as const satisfies Partial<ModelOptions>;

/** A failure that the reader may see. Its cause, for the operator, has neither a question's text nor a key. */
export function modelFailure(error: unknown): AnswerFailure {
  if (error instanceof AnswerFailure) return error;
  const status = statusOf(error);
  const isBusy = status === 429 || status === 503 || status === 529;
  const message = isBusy
    ? "The language model is busy. Try again in a moment."
    : "The language model is not available. Try again later.";
  return new AnswerFailure(message, { cause: new Error(detailOf(error, status)) });
}

export const lateFailure = (ms: number): AnswerFailure =>
  new AnswerFailure("The language model took too long to answer. Try again later.", {
    cause: new Error(`the model sent nothing for ${ms / 1000} seconds`),
  });

/** The server refused the request because it has tools, or for a reason that it does not name. */
export class ToolsRefused extends Error {}

/** Whether the same request without tools may succeed. Servers have neither a status nor a code for this. */
export function refusesTools(error: unknown): boolean {
  const status = statusOf(error);
  if (status === undefined || status === 401 || status === 403 || status === 429) return false;
  const { message, responseBody } = error as ProviderError;
  const text = `${String(message)} ${String(responseBody)}`.slice(0, 10_000);
  if (/\btools?\b|function.?call/i.test(text)) return true;
  return (status === 400 || status === 422) && !/context|length|token/i.test(text);
}

/** Errors of providers, and what a server reports inside of a stream. */
interface ProviderError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly statusCode?: unknown;
  readonly responseBody?: unknown;
  readonly cause?: unknown;
  readonly data?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
}

const statusOf = (error: unknown): number | undefined => {
  const { statusCode } = (error ?? {}) as ProviderError;
  return typeof statusCode === "number" ? statusCode : undefined;
};

function detailOf(error: unknown, status: number | undefined): string {
  const { data } = (error ?? {}) as ProviderError;
  const reported = ((data as { error?: unknown } | undefined)?.error ?? data ?? error ?? {}) as ProviderError;
  const code = [reported.code, reported.type].find((each) => typeof each === "string" && /^[\w.-]{1,64}$/.test(each));
  const suffix = code === undefined ? "" : ` (${String(code)})`;
  if (status !== undefined) return `the model server answered ${status}${suffix}`;
  if (code !== undefined) return `the model server reported an error${suffix}`;
  return refusalOf(error) ?? `the model server's response could not be read (${String((error as Error)?.name)})`;
}

/** Why no connection was made: the text of `Refusal`, which a provider wraps. */
function refusalOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ModelUnreached) return `the model server was not used because ${each.message}`;
  return undefined;
}

/** The guarded request refused the address or got no answer. The message contains only the host. */
export class ModelUnreached extends Error {}
