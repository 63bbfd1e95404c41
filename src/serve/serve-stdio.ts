import { PassThrough, type Readable, type Writable } from "node:stream";
import { setInterval, setTimeout as sleep } from "node:timers/promises";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Log } from "../lib/log.js";
import { createServer } from "../mcp/create-server.js";
import type { Documentation } from "../mcp/documentation.js";
import { createReconciler } from "./reconciler.js";
import { BundleRefused, bundleLimitDefaults } from "./refusal.js";
import { openDocumentation } from "./serve-mcp.js";
import { sourceOf } from "./source.js";

export interface StdioOptions {
  /** See `ServeOptions`. */
  readonly source: string;
  /** Where unpacked bundles are kept for the next start. */
  readonly dataFolder: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const checkIntervalMs = 5000;
const maxMessageBytes = 1024 * 1024;
/** How long open requests may take once the client has closed its end. */
const lastAnswersMs = 10_000;

/**
 * Lets one agent search and read a bundle: an MCP server on the two streams. A bundle that is exported again is used
 * from the next check on.
 *
 * Stops: resolves once the client closes `input`, or `signal` aborts.
 *
 * @throws {BundleRefused} if there is no bundle, or it cannot be searched.
 */
export async function serveOverStdio(options: StdioOptions): Promise<void> {
  const { dataFolder, log, signal } = options;
  const source = sourceOf(options.source);
  const reconciler = createReconciler(source, {
    dataFolder,
    limits: bundleLimitDefaults,
    download: {},
    retryMs: checkIntervalMs,
    now: Date.now,
    log,
  });
  await reconciler.resume(signal);
  await reconciler.update(signal);
  let bundle = reconciler.bundle();
  if (bundle === undefined)
    throw new BundleRefused(
      reconciler.status().fault ?? "Static export is disabled in the values, so there is no bundle.",
    );
  let docs = await openDocumentation(bundle).catch((cause: Error) => {
    throw new BundleRefused(`The bundle cannot be searched: ${cause.message}`, { cause });
  });
  const closed = new AbortController();
  const stop = AbortSignal.any([signal, closed.signal]);
  const connection = connect(
    currentOf(() => docs),
    options,
    () => closed.abort(),
  );
  try {
    for await (const _ of setInterval(checkIntervalMs, undefined, { signal: stop })) {
      await reconciler.update(stop);
      const next = reconciler.bundle();
      if (next === undefined || next === bundle) continue;
      try {
        docs = await openDocumentation(next);
        bundle = next;
      } catch (error) {
        log("warn", `The new bundle cannot be searched, so the previous one stays in use: ${(error as Error).message}`);
      }
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  await connection.close();
}

/**
 * Answers on the two streams. Requests that are open when `input` ends are still answered: scripts close it at once.
 *
 * @param onClose called when the connection is over.
 */
function connect(docs: Documentation, { input, output, log }: StdioOptions, onClose: () => void) {
  const messages = new PassThrough();
  const transport = new StdioServerTransport(messages, output, { maxBufferSize: maxMessageBytes });
  const server = serveStdio(() => createServer(docs), {
    transport,
    maxSubscriptions: 0,
    onerror: (error) =>
      log("warn", "Failed to handle a message.", { error: error.message.replace(/\s+/g, " ").slice(0, 300) }),
  });
  const open = new Set<unknown>();
  const { onmessage, onclose } = transport;
  transport.onmessage = (message) => {
    if ("method" in message && "id" in message) open.add(message.id);
    if ("method" in message && message.method === "notifications/cancelled") open.delete(message.params?.["requestId"]);
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if ("id" in message && !("method" in message)) open.delete(message.id);
  };
  transport.onclose = () => {
    onclose?.();
    onClose();
  };
  input.pipe(messages, { end: false });
  input.once("end", async () => {
    for (let waitedMs = 0; waitedMs < lastAnswersMs && (messages.readableLength > 0 || open.size > 0); waitedMs += 5)
      await sleep(5);
    messages.end();
  });
  input.once("error", onClose);
  return {
    async close(): Promise<void> {
      await server.close();
      // An open stdin keeps the process alive.
      input.destroy();
    },
  };
}

/** Reads each property from the documentation that is current then. */
const currentOf = (docs: () => Documentation): Documentation =>
  new Proxy({} as Documentation, { get: (_, name) => Reflect.get(docs(), name) });
