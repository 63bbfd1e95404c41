import { openStore, pendingMigrations } from "../../service/open-store.js";
import type { Environment } from "../environment.js";
import { storeSettings } from "../settings/store.js";
import type { MigrateArguments } from "./migrate-options.js";

/** `offprint migrate`. */
export async function run({ data, check }: MigrateArguments, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  // Only the API makes links, so their address does not matter here.
  const options = { ...storeSettings(data, environment), publicUrl: "http://localhost" };
  const pending = await pendingMigrations(options);
  if (pending === 0) stdout.write("The database is up to date.\n");
  else if (check) {
    stderr.write(`The database lacks ${count(pending)}. Run: offprint migrate\n`);
    return 1;
  } else {
    await (await openStore(options)).close();
    stdout.write(`The database was migrated: ${count(pending)}.\n`);
  }
  return 0;
}

const count = (migrations: number): string => (migrations === 1 ? "1 migration" : `${migrations} migrations`);
