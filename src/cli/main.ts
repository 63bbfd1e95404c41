#!/usr/bin/env node
// The version of Node is checked before anything else is loaded, so that an old Node prints one clear line.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`Offprint needs Node 22.13 or newer; this is ${process.version}.\n`);
  process.exitCode = 2;
} else {
  const { tuneProcess } = await import("../export/tune-process.js");
  tuneProcess();
  const { run } = await import("./run.js");
  process.exitCode = await run(process.argv.slice(2), process);
}
