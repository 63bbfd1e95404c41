import type { Log } from "../../lib/log.js";
import type { NewTurn, ThreadStore } from "../jobs/index.js";

/** Stores turns, several in one transaction if many answers end at once. */
export interface TurnWriter {
  /** Resolves once the turn is stored. Never rejects: an answer does not fail because it cannot be stored. */
  add(turn: NewTurn): Promise<void>;
}

/**
 * Time in which turns are collected, in milliseconds. Each commit of SQLite blocks the process until the disk has it, and
 * with it the first words of other answers. Only the end of an answer waits, which a reader does not see.
 */
const collectMs = 25;
/** A timer that is this late says that the process is busy with other answers, which have priority for a while. */
const lateMs = 10;
const mostCollects = 8;

export function createTurnWriter(threads: Pick<ThreadStore, "add" | "retentionMs">, log: Log): TurnWriter {
  let next: { readonly turns: NewTurn[]; readonly stored: Promise<void> } | undefined;
  const write = async (turns: readonly NewTurn[]): Promise<void> => {
    for (let at = 0; at < mostCollects; at++) {
      const started = performance.now();
      await new Promise((resolve) => setTimeout(resolve, collectMs));
      if (performance.now() - started < collectMs + lateMs) break;
    }
    next = undefined;
    await threads
      .add(turns)
      .catch((error: unknown) => log("error", "answers of the assistant were not stored", { error: String(error) }));
  };
  return {
    add(turn) {
      if (threads.retentionMs === 0) return Promise.resolve();
      if (next) next.turns.push(turn);
      else {
        const turns = [turn];
        next = { turns, stored: write(turns) };
      }
      return next.stored;
    },
  };
}
