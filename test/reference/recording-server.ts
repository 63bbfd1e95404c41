import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface RecordingServer {
  readonly origin: string;
  /** Requests by the first part of the path. */
  readonly arrivals: Map<string, Arrival>;
  close(): Promise<void>;
}

/** Answers every request with `{}` and records it; a path that ends with `/challenge` asks for digest authentication. */
export async function startRecordingServer(): Promise<RecordingServer> {
  const arrivals = new Map<string, Arrival>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const target = request.url!;
      arrivals.set(target.split(/[/?]/)[1]!, {
        method: request.method!,
        target,
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks),
      });
      if (target.endsWith("/challenge") && request.headers.authorization === undefined) {
        response.statusCode = 401;
        response.setHeader("WWW-Authenticate", 'Digest realm="r", qop="auth", nonce="n", algorithm=MD5');
      }
      response.setHeader("Content-Type", "application/json");
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
