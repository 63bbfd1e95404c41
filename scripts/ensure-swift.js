// The tests keep bundles in a real S3 server: this installs Debian's when it is missing and it may.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const packages = ["swift-proxy", "swift-account", "swift-container", "swift-object"];
const isThere = () => packages.every((name) => existsSync(`/usr/bin/${name}-server`));

const mayInstall =
  process.platform === "linux" && process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
if (!isThere() && mayInstall) {
  process.stderr.write("Installing an S3 server for the tests …\n");
  const run = (...words) =>
    execFileSync("apt-get", words, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  try {
    run("update", "-qq");
    run("install", "-y", "-qq", "--no-install-recommends", ...packages);
  } catch {
    // What is missing is said below.
  }
}
if (!isThere()) {
  process.stderr.write(
    `There is no S3 server, so the tests of the object store cannot run. Install it: sudo apt-get install ${packages.join(" ")}\n`,
  );
  if (process.env["CI"]) process.exitCode = 1;
}
