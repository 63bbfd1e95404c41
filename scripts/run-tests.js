// Runs lint and the type checks beside the tests, since the tests often wait for browsers and child processes. Prints the output
// of a check only if it fails. Arguments go to Vitest.
import { spawn } from "node:child_process";

const run = (command, args, stdio) => {
  const child = spawn(command, args, { stdio });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
};
const check = async (name) => ({ name, ...(await run("npm", ["run", "--silent", name], ["ignore", "pipe", "pipe"])) });

const [tests, ...checks] = await Promise.all([
  run("npx", ["vitest", "run", ...process.argv.slice(2)], "inherit"),
  check("lint"),
  check("typecheck"),
]);
const failed = checks.filter(({ code }) => code !== 0);
for (const { name, output } of failed) console.error(`npm run ${name} failed:\n${output}`);
process.exitCode = tests.code || (failed.length > 0 ? 1 : 0);
