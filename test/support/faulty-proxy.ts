import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { withoutUndefined } from "../../src/lib/without-undefined.js";

/**
 * `503`, `403`: answers with that status; `stall`: never answers; `cut`: closes the connection during the answer;
 * `undated`: removes the server's time from the answer.
 */
export type Fault = "503" | "403" | "stall" | "cut" | "undated" | "none";

export interface FaultyProxy {
  readonly url: string;
  /** The faults of the next requests, one each. Later requests pass. */
  faults: Fault[];
  /** `PUT /bucket/key`, in order. */
  readonly seen: string[];
  /** The names of the signed headers of each request. */
  readonly signed: string[];
  close(): Promise<void>;
}

/** A proxy that fails as cloud services do. It keeps the Host header, which is signed. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const proxy = { faults: [] as Fault[], seen: [] as string[], signed: [] as string[] };
  const pass = (asked: IncomingMessage, answer: ServerResponse, fault: Fault | undefined): void => {
    const { method, headers, url } = asked;
    const onward = request(new URL(url!, target), { method: method!, headers }, (upstream) => {
      if (fault === "undated") {
        upstream.headers.date = undefined;
        answer.sendDate = false;
      }
      answer.writeHead(upstream.statusCode!, withoutUndefined(upstream.headers));
      if (fault === "cut") upstream.once("data", () => answer.destroy());
      upstream.pipe(answer);
    });
    // Some servers send a body after the answer to HEAD; the answer itself is correct.
    onward.on("error", () => answer.headersSent || answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  };
  const server = createServer((asked, answer) => {
    proxy.seen.push(`${asked.method} ${asked.url!.split("?")[0]}`);
    proxy.signed.push(/SignedHeaders=([\w;-]+)/.exec(asked.headers.authorization ?? "")?.[1] ?? "");
    const fault = proxy.faults.shift();
    if (fault === "503" || fault === "403") {
      const code = fault === "503" ? "ServiceUnavailable" : "AccessDenied";
      asked.resume();
      asked.on("end", () => answer.writeHead(Number(fault)).end(`<Error><Code>${code}</Code></Error>`));
    } else if (fault === "stall") asked.resume();
    else pass(asked, answer, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  });
}
