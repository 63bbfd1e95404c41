import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const faults = JSON.parse(readFileSync(join(root, "scripts/handbook-faults.json"), "utf8")) as [
  file: string,
  right: string,
][];

test("npm run repair finds the handbook texts that it would break", () => {
  for (const [file, right] of faults)
    expect(readFileSync(join(root, "fixtures/handbook", file), "utf8"), file).toContain(right);
});
