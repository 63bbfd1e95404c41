import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives the run its own temporary folder, removed at the end, so that no test has to clean up. It also caches compiled
 * code, since hundreds of processes and threads of a run load the same modules.
 */
export default function temporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "offprint-tests-"));
  // Some tests run as another user.
  chmodSync(folder, 0o755);
  const before = { TMPDIR: process.env["TMPDIR"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] };
  Object.assign(process.env, { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, "compiled") });
  return () => {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    // A closing browser may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
