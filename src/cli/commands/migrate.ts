import { openStore, pendingMigrations } from "../../service/open-store.js";
import { command, type Input } from "../command.js";
import type { Environment } from "../environment.js";
import { count } from "../print/terminal.js";
import { storeSettings } from "../settings/store.js";
import type texts from "./texts/migrate.json";

type Options = Input<typeof texts, "migrate">["values"];

export const commands = { migrate: command(({ values }: Input<typeof texts, "migrate">) => values, run) };

async function run({ data, check }: Options, environment: Environment): Promise<number> {
  const { stdout, stderr } = environment;
  // Only the API makes links, so their address does not matter here.
  const options = { ...storeSettings(data, environment), publicUrl: "http://localhost" };
  const pending = await pendingMigrations(options);
  if (pending === 0) stdout.write("The database is up to date.\n");
  else if (check) {
    stderr.write(`The database needs ${count(pending, "migration")}. Run: offprint migrate\n`);
    return 1;
  } else {
    await (await openStore(options)).close();
    stdout.write(`The database is migrated: ${count(pending, "migration")} applied.\n`);
  }
  return 0;
}
