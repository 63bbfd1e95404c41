import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a model server received. */
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
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly text: string }[];
  }[];
}

export interface ModelReply {
  /** A piece of the answer. */
  text(text: string): void;
  reasoning(text: string): void;
  /** Ends the answer. */
  end(reason?: "stop" | "length"): void;
  /** An error of the server, with its status if nothing was sent before. */
  error(status: number, code: string): void;
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

export const contentText = (content: ModelRequestBody["messages"][number]["content"]): string =>
  typeof content === "string" ? content : content.map(({ text }) => text).join("");

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
  return {
    response,
    text: (content) => chunk({ content }),
    reasoning: (reasoning) => chunk({ reasoning }),
    end(reason = "stop") {
      chunk({}, reason);
      send({
        id: "c",
        created: 1,
        model: "m",
        choices: [],
        usage: { prompt_tokens: 321, completion_tokens: 45, total_tokens: 366 },
      });
      response.end("data: [DONE]\n\n");
    },
    error(status, code) {
      const error = { error: { message: `You asked too much. Key sk-canary. ${code}`, type: "invalid_request", code } };
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
  let isOpen = false;
  const begin = (): void => {
    if (isOpen) return;
    isOpen = true;
    const usage = { input_tokens: 321, output_tokens: 1 };
    const message = { id: "m", type: "message", role: "assistant", model: "c", content: [], stop_reason: null, usage };
    send({ type: "message_start", message } as never);
    send({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as never);
  };
  return {
    response,
    text(text) {
      begin();
      send({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } } as never);
    },
    reasoning: begin,
    end(reason = "stop") {
      begin();
      send({ type: "content_block_stop", index: 0 } as never);
      const stop = reason === "stop" ? "end_turn" : "max_tokens";
      send({
        type: "message_delta",
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: 45 },
      } as never);
      send({ type: "message_stop" });
      response.end();
    },
    error(status, code) {
      const error = { type: "error", error: { type: code, message: "You asked too much. Key sk-canary." } };
      if (response.headersSent) send(error as never);
      else response.writeHead(status, { "content-type": "application/json" }).write(JSON.stringify(error));
      response.end();
    },
  };
}
