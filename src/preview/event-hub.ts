import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** An open page of a browser. */
export interface Viewer {
  /** Decoded path of the page, without a slash in front. */
  readonly path: string;
  /** Of the page that it shows. */
  version: string;
  send(event: "reload" | "styles" | "state", data: unknown): void;
}

/** Tells browsers what has changed, by server-sent events. */
export interface EventHub {
  /** Path of the stream. Only pages of the preview know it. */
  readonly path: string;
  /** The last to come first. */
  viewers(): readonly Viewer[];
  open(request: IncomingMessage, response: ServerResponse): Viewer;
  close(): void;
}

/** So that nothing between here and the browser takes the stream for dead. */
const beatMs = 20_000;

export function createEventHub(): EventHub {
  const path = `/_offprint/preview/${randomBytes(24).toString("base64url")}/events`;
  const open = new Map<ServerResponse, Viewer>();
  const beat = setInterval(() => {
    for (const response of open.keys()) response.write(":\n\n");
  }, beatMs);
  return {
    path,
    viewers: () => [...open.values()].reverse(),
    open(request, response) {
      const asked = new URL(request.url ?? "", "http://localhost").searchParams;
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write("retry: 500\n\n");
      const viewer: Viewer = {
        path: asked.get("path") ?? "",
        version: asked.get("version") ?? "",
        send: (event, data) => void response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
      };
      open.set(response, viewer);
      response.on("close", () => open.delete(response));
      return viewer;
    },
    close() {
      clearInterval(beat);
      for (const response of open.keys()) response.end();
    },
  };
}
