import type { OperatorSettings } from "../service/credentials/index.js";
import { openStore, type Store } from "../service/open-store.js";
import type { Environment } from "./environment.js";
import { storeSettings } from "./store-settings.js";

/** Opens the store that the environment names, and closes it after `use`. */
export async function withStore(
  data: string | undefined,
  environment: Environment,
  use: (store: Store) => Promise<number>,
  operator?: OperatorSettings,
): Promise<number> {
  // Only the API makes links, so their address does not matter here.
  const store = await openStore({ ...storeSettings(data, environment), operator, publicUrl: "http://localhost" });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
