import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The requests that a model server received. */
export interface ModelRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ModelRequestBody;
  /** Resolves when the connection closes. */
  readonly closed: Promise<unknown>;
}
export interface ModelRequestBody {
  readonly model: string;
  readonly stream: boolean;
  readonly max_tokens?: number;
  /** Anthropic's place for the rules. */
  readonly system?: readonly { readonly text: string }[];
  readonly messages: readonly ServerMessage[];
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name: string } }[];
}
interface ServerMessage {
  readonly role: string;
  readonly content: string | null | readonly Content[];
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[];
  readonly tool_call_id?: string;
}
interface Content {
  readonly type?: string;
  readonly text?: string;
  readonly content?: string | readonly { readonly text: string }[];
}

export interface ModelReply {
  /** A piece of the answer. */
  text(text: string): void;
  reasoning(text: string): void;
  /** Calls a tool, with arguments that are sent in chunks. A string is sent unchanged, as JSON or not. */
  call(name: string, input: object | string): void;
  /** Ends the answer. */
  end(reason?: "stop" | "length" | "calls"): void;
  /** An error of the server, with its status if nothing was sent before. */
  error(status: number, code: string, message?: string): void;
  readonly response: ServerResponse;
}

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): void;
}

type Shape = "openai" | "anthropic";

/** A model server that speaks as OpenAI or Anthropic do; `script` answers. */
export async function startModelServer(
  shape: Shape,
  script: (request: ModelRequest, reply: ModelReply) => void | Promise<void>,
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const closed = once(response, "close");
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ModelRequestBody;
      const received = { path: request.url!, headers: request.headers, body, closed };
      requests.push(received);
      void script(received, shape === "openai" ? openAiReply(response) : anthropicReply(response));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The text of all messages, rules first. */
export const promptText = ({ system = [], messages }: ModelRequestBody): string =>
  [...system.map(({ text }) => text), ...messages.map(({ content }) => contentText(content))].join("\n");

export const contentText = (content: ServerMessage["content"]): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.text ?? contentText(part.content ?? "")).join("");

/** The results of the tools for the calls of the model's last message, in order. */
export function toolResults({ messages }: ModelRequestBody): string[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(last + 1)
    .flatMap(({ role, content }) =>
      role === "tool"
        ? [contentText(content)]
        : Array.isArray(content)
          ? content.filter(({ type }) => type === "tool_result").map((part) => contentText([part]))
          : [],
    );
}

const inPieces = (input: object | string): string[] =>
  (typeof input === "string" ? input : JSON.stringify(input)).match(/[\s\S]{1,7}/g) ?? [];

function openAiReply(response: ServerResponse): ModelReply {
  const send = (data: unknown): void => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(data)}\n\n`);
  };
  const chunk = (delta: object, reason: string | null = null): void =>
    send({
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
  let calls = 0;
  return {
    response,
    text: (content) => chunk({ content }),
    reasoning: (reasoning) => chunk({ reasoning }),
    call(name, input) {
      const index = calls++;
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: "" } }] });
      for (const piece of inPieces(input)) chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    },
    end(reason = "stop") {
      chunk({}, reason === "calls" ? "tool_calls" : reason);
      send({
        id: "c",
        created: 1,
        model: "m",
        choices: [],
        usage: { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 },
      });
      response.end("data: [DONE]\n\n");
    },
    error(status, code, message = "You asked too much. Key sk-canary.") {
      const error = { error: { message: `${message} ${code}`, type: "invalid_request", code } };
      if (response.headersSent) send(error);
      else response.writeHead(status, { "content-type": "application/json" }).write(JSON.stringify(error));
      response.end();
    },
  };
}

function anthropicReply(response: ServerResponse): ModelReply {
  const send = (data: { readonly type: string }): void => {
    if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  let blocks = 0;
  let isText = false;
  const begin = (): void => {
    if (blocks > 0 || response.headersSent) return;
    const usage = { input_tokens: 321, output_tokens: 1 };
    const message = { id: "m", type: "message", role: "assistant", model: "c", content: [], stop_reason: null, usage };
    send({ type: "message_start", message } as never);
  };
  const open = (block: object): void =>
    send({ type: "content_block_start", index: blocks, content_block: block } as never);
  const add = (delta: object): void => send({ type: "content_block_delta", index: blocks, delta } as never);
  const close = (): void => {
    if (isText) send({ type: "content_block_stop", index: blocks++ } as never);
    isText = false;
  };
  return {
    response,
    text(text) {
      begin();
      if (!isText) open({ type: "text", text: "" });
      isText = true;
      add({ type: "text_delta", text });
    },
    reasoning: begin,
    call(name, input) {
      begin();
      close();
      open({ type: "tool_use", id: `call_${blocks}`, name, input: {} });
      for (const piece of inPieces(input)) add({ type: "input_json_delta", partial_json: piece });
      send({ type: "content_block_stop", index: blocks++ } as never);
    },
    end(reason = "stop") {
      begin();
      close();
      const stops = { stop: "end_turn", length: "max_tokens", calls: "tool_use" };
      send({
        type: "message_delta",
        delta: { stop_reason: stops[reason], stop_sequence: null },
        usage: { output_tokens: 45 },
      } as never);
      send({ type: "message_stop" });
      response.end();
    },
    error(status, code, message = "You asked too much. Key sk-canary.") {
      const error = { type: "error", error: { type: code, message } };
      if (response.headersSent) send(error as never);
      else response.writeHead(status, { "content-type": "application/json" }).write(JSON.stringify(error));
      response.end();
    },
  };
}
