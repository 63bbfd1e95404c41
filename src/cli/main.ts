#!/usr/bin/env node
// The version of Node is checked before anything else is loaded, so that an old Node prints one clear line.
import { nodeProblem } from "../lib/check-node.js";

const problem = nodeProblem();
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  const { run } = await import("./run.js");
  process.exitCode = await run(process.argv.slice(2), process);
}
