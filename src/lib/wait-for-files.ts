import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { systemErrorCode } from "./system-error.js";

/** So long a call waits for other threads and processes to close files, in milliseconds. */
const longestWaitMs = 10_000;
const firstPauseMs = 10;
const longestPauseMs = 500;

/** Too many files are open in this process (EMFILE), or on the machine (ENFILE). */
export const isOutOfFiles = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(systemErrorCode(error) ?? "");

/** Calls `open` again while too many files are open. The thread sleeps meanwhile. @throws as `open` does */
export function waitForFiles<Result>(open: () => Result): Result {
  for (let [waitedMs, pauseMs] = [0, firstPauseMs]; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs))
    try {
      return open();
    } catch (error) {
      if (!isOutOfFiles(error) || waitedMs >= longestWaitMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waitedMs += pauseMs;
    }
}

/** The same for a call that does not block the thread. */
export async function waitForFilesAsync<Result>(open: () => Promise<Result>): Promise<Result> {
  for (let [waitedMs, pauseMs] = [0, firstPauseMs]; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs))
    try {
      return await open();
    } catch (error) {
      if (!isOutOfFiles(error) || waitedMs >= longestWaitMs) throw error;
      await sleep(pauseMs);
      waitedMs += pauseMs;
    }
}

/**
 * Waits until so many more files can be opened: module loaders and native code do not say why they fail without them.
 *
 * @throws {Error} with the code of the system (EMFILE) if that remains impossible.
 */
export async function waitForFreeFiles(count: number): Promise<void> {
  const openAll = async (): Promise<void> => {
    const files: number[] = [];
    try {
      while (files.length < count) files.push(openSync(new URL(import.meta.url), "r"));
    } finally {
      for (const file of files) closeSync(file);
    }
  };
  await waitForFilesAsync(openAll).catch((error: unknown) => {
    if (!isOutOfFiles(error)) throw error;
    const code = systemErrorCode(error)!;
    throw Object.assign(new Error(`${code}: too many files are open; the export needs to open ${count} or more`), {
      code,
    });
  });
}
