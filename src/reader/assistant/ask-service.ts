/** Sends questions to the service and reads the parts of its UI message stream. */
import type { AssistantHost } from "./assistant-host.js";

export interface QuestionBody {
  readonly fp: string;
  readonly messages: readonly object[];
  readonly threadId?: string | undefined;
  readonly currentPath?: string | undefined;
  readonly context?: readonly object[];
  readonly filter?: object | undefined;
}

/** A part of the stream, with the fields of its type only. */
export interface AnswerPart {
  readonly type: string;
  readonly messageId?: string;
  readonly messageMetadata?: { readonly threadId?: string; readonly model?: string };
  readonly output?: readonly { readonly path: string; readonly url: string }[];
  readonly delta?: string;
  readonly sourceId?: string;
  readonly url?: string;
  readonly title?: string;
  readonly providerMetadata?: { readonly offprint?: { readonly quote?: string } };
  readonly errorText?: string;
}

/** The service refused a request. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

/** The service sends something at least every ten seconds. */
const maxSilenceMs = 45_000;

/**
 * Yields the parts of an answer until it is complete.
 *
 * @throws {Refusal} if the service refuses the question; another error if it cannot be reached or the answer breaks off.
 */
export async function* ask(
  host: AssistantHost,
  body: QuestionBody,
  signal: AbortSignal,
  onHead: (head: Headers) => void,
) {
  const silence = new AbortController();
  const stop = (): void => silence.abort();
  signal.addEventListener("abort", stop);
  let timer = setTimeout(stop, maxSilenceMs);
  try {
    const response = await send(host, "message", body, silence.signal);
    onHead(response.headers);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    while (true) {
      const { done, value } = await reader.read();
      if (done) throw new Error("The answer is not complete.");
      clearTimeout(timer);
      timer = setTimeout(stop, maxSilenceMs);
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const data = /^data: ?(.*)$/.exec(line.replace(/\r$/, ""))?.[1];
        if (data === "[DONE]") return;
        if (data) yield JSON.parse(data) as AnswerPart;
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    stop();
  }
}

export async function send(host: AssistantHost, route: string, body: object, signal?: AbortSignal): Promise<Response> {
  const { url, domain, key } = host;
  const response = await fetch(`${url}/discovery/v2/assistant/${encodeURIComponent(domain)}/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  });
  if (!response.ok) throw new Refusal(response.status);
  return response;
}
