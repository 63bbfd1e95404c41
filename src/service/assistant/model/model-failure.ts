import { AnswerFailure } from "../answer.js";

/**
 * A failure that the reader may see. Its cause has what the operator needs: a status, a code of the model server, or
 * why it was not reached. It contains neither text of a question nor a key.
 */
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
