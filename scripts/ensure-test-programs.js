// Tests open the exported pages in a real Chromium, and keep jobs in a real PostgreSQL and bundles in a real S3 server,
// and render charts with the engine of Helm: this installs Debian's packages where they are missing and it may. Another
// asks a real llama.cpp, which comes by npm.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { installLlama, llamaAddon } from "./llama-cpp.js";

const runs = (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;
const inContinuousIntegration = Boolean(process.env["CI"]);

// The one without windows takes half the processor time, so it is also installed next to another.
const browsers = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const postgresFolder = "/usr/lib/postgresql";
const swift = ["swift-proxy", "swift-account", "swift-container", "swift-object"];

/** `packages` are tried in this order until one, or several named together, can be installed. */
const programs = [
  { name: "Git", tests: "checkout", isThere: () => runs("git"), packages: ["git"] },
  { name: "curl or jq", tests: "workflow", isThere: () => runs("curl") && runs("jq"), packages: ["curl jq"] },
  { name: "Python", tests: "archive", isThere: () => runs("python3"), packages: ["python3"] },
  {
    name: "Chromium",
    tests: "browser",
    isThere: () => browsers.some(runs),
    isBest: () => runs(browsers[0]),
    packages: ["chromium-headless-shell", "chromium"],
  },
  {
    name: "PostgreSQL",
    tests: "service",
    isThere: () => runs("postgres") || (existsSync(postgresFolder) && readdirSync(postgresFolder).length > 0),
    packages: ["postgresql"],
  },
  {
    name: "S3 server",
    tests: "object store",
    isThere: () => swift.every((name) => existsSync(`/usr/bin/${name}-server`)),
    packages: [swift.join(" ")],
  },
  {
    name: "seccomp for Python",
    tests: "seccomp",
    isThere: () => spawnSync("/usr/bin/python3", ["-c", "import seccomp"], { stdio: "ignore" }).status === 0,
    packages: ["python3-seccomp"],
  },
  {
    name: "Go",
    tests: "chart",
    isThere: () => existsSync("/usr/bin/go") && existsSync("/usr/share/gocode/src/github.com/Masterminds/sprig"),
    packages: ["golang-go golang-github-masterminds-sprig-dev golang-github-ghodss-yaml-dev"],
  },
];

const mayInstall =
  process.platform === "linux" && process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
const wanted = mayInstall ? programs.filter(({ isThere, isBest = isThere }) => !isBest()) : [];
if (wanted.length > 0) tryApt("update", "-qq");
for (const { name, tests, packages } of wanted) {
  process.stderr.write(`Installing ${name} for the ${tests} tests …\n`);
  packages.some((each) => tryApt("install", "-y", "-qq", "--no-install-recommends", ...each.split(" ")));
}

for (const { name, tests, isThere, packages } of programs) {
  if (isThere()) continue;
  process.stderr.write(
    `${name} is missing, so the ${tests} tests cannot run. Install it: sudo apt-get install ${packages[0]}\n`,
  );
  if (inContinuousIntegration) process.exitCode = 1;
}

if (llamaAddon !== undefined && !existsSync(llamaAddon)) {
  process.stderr.write("Downloading llama.cpp for the test of a language model …\n");
  try {
    installLlama();
  } catch (error) {
    process.stderr.write(`llama.cpp is missing, so that test cannot run: ${error.message}\n`);
    if (inContinuousIntegration) process.exitCode = 1;
  }
}

/** Prints what is still missing. */
function tryApt(...words) {
  try {
    execFileSync("apt-get", words, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
    return true;
  } catch {
    return false;
  }
}
