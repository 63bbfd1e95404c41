import { createState, type State, type StateOptions, stateSettings } from "../state.js";
import { createNotifier } from "./notifier.js";
import { openSqliteDatabase } from "./sqlite-database.js";
import { createSqliteQueue } from "./sqlite-queue.js";

export interface SqliteStateOptions extends StateOptions {
  /** Created with its folder if missing. */
  readonly file: string;
}

/** The service's state in a SQLite file. */
export async function openSqliteState({ file, ...options }: SqliteStateOptions): Promise<State> {
  const notifier = createNotifier();
  const database = await openSqliteDatabase(file, notifier);
  const settings = stateSettings(options, Date.now);
  const queue = createSqliteQueue(database, settings);
  return createState({ database, queue, notifier, ...settings }, () => database.close());
}
