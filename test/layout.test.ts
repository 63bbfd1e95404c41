import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "vitest";
import { temporaryFolder } from "./support/cli.js";

const script = fileURLToPath(new URL("../scripts/check-imports.js", import.meta.url));

/** Runs the check over a source tree of these files. */
function check(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, "src", path)), { recursive: true });
    writeFileSync(join(root, "src", path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8" });
  return { status, faults: stderr.trim() };
}

const sound = {
  "cli/main.ts": 'import { exportSite } from "../index.js";\n',
  "index.ts": 'export { exportSite } from "./export/index.js";\n',
  "export/index.ts": 'import { render } from "../page/render/index.js";\nexport const exportSite = render;\n',
  "page/render/index.ts": 'export { render } from "./render.js";\n',
  "page/render/render.ts": 'import { log } from "../../lib/log.js";\nexport const render = log;\n',
  "lib/log.ts": "export const log = 1;\n",
};

test("a source tree that only imports downwards passes the check", () =>
  assert.deepEqual(check(sound), { status: 0, faults: "" }));

const violations = [
  [
    "an import that runs up",
    { "page/render/x.ts": '\nimport { exportSite } from "../../export/index.js";\n' },
    "src/page/render/x.ts:2 page may not import export (src/export/index.ts).",
  ],
  [
    "an import of a type that runs up",
    { "lib/x.ts": 'import type { render } from "../page/render/index.js";\n' },
    "src/lib/x.ts:1 lib may not import page (src/page/render/index.ts).",
  ],
  [
    "an import that runs up when it is needed",
    { "lib/x.ts": 'export const load = () => import("../page/render/render.js");\n' },
    "src/lib/x.ts:1 lib may not import page (src/page/render/render.ts).",
  ],
  [
    "a way into a folder past its index.ts",
    { "export/x.ts": 'import { render } from "../page/render/render.js";\n' },
    "src/export/x.ts:1 Import src/page/render/index.ts instead of src/page/render/render.ts.",
  ],
  [
    "the browser's use of a folder that it does not share",
    { "reader/x.ts": 'import { render } from "../page/render/render.js";\n' },
    "src/reader/x.ts:1 reader may not import page (src/page/render/render.ts).",
  ],
  [
    "two files that import each other's types",
    { "lib/a.ts": 'import type { B } from "./b.js";\n', "lib/b.ts": 'import type { A } from "./a.js";\n' },
    "src/lib/a.ts:1 Files import each other: src/lib/a.ts -> src/lib/b.ts -> src/lib/a.ts.",
  ],
  [
    "the highlighter's engine that imports something of ours",
    { "lib/textmate/x.ts": 'import { log } from "../log.js";\n' },
    "src/lib/textmate/x.ts:1 lib/textmate may not import lib (src/lib/log.ts).",
  ],
  [
    "a folder of more than 25 files",
    Object.fromEntries(Array.from({ length: 26 }, (_, i) => [`lib/many/x${i}.ts`, ""])),
    "src/lib/many The folder has 26 files; make rooms in it (at most 25).",
  ],
] as const;
for (const [rule, planted, fault] of violations)
  test(`${rule} is a violation`, () => assert.deepEqual(check({ ...sound, ...planted }), { status: 1, faults: fault }));

test("a file of more than 400 lines is a warning", () => {
  const { status, faults } = check({ ...sound, "lib/a.ts": "export {};\n".repeat(401) });
  assert.deepEqual([status, faults], [0, "warning src/lib/a.ts:401 The file has 401 lines. Does it hold two ideas?"]);
});
