import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown> & { readonly messages?: { readonly parts: { readonly text: string }[] }[] };
}

/** Sends parts of an answer; `closed` resolves when the reader leaves. */
export interface Answering {
  readonly part: (part: object) => void;
  readonly end: () => void;
  /** Resets the connection in the middle of the answer. */
  readonly cut: () => void;
  readonly closed: Promise<void>;
}

export type Script = (request: ReceivedRequest, answering: Answering) => void | Promise<void>;

/** A service that speaks the UI message stream and answers as a test says. `refuse`: the status of the next answers. */
export async function openScriptedService() {
  const received: ReceivedRequest[] = [];
  const state: { script: Script; refuse?: number | undefined; allowsOrigin: boolean } = {
    script: (_request, answering) => answering.end(),
    allowsOrigin: true,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (state.allowsOrigin)
      for (const [name, value] of [
        ["Access-Control-Allow-Origin", request.headers.origin ?? "*"],
        ["Access-Control-Allow-Headers", "authorization, content-type"],
        ["Access-Control-Expose-Headers", "X-Thread-Id, X-Thread-Key"],
      ] as const)
        response.setHeader(name, value);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const got = { path: request.url!, headers: request.headers, body: JSON.parse(text) };
    received.push(got);
    if (state.refuse) return void response.writeHead(state.refuse).end('{"error":"no"}');
    if (got.path.endsWith("/feedback")) return void response.writeHead(204).end();
    response.writeHead(200, { "Content-Type": "text/event-stream", "X-Thread-Id": thread });
    await state.script(got, {
      part: (part) => void response.write(`data: ${JSON.stringify(part)}\n\n`),
      end: () => void response.end("data: [DONE]\n\n"),
      cut: () => void response.destroy(),
      closed: new Promise((resolve) => response.on("close", resolve)),
    });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export const thread = "01JD0000000000000000000000";
export interface ScriptedAnswer {
  readonly text: string;
  readonly found: readonly {
    readonly path: string;
    readonly url: string;
    readonly title: string;
    readonly quote?: string;
  }[];
  /** Numbers of the passages that the answer cites. */
  readonly cited: readonly number[];
  readonly model?: string;
  /** Between two pieces of text. */
  readonly pauseMs?: number;
}

/** A whole answer, its text in pieces of a few characters. */
export const answerWith =
  ({ text, found, cited, model, pauseMs = 0 }: ScriptedAnswer): Script =>
  async ({ body }, { part, end }) => {
    const messageMetadata = { threadId: thread };
    part({ type: "start", messageId: "msg_1", messageMetadata: { ...messageMetadata, ...(model && { model }) } });
    part({ type: "start-step" });
    const query = body.messages!.at(-1)!.parts[0]!.text;
    const call = { toolCallId: "s1", providerExecuted: true };
    part({ type: "tool-input-available", ...call, toolName: "search", input: { query } });
    const output = found.map(({ path, url, title }) => ({ path, url, metadata: { title } }));
    part({ type: "tool-output-available", ...call, output });
    part({ type: "finish-step" });
    part({ type: "start-step" });
    part({ type: "text-start", id: "t1" });
    for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) {
      part({ type: "text-delta", id: "t1", delta: piece });
      if (pauseMs > 0) await sleep(pauseMs);
    }
    part({ type: "text-end", id: "t1" });
    for (const number of cited) {
      const { url, title, quote } = found[number - 1]!;
      const providerMetadata = quote && { offprint: { quote } };
      part({ type: "source-url", sourceId: String(number), url, title, ...(providerMetadata && { providerMetadata }) });
    }
    part({ type: "data-finish", transient: true, data: { type: "finish", threadId: thread } });
    part({ type: "finish-step" });
    part({ type: "finish", messageMetadata });
    end();
  };
