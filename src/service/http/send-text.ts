import type { ServerResponse } from "node:http";
import { defaultKeepAliveMs, type TextChunks } from "../assistant/index.js";

/** Answers with a text, as `streamText` does with a web stream. */
export function sendText(outgoing: ServerResponse, headers: Readonly<Record<string, string>>, text: TextChunks): void {
  outgoing.writeHead(200, headers);
  void send(outgoing, text);
}

/** In characters. */
const longestWrite = 64 * 1024;

/** Chunks of one turn of the event loop become one write. */
async function send(outgoing: ServerResponse, text: TextChunks): Promise<void> {
  const { chunks, keepAlive, keepAliveMs = defaultKeepAliveMs } = text;
  let isOpen = true;
  const onClose = (): void => {
    if (isOpen) text.onClose();
    isOpen = false;
  };
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
