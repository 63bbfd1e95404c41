import type { ServerResponse } from "node:http";
import { chunksOf, type TextChunks } from "../assistant/index.js";

/**
 * Writes a response whose body `streamText` made, without the web stream around it. The result is false, and nothing is
 * written, for any other response.
 */
export function sendText(outgoing: ServerResponse, response: Response): boolean {
  const text = response.body === null ? undefined : chunksOf(response.body);
  if (text === undefined) return false;
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  void send(outgoing, text);
  return true;
}

/** In characters. */
const longestWrite = 64 * 1024;

/** Chunks of one turn of the event loop become one write. */
async function send(outgoing: ServerResponse, { chunks, keepAlive, keepAliveMs, onClose }: TextChunks): Promise<void> {
  let unsent = "";
  let goesOn: (() => void) | undefined;
  const flush = (): void => {
    if (unsent === "" || outgoing.destroyed) return;
    outgoing.write(unsent);
    unsent = "";
    quiet.refresh();
  };
  const quiet = setInterval(() => outgoing.writableLength === 0 && outgoing.write(keepAlive), keepAliveMs);
  outgoing.on("drain", () => goesOn?.());
  const leave = (): void => {
    clearInterval(quiet);
    onClose();
    goesOn?.();
    // Not awaited: the chunks may wait for an upstream that has just been aborted.
    void chunks.return(undefined).catch(() => {});
  };
  if (outgoing.closed) return leave();
  outgoing.once("close", leave);
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      if (outgoing.destroyed) return;
      if (done) break;
      // It runs when no promise is left to continue.
      if (unsent === "") process.nextTick(flush);
      unsent += value;
      if (unsent.length >= longestWrite) flush();
      if (outgoing.writableNeedDrain) await new Promise<void>((resolve) => (goesOn = resolve));
    }
    clearInterval(quiet);
    onClose();
    outgoing.end(unsent);
    unsent = "";
  } catch {
    outgoing.destroy();
  }
}
