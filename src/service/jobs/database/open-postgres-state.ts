import { createState, type State, type StateOptions, stateSettings } from "../state.js";
import { createNotifier } from "./notifier.js";
import { openPgBossQueue } from "./pg-boss-queue.js";
import { openPostgresDatabase } from "./postgres-database.js";

export interface PostgresStateOptions extends StateOptions {
  /** `postgresql://user:password@host:5432/name`; a secret. */
  readonly url: string;
}

/**
 * The service's state in a PostgreSQL database that any number of machines can share. By default times come from the
 * server's clock.
 */
export async function openPostgresState({ url, ...options }: PostgresStateOptions): Promise<State> {
  const notifier = createNotifier();
  const database = await openPostgresDatabase(url, notifier);
  try {
    const settings = stateSettings(options, database.now);
    const queue = await openPgBossQueue(database, settings);
    return createState({ database, queue, notifier, ...settings }, async () => {
      await queue.close();
      await database.close();
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}
