import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives the run a temporary folder of its own, removed when it ends, so that no test has to clean up. */
export default function temporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "offprint-tests-"));
  // Some tests run as another user.
  chmodSync(folder, 0o755);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  return () => {
    process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
