/** The UI message stream of the service: what a question brings, part by part. */
import type { AssistantHost } from "./assistant-host.js";

export interface QuestionBody {
  readonly fp: string;
  readonly messages: readonly object[];
  readonly threadId?: string | undefined;
  readonly currentPath?: string | undefined;
  readonly context?: readonly object[];
  readonly filter?: object | undefined;
}

/** A part of the stream; only the fields of its type are there. */
export interface Part {
  readonly type: string;
  readonly messageId?: string;
  readonly messageMetadata?: { readonly threadId?: string; readonly model?: string };
  readonly output?: readonly { readonly path: string; readonly url: string }[];
  readonly delta?: string;
  readonly sourceId?: string;
  readonly url?: string;
  readonly title?: string;
  readonly errorText?: string;
}

/** The service refused the question. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(String(status));
    this.status = status;
  }
}

/** The service sends something at least every ten seconds. */
const longestSilenceMs = 45_000;

/**
 * @returns the parts, until the answer is complete.
 * @throws {Refusal} if the service refuses the question, another error if it cannot be reached or stops in the middle.
 */
export async function* ask(
  host: AssistantHost,
  body: QuestionBody,
  stopped: AbortSignal,
  onHead: (head: Headers) => void,
) {
  const silence = new AbortController();
  const stop = (): void => silence.abort();
  stopped.addEventListener("abort", stop);
  let timer = setTimeout(stop, longestSilenceMs);
  try {
    const response = await send(host, "message", body, silence.signal);
    onHead(response.headers);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    while (true) {
      const { done, value } = await reader.read();
      if (done) throw new Error("The answer is not complete.");
      clearTimeout(timer);
      timer = setTimeout(stop, longestSilenceMs);
      const lines = (rest + value).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        const data = /^data: ?(.*)$/.exec(line.replace(/\r$/, ""))?.[1];
        if (data === "[DONE]") return;
        if (data) yield JSON.parse(data) as Part;
      }
    }
  } finally {
    clearTimeout(timer);
    stopped.removeEventListener("abort", stop);
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
