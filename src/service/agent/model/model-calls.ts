import { setTimeout as sleep } from "node:timers/promises";
import { guardedStream, type Network } from "../../../lib/fetch/index.js";
import { fieldsOf, isRecord, valueOfJson } from "../../../lib/json/index.js";
import type { ModelOptions } from "../../assistant/index.js";
import type { ChangeLimits } from "./site-files.js";

/** What a model is to do in the process of an agent job, which does not get its key. */
export interface ModelTask extends Pick<ModelOptions, "provider" | "url" | "model"> {
  readonly prompt: string;
  /** The conversation before, oldest first. */
  readonly earlier: readonly { readonly prompt: string; readonly reply?: string }[];
  /** What the site's owners say about its texts. */
  readonly instructions?: string;
  readonly limits: ChangeLimits & { readonly wallMs: number };
}

/** Why the model's work ended early. */
export const endings = ["requests", "tokens", "time", "length", "files", "lines", "bytes", "calls"] as const;
export type Ending = (typeof endings)[number];

/** The worker's answer to a request to the model. */
export type ModelAnswer = { readonly body: string } | { readonly ended: Ending };

/** Why the model did not answer, as a sentence for API clients. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  constructor(
    message: string,
    readonly retry: boolean,
  ) {
    super(message);
  }
}

/** How much of the model one run may use. */
interface ModelLimits {
  readonly requests: number;
  /** Tokens sent and received. */
  readonly tokens: number;
  readonly wallMs: number;
}

interface ModelCallOptions {
  readonly model: Pick<ModelOptions, "provider" | "url" | "key" | "model">;
  readonly limits: ModelLimits;
  readonly signal: AbortSignal;
  readonly network?: Network | undefined;
  /** Before the second try of a request; doubles with each further one. */
  readonly retryMs?: number | undefined;
  /** Milliseconds of a clock that nobody sets, such as `performance.now`. */
  readonly now: () => number;
  /** Called before a request is sent again. */
  onRetry(why: string): Promise<void>;
}

const tries = 5;
const longestWaitMs = 60_000;
const requestMs = 5 * 60_000;
const sizeLimits = { requestLength: 8_000_000, answerBytes: 8 * 1024 * 1024 };

const shapes = {
  openai: {
    path: "/chat/completions",
    headers: (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` }),
  },
  anthropic: {
    path: "/messages",
    headers: (key: string): Record<string, string> => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  },
} as const satisfies Record<ModelOptions["provider"], object>;

/**
 * Sends the requests of one run to the model's address, and to no other. Adds the key, which the process that writes the
 * requests does not have, and ends that process's work at the limits.
 *
 * Fails: rejects with a `ModelFault`. Stops: once the signal aborts, rejects with its reason.
 */
export function createModelCalls(options: ModelCallOptions) {
  const { model, limits, signal, network, retryMs = 2000, now, onRetry } = options;
  const { path, headers } = shapes[model.provider];
  const endsAt = now() + limits.wallMs;
  let [requests, tokens, lastTokens] = [0, 0, 0];

  const ending = (): Ending | undefined => {
    if (now() >= endsAt) return "time";
    if (requests >= limits.requests) return "requests";
    // A request repeats the conversation so far, so it uses at least as much as the last one.
    return tokens + lastTokens > limits.tokens ? "tokens" : undefined;
  };
  const send = async (body: string) => {
    const request = {
      headers: { "content-type": "application/json", ...(model.key === undefined ? {} : headers(model.key)) },
      body,
      // The operator wrote the address.
      allowPrivate: true,
      timeoutMs: Math.max(1, Math.min(requestMs, endsAt - now())),
      maxBytes: sizeLimits.answerBytes,
      ...(network && { network }),
    };
    try {
      const response = await guardedStream(`${model.url}${path}`, request, signal);
      const text = await response.text();
      return { status: response.status, text, waitMs: waitOf(response.headers.get("retry-after")) };
    } catch (error) {
      signal.throwIfAborted();
      return { status: undefined, text: "", why: error instanceof Error ? error.message : String(error) };
    }
  };
  const answer = async (written: string): Promise<ModelAnswer> => {
    if (written.length > sizeLimits.requestLength) return { ended: "length" };
    // The process could ask for another model, for many answers at once, or for a stream.
    const { n, stream, ...rest } = fieldsOf(valueOfJson(written));
    const body = JSON.stringify({ ...rest, model: model.model });
    for (let attempt = 1; ; attempt++) {
      const ended = ending();
      if (ended) return { ended };
      const { status, text, why, waitMs } = await send(body);
      const used = status === 200 ? tokensOf(text) : undefined;
      if (used !== undefined) {
        lastTokens = used || Math.ceil((body.length + text.length) / 4);
        tokens += lastTokens;
        requests++;
        return { body: text };
      }
      // The conversation may have become longer than the model can read.
      if ((status === 400 || status === 413) && requests > 0) return { ended: "length" };
      const reason =
        status === 200 ? "its answer cannot be read" : status ? `it answered ${status}${codeIn(text)}` : why;
      const mayPass = status === undefined || status === 200 || [408, 409, 425, 429].includes(status) || status >= 500;
      const wait = waitMs ?? retryMs * 2 ** (attempt - 1);
      if (!mayPass || attempt === tries || wait > longestWaitMs)
        throw new ModelFault(`The language model cannot be used: ${reason}.`, mayPass);
      if (now() + wait >= endsAt) return { ended: "time" };
      await onRetry(`Retrying the language model: ${reason}.`);
      await sleep(wait, undefined, { signal });
    }
  };
  return { answer, used: () => ({ requests, tokens }) };
}

/** In milliseconds; undefined if the header is not a number of seconds. */
const waitOf = (retryAfter: string | null): number | undefined =>
  retryAfter !== null && /^\d{1,6}(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;

/** 0 if the server reports no usage; undefined if the response is malformed. */
function tokensOf(text: string): number | undefined {
  const answer = valueOfJson(text);
  if (!isRecord(answer)) return undefined;
  const usage = fieldsOf(answer["usage"]);
  const names = ["prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "cache_read_input_tokens"];
  const counts = [...names, "cache_creation_input_tokens"].map((name) => usage[name]);
  return counts.reduce((sum: number, count) => sum + (Number.isSafeInteger(count) ? Math.max(0, Number(count)) : 0), 0);
}

/** The server's code for the error. Its text is left out, since it may repeat the request. */
function codeIn(text: string): string {
  const { code, type } = fieldsOf(fieldsOf(valueOfJson(text))["error"]);
  const name = [code, type].find((each) => typeof each === "string" && /^[\w.-]{1,64}$/.test(each));
  return name === undefined ? "" : ` (${String(name)})`;
}

/** What one run with a language model may use and change. */
export type RunLimits = ModelLimits & ChangeLimits;

export const runLimitDefaults: RunLimits = {
  requests: 60,
  tokens: 400_000,
  wallMs: 15 * 60_000,
  files: 40,
  lines: 2000,
  bytes: 2_000_000,
};
