import { setTimeout as sleep } from "node:timers/promises";
import { type FetchOutcome, guardedFetch, type Network } from "../../../lib/fetch/index.js";

export interface OpenForgeOptions {
  readonly signal: AbortSignal;
  readonly network?: Network | undefined;
  /** Before the second try; doubles with each further one. */
  readonly retryMs?: number | undefined;
}

const tries = 5;
const requestMs = 30_000;
const maxBytes = 8 * 1024 * 1024;

/**
 * Sends a request to a forge, and repeats it after temporary failures. A request with a body is a POST.
 *
 * @param options `allowPrivate`: the operator has named the host, which may be in a private network.
 */
export async function askForge(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object | undefined,
  { signal, network, retryMs = 1000, allowPrivate }: OpenForgeOptions & { readonly allowPrivate: boolean },
): Promise<FetchOutcome> {
  const request = {
    headers: { accept: "application/json", ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { method: "POST" as const, body: JSON.stringify(body) }),
    allowPrivate,
    maxRedirects: 0,
    timeoutMs: requestMs,
    maxBytes,
    ...(network && { network }),
  };
  for (let attempt = 1; ; attempt++) {
    const outcome = await guardedFetch(url, request, signal);
    if (outcome.ok || !mayPass(outcome) || attempt === tries) return outcome;
    await sleep(retryMs * 2 ** (attempt - 1), undefined, { signal });
  }
}

/** Whether another attempt may succeed. */
export const mayPass = ({ status }: { readonly status?: number | undefined }): boolean =>
  status === undefined || status === 429 || status >= 500;

/** A forge refused a request, or did not answer it. */
export class ForgeFault extends Error {
  override readonly name = "ForgeFault";
  /** @param message for API clients, without credentials. @param retry whether another attempt may succeed. */
  constructor(
    message: string,
    readonly retry = false,
  ) {
    super(message);
  }
}
