import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export interface DelayedBundle {
  /** Address, with a slash at the end. */
  readonly root: string;
  readonly close: () => void;
}

export interface DelayOptions {
  readonly delayMs: number;
  /** Headers that are removed from the answers, in lower case. */
  readonly without?: readonly string[];
  /** Changes each page, which has a head. Needs `script`. */
  readonly change?: (html: string) => string;
  /** A script for the head of each page. It sends its findings to `/__bench` by POST. */
  readonly script?: string;
  readonly onFinding?: (json: string) => void;
}

/** Serves a bundle with `offprint serve` behind a proxy on loopback that delays each answer. */
export async function serveDelayed(bundle: string, options: DelayOptions): Promise<DelayedBundle> {
  const { delayMs, without = [], change = (html) => html, script, onFinding } = options;
  const data = mkdtempSync(join(tmpdir(), "offprint-bench-"));
  const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
  const server = spawn(process.execPath, [cli, "serve", bundle, "--port", "0", "--data", data], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  while (!stderr.includes("Serving")) stderr += String((await once(server.stderr, "data"))[0]);
  const port = Number(/:(\d+)\/"/.exec(stderr)![1]);

  const proxy = createServer(async (asked, answer) => {
    const { url: path = "/", method, headers } = asked;
    if (path === "/__bench") {
      onFinding?.(await text(asked));
      return void answer.writeHead(204).end();
    }
    if (path === "/__bench.js") return void answer.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
    const isChanged = script !== undefined && path.endsWith(".html");
    if (isChanged) for (const name of ["accept-encoding", "if-none-match"]) delete headers[name];
    const forwarded = request({ port, path, method, headers }, async (response: IncomingMessage) => {
      for (const name of isChanged ? [...without, "content-length", "etag"] : without) delete response.headers[name];
      const html = isChanged ? await text(response) : undefined;
      setTimeout(() => {
        answer.writeHead(response.statusCode!, response.headers);
        if (html === undefined) response.pipe(answer);
        else answer.end(change(html).replace("</head>", '<script src="/__bench.js"></script></head>'));
      }, delayMs);
    });
    asked.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    root: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`,
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
      server.kill();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Median and spread of times in whole milliseconds. */
export function summary(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * part)]!);
  return { median: at(0.5), p95: at(0.95), worst: at(1) };
}
