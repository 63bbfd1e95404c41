import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** The model's answer to one request. */
export interface ModelTurn {
  readonly text?: string;
  /** Names and arguments; a text is sent unchanged, as JSON or not. */
  readonly calls?: readonly (readonly [tool: string, input: object | string])[];
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of an answer. */
  readonly raw?: string;
  /** The request is never answered. */
  readonly hangs?: boolean;
  readonly tokens?: number;
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string; readonly tool_call_id?: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** A server that speaks as OpenAI's does, and answers by a list of turns or a function. */
export async function startScriptedModel(script: readonly ModelTurn[] | ((request: ModelRequest) => ModelTurn)) {
  const requests: ModelRequest[] = [];
  const seen: {
    readonly path: string | undefined;
    readonly authorization: string | undefined;
    readonly apiKey: unknown;
  }[] = [];
  /** The connection was closed before the answer. */
  const left = Promise.withResolvers<void>();
  const answer = (turn: ModelTurn, response: ServerResponse): void => {
    const { status = 200, headers = {}, raw, text, calls, tokens = 100, hangs } = turn;
    if (hangs) return void response.on("close", () => left.resolve());
    const message = {
      role: "assistant",
      content: text ?? null,
      ...(calls && {
        tool_calls: calls.map(([name, input], index) => ({
          id: `call_${requests.length}_${index}`,
          type: "function",
          function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
        })),
      }),
    };
    const body = {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "scripted",
      choices: [{ index: 0, message, finish_reason: calls ? "tool_calls" : "stop" }],
      usage: { prompt_tokens: tokens - 10, completion_tokens: 10, total_tokens: tokens },
    };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(raw ?? (status === 200 ? JSON.stringify(body) : JSON.stringify({ error: { code: "scripted" } })));
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest;
      const { authorization, "x-api-key": apiKey } = request.headers;
      seen.push({ path: request.url, authorization, apiKey });
      requests.push(body);
      const turn = typeof script === "function" ? script(body) : script[requests.length - 1];
      answer(turn ?? { text: "Done." }, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    options: {
      provider: "openai",
      model: "scripted",
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      key: modelKey,
    } as const,
    requests,
    seen,
    left: left.promise,
    /** The results of the tools, in order. */
    results: (): string[] => {
      const { messages = [] } = requests.at(-1) ?? {};
      return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    },
  };
}
export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

export const modelKey = "key-of-the-model-1234567890";
