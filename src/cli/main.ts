#!/usr/bin/env node
// The version of Node is checked before anything else is loaded, so that an old Node prints one clear line.
import { nodeProblem } from "../lib/check-node.js";

const problem = nodeProblem();
if (problem) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 2;
} else {
  // The reader of a pipe may end first, as `head` does. The command goes on, so that it leaves nothing half-written.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  const { run } = await import("./run.js");
  process.exitCode = await run(process.argv.slice(2), process, async () => {
    const { keepCompiledCode } = await import("./compiled-code.js");
    keepCompiledCode(process);
  });
}
