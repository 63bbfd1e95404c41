import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `503`: answers with that status; `stall`: never answers; `cut`: closes the connection during the answer. */
export type Fault = "503" | "stall" | "cut" | "none";

export interface FaultyProxy {
  readonly url: string;
  /** The faults of the next requests, one each. Later requests pass. */
  faults: Fault[];
  /** `PUT /bucket/key`, in order. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** A proxy that fails as cloud services do. It keeps the Host header, which is signed. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const proxy = { faults: [] as Fault[], seen: [] as string[] };
  const pass = (asked: IncomingMessage, answer: ServerResponse, fault: Fault | undefined): void => {
    const { method, headers, url } = asked;
    const onward = request(new URL(url!, target), { method: method!, headers }, (upstream) => {
      answer.writeHead(upstream.statusCode!, upstream.headers);
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
    const fault = proxy.faults.shift();
    if (fault === "503") {
      asked.resume();
      asked.on("end", () => answer.writeHead(503).end("<Error><Code>ServiceUnavailable</Code></Error>"));
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
