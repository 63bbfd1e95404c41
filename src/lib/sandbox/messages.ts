import type { ChildProcess, SpawnOptions } from "node:child_process";
import type { Socket } from "node:net";
import { exceededBound, valueOfJson } from "../json/index.js";

/**
 * Node would read a message of any length from a child process. So the child uses Node's channel, with one line of JSON for
 * each message, but this process reads the bytes itself. On Windows, whose pipes have another format, Node reads them.
 */
const readsBytes = process.platform !== "win32";
const fd = 3;

/** The diagnostics of a site take up to 24 MiB. */
const maxMessageBytes = 32 * 1024 * 1024;
const bounds = { maxDepth: 16, maxValues: 1_000_000 };
/** Limit of the messages that wait for a process that does not read. */
const maxUnsentBytes = 128 * 1024 * 1024;
const lineFeed = 0x0a;

export const channelOptions: SpawnOptions = {
  stdio: ["ignore", "ignore", "pipe", readsBytes ? "pipe" : "ipc"],
  serialization: "json",
};
export const channelVariables = readsBytes
  ? { NODE_CHANNEL_FD: String(fd), NODE_CHANNEL_SERIALIZATION_MODE: "json" }
  : {};

const channelOf = (child: ChildProcess): Socket | undefined => (child.stdio as readonly unknown[])[fd] as Socket;

/** Sends a message, or drops it if the process has ended or is ending. */
export function sendMessage(child: ChildProcess, message: object): void {
  if (!readsBytes) {
    if (child.connected) child.send(message, () => {});
    return;
  }
  const channel = channelOf(child);
  if (!channel?.writable) return;
  channel.write(`${JSON.stringify(message)}\n`);
  if (channel.writableLength > maxUnsentBytes) channel.destroy();
}

/** Emits "message" for each message of the process, with undefined for one that is too large or not JSON. */
export function emitMessages(child: ChildProcess): void {
  const channel = readsBytes ? channelOf(child) : undefined;
  let parts: Buffer[] = [];
  let bytes = 0;
  const refuse = (): void => {
    channel!.destroy();
    parts = [];
    child.emit("message", undefined);
  };
  const take = (part: Buffer): void => {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxMessageBytes) refuse();
  };
  const finish = (): void => {
    const text = Buffer.concat(parts);
    parts = [];
    bytes = 0;
    const message = exceededBound(text, bounds) === undefined ? valueOfJson(text.toString()) : undefined;
    if (message === undefined) refuse();
    else child.emit("message", message);
  };
  channel?.on("error", () => {});
  channel?.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      take(chunk.subarray(start, end));
      if (channel.destroyed) return;
      finish();
      if (channel.destroyed) return;
      start = end + 1;
    }
    take(chunk.subarray(start));
  });
}
