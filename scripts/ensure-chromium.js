// Tests open the exported pages in a real Chromium: this installs Debian's when it is missing and it may.
import { execFileSync, spawnSync } from "node:child_process";

// The one without windows starts pages in a third of the time.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const find = () => names.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);

const mayInstall =
  process.platform === "linux" && process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
const isWanted = process.env["CI"] ? find() !== names[0] : find() === undefined;
if (isWanted && mayInstall) {
  process.stderr.write("Installing Chromium for the browser tests …\n");
  const install = (name) =>
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], { stdio: "ignore" });
  try {
    execFileSync("apt-get", ["update", "-qq"], { stdio: "ignore" });
    try {
      install("chromium-headless-shell");
    } catch {
      install("chromium");
    }
  } catch {
    // What is missing is said below.
  }
}
if (find() === undefined) {
  process.stderr.write(
    "There is no Chromium, so the browser tests cannot run. Install it: sudo apt-get install chromium-headless-shell\n",
  );
  if (process.env["CI"]) process.exitCode = 1;
}
