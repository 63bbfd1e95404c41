import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserServer } from "playwright-core";
import { findChromium, launchBrowserServer } from "./browser.js";
import { costReport, noteCost, secondsOf } from "./processor-time.js";

/** The variable with the address that tells test processes where the browser listens. */
const addressVariable = "OFFPRINT_TEST_BROWSER";

/** Where the browser of the run listens. It is started when a test first needs it, and again after a crash. */
export async function browserEndpoint(): Promise<string> {
  const answer = await fetch(process.env[addressVariable]!);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

/** One browser for all test processes of the run: each connection has its own contexts. */
export default async function browserOfTheRun(): Promise<() => Promise<void>> {
  let running: Promise<BrowserServer> | undefined;
  const start = async (): Promise<BrowserServer> => {
    const server = await launchBrowserServer(findChromium()!);
    server.on("close", () => {
      running = undefined;
    });
    return server;
  };
  const asked = createServer((_, response) => {
    // On a busy machine, a test process could use a connection in the moment in which this one closes it as idle.
    response.setHeader("Connection", "close");
    running ??= start();
    running.then(
      (server) => response.end(server.wsEndpoint()),
      (error: unknown) => {
        running = undefined;
        response.writeHead(500).end(String(error));
      },
    );
  });
  await new Promise<void>((resolve) => asked.listen(0, "127.0.0.1", resolve));
  process.env[addressVariable] = `http://127.0.0.1:${(asked.address() as AddressInfo).port}`;
  return async () => {
    asked.closeAllConnections();
    asked.close();
    const server = await running?.catch(() => undefined);
    if (server && costReport !== undefined) noteCost("(Chromium)", secondsOf(server.process().pid!));
    await server?.close();
  };
}
