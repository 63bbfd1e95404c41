import { openStore, type Store } from "../service/open-store.js";
import type { Surroundings } from "./run.js";
import { storeSettings } from "./store-settings.js";

/** Opens the store that the environment names for one command, and closes it whatever comes. */
export async function withStore(
  data: string | undefined,
  process: Surroundings,
  use: (store: Store) => Promise<number>,
): Promise<number> {
  // Links are given by the API alone, so that their address means nothing here.
  const store = await openStore({ ...storeSettings(data, process), publicUrl: "http://localhost" });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
