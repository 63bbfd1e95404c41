import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { type ListenOptions, listen } from "../../src/service/http/index.js";
import type { ApiWorld } from "./api-world.js";

/** Serves the world's API on a free port until the test ends. */
export async function serve(
  world: Pick<ApiWorld, "api">,
  limits: ListenOptions["limits"] = {},
  options: Partial<ListenOptions> = {},
) {
  const server = await listen({ api: world.api, port: 0, host: "127.0.0.1", limits, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Sends `text` unchanged and returns the response until the connection ends. */
export async function exchange(url: string, ...pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  socket.on("error", () => {});
  for (const piece of pieces) socket.write(piece);
  await once(socket, "close");
  return answer;
}
