import type { BuiltRequest } from "./build-request.js";
import { errorMessage } from "./form/control.js";

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Until the last byte. */
  readonly timeMs: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The body is incomplete: it exceeds the limit, or the reader cancelled it. */
  readonly isCut: boolean;
  readonly contentType: string;
}

export type Outcome =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "cancelled" }
  | { readonly kind: "timeout"; readonly afterMs: number }
  /** The Content-Security-Policy of the site forbids the address. */
  | { readonly kind: "policy" }
  /** The API redirects, and the browser would forward these credentials. It does not tell to which URL. */
  | { readonly kind: "redirect"; readonly forwarded: readonly string[] }
  /** The browser rejects the request itself. */
  | { readonly kind: "refused"; readonly reason: string }
  /** A network failure, or an API without CORS for this page: scripts cannot tell them apart. */
  | { readonly kind: "unanswered" };

/** Timeout for the response headers, in milliseconds: a minute, or `data-answer-timeout-ms` of the root element. */
function answerTimeoutMs(): number {
  const custom = Number(document.documentElement.dataset.answerTimeoutMs);
  return custom > 0 && custom < 2 ** 31 ? custom : 60_000;
}
const maxBytes = 20 * 1024 * 1024;

interface SendOptions {
  /** Whether to send the browser's cookies for the API. */
  readonly withCookies: boolean;
  /** Follow redirects even if credentials are forwarded. */
  readonly mayFollow?: boolean;
  /** Aborted by the reader. The bytes received by then are the answer. */
  readonly signal: AbortSignal;
  /** Called with each chunk of a streamed response. */
  readonly onText: (text: string) => void;
}

/** Sends a request from the reader's browser straight to the API. */
export async function sendRequest(
  { sample, headers, body, forwarded }: BuiltRequest,
  { withCookies, mayFollow = false, signal, onText }: SendOptions,
): Promise<Outcome> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  signal.addEventListener("abort", stop);
  const afterMs = answerTimeoutMs();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, afterMs);
  let isForbidden = false;
  const onViolation = (event: SecurityPolicyViolationEvent): void => {
    isForbidden ||= event.effectiveDirective === "connect-src";
  };
  document.addEventListener("securitypolicyviolation", onViolation);
  const start = performance.now();
  try {
    let request: Request;
    try {
      request = new Request(new URL(sample.url, document.baseURI), {
        method: sample.method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        body,
        cache: "no-store",
        credentials: withCookies ? "include" : "same-origin",
        redirect: mayFollow || forwarded.length === 0 ? "follow" : "manual",
        signal: controller.signal,
      });
    } catch (error) {
      return { kind: "refused", reason: errorMessage(error) };
    }
    const response = await fetch(request);
    clearTimeout(timer);
    if (response.type === "opaqueredirect") return { kind: "redirect", forwarded };
    const { bytes, isCut } = await readBody(response, signal, onText);
    return {
      kind: "answer",
      answer: {
        status: response.status,
        statusText: response.statusText,
        headers: [...response.headers],
        timeMs: performance.now() - start,
        bytes,
        isCut,
        contentType: response.headers.get("content-type") ?? "",
      },
    };
  } catch {
    if (signal.aborted) return { kind: "cancelled" };
    if (isLate) return { kind: "timeout", afterMs };
    // The violation event fires in a later task.
    await new Promise((resolve) => setTimeout(resolve));
    return { kind: isForbidden ? "policy" : "unanswered" };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    document.removeEventListener("securitypolicyviolation", onViolation);
  }
}

async function readBody(
  response: Response,
  signal: AbortSignal,
  onText: SendOptions["onText"],
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean }> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const isStream = /event-stream|ndjson|jsonl|stream\+json/i.test(response.headers.get("content-type") ?? "");
  const decoder = new TextDecoder();
  try {
    while (reader && length <= maxBytes) {
      const { done, value } = await reader.read();
      if (done) return { bytes: concat(chunks, length), isCut: false };
      chunks.push(value);
      length += value.length;
      if (isStream) onText(decoder.decode(value, { stream: true }));
    }
    await reader?.cancel();
  } catch (error) {
    if (!signal.aborted || length === 0) throw error;
  }
  return { bytes: concat(chunks, length), isCut: reader !== undefined };
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
