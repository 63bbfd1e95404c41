import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { waitForFiles } from "../../lib/wait-for-files.js";

/** Location of a page's record until the index is written. */
export interface RecordPlace {
  /** Number of the thread. */
  readonly thread: number;
  /** In bytes. */
  readonly at: number;
  readonly length: number;
}

/** A record of an earlier run. */
export interface StoredRecord {
  readonly digest: string;
  /** Valid until the next record is asked for. */
  read(): Uint8Array;
}

/** A record of this run, or of an earlier one. */
export type RecordSource = RecordPlace | StoredRecord;

const recordsPath = (folder: string, thread: number): string => join(folder, `records-${thread}`);

/** Appends records to a file of this thread in `folder`. The first one creates the file, which stays open. */
export function createRecordFile(folder: string): (record: Uint8Array) => RecordPlace {
  let file: number | undefined;
  let at = 0;
  return (record) => {
    file ??= waitForFiles(() => openSync(recordsPath(folder, threadId), "w"));
    for (let done = 0; done < record.length; ) done += writeSync(file, record, done);
    const place = { thread: threadId, at, length: record.length };
    at += record.length;
    return place;
  };
}

/** Reads records from the files of all threads. A record is valid until the next call. */
export function openRecordFiles(folder: string): { read(place: RecordPlace): Buffer; close(): void } {
  const files = new Map<number, number>();
  let buffer = Buffer.alloc(1 << 18);
  return {
    read({ thread, at, length }) {
      let file = files.get(thread);
      if (file === undefined) {
        file = waitForFiles(() => openSync(recordsPath(folder, thread), "r"));
        files.set(thread, file);
      }
      if (buffer.length < length) buffer = Buffer.alloc(2 * length);
      for (let done = 0; done < length; ) {
        const read = readSync(file, buffer, done, length - done, at + done);
        if (read === 0) throw new Error(`The records of thread ${thread} end before ${at + length}.`);
        done += read;
      }
      return buffer.subarray(0, length);
    },
    close() {
      for (const file of files.values()) closeSync(file);
      files.clear();
    },
  };
}
