// Exports random sites until the time is over or a fault is found:
//
//   npm run fuzz -- --minutes 10 --seed 3
//
// A fault is printed with its seed, and its site is written to out/fuzz/.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const { minutes = "5", seed = String(Date.now() % 1_000_000) } = values;
if (!(Number(minutes) > 0) || !Number.isInteger(Number(seed))) {
  console.error("--minutes takes a number above 0, --seed a whole number.");
  process.exit(2);
}
console.log(`${minutes} minutes from seed ${seed}`);
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, "run", "test/fuzz"], {
  stdio: "inherit",
  env: { ...process.env, OFFPRINT_FUZZ_MINUTES: minutes, OFFPRINT_FUZZ_SEED: seed },
});
process.exit(status ?? 1);
