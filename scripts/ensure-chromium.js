// Tests open the exported pages in a real Chromium: this installs Debian's when it is missing and it may.
import { execFileSync, spawnSync } from "node:child_process";

const chromiumNames = ["chromium", "chromium-browser", "google-chrome"];

function find() {
  return chromiumNames.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);
}

if (
  !find() &&
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("apt-get", ["--version"]).status === 0
) {
  process.stderr.write("Installing chromium for the browser tests …\n");
  try {
    execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], { stdio: "ignore" });
  } catch {
    // What is missing is said below.
  }
}
if (!find()) {
  process.stderr.write(
    "There is no Chromium, so the browser tests cannot run. Install it: sudo apt-get install chromium\n",
  );
  if (process.env["CI"]) process.exitCode = 1;
}
