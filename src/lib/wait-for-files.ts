import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { systemErrorCode } from "./system-error.js";

/** How long a call waits for other threads and processes to close files, in milliseconds. */
const maxWaitMs = 10_000;
const firstPauseMs = 10;
const maxPauseMs = 500;

/** Whether too many files are open in this process (EMFILE), or on the machine (ENFILE). */
export const isOutOfFiles = (error: unknown): boolean => ["EMFILE", "ENFILE"].includes(systemErrorCode(error) ?? "");

/** Calls `open` again while too many files are open, and blocks the thread in between. @throws as `open` does */
export function waitForFiles<Result>(open: () => Result): Result {
  for (let [waitedMs, pauseMs] = [0, firstPauseMs]; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs))
    try {
      return open();
    } catch (error) {
      if (!isOutOfFiles(error) || waitedMs >= maxWaitMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waitedMs += pauseMs;
    }
}

/** Does the same without blocking the thread. */
export async function waitForFilesAsync<Result>(open: () => Promise<Result>): Promise<Result> {
  for (let [waitedMs, pauseMs] = [0, firstPauseMs]; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs))
    try {
      return await open();
    } catch (error) {
      if (!isOutOfFiles(error) || waitedMs >= maxWaitMs) throw error;
      await sleep(pauseMs);
      waitedMs += pauseMs;
    }
}

/**
 * Waits until `count` more files can be opened, since module loaders and native code fail without naming this reason.
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
