import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { nodeProblem } from "../../src/lib/check-node.js";
import { builtFile } from "../../src/lib/package-root.js";

test("an older Node is named, with the one that is needed", () => {
  expect(nodeProblem("20.20.2")).toBe(
    "Offprint needs Node 22.13 or newer; this is v20.20.2. Get it from nodejs.org; in a clone, npm run offprint brings its own.",
  );
  expect(nodeProblem("22.12.0")).toBeDefined();
  for (const version of ["22.13.0", "22.14.1", "24.0.0", process.versions.node])
    expect(nodeProblem(version)).toBeUndefined();
});

test("the oldest Node is that of package.json", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const oldest = /\d+\.\d+/.exec((engines as { node: string }).node)![0];
  expect(nodeProblem(`${oldest}.0`)).toBeUndefined();
  expect(nodeProblem("1.0.0")).toContain(`Node ${oldest} or newer`);
});

/** A Node of this machine that is too old, if there is one. */
const old = ["/usr/local/bin/node", "/usr/bin/node"].find((path) => {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return stdout && nodeProblem(stdout.trim().slice(1)) !== undefined;
});

describe.skipIf(old === undefined)("an old Node prints one sentence", () => {
  test("from the command line", () => {
    const { status, stderr } = spawnSync(old!, [builtFile("cli/main.js"), "check", "."], { encoding: "utf8" });
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^Offprint needs Node .* or newer; this is v\S+\. Get it .*\.\n$/),
    ]);
  });
  for (const entry of ["index", "service", "serve"])
    test(`from the library: ${entry}`, () => {
      const code = `import(${JSON.stringify(builtFile(`${entry}.js`))}).catch((error) => console.log(error.message))`;
      const out = execFileSync(old!, ["--input-type=module", "-e", code], { encoding: "utf8" });
      expect(out).toMatch(/^Offprint needs Node .* or newer; this is v\S+\. Get it .*\.\n$/);
    });
});
