/** The library's types need no package that its users may not have. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { declarationsOf } from "../../scripts/declarations.ts";
import { temporaryFolder } from "../support/cli.js";

const project = fileURLToPath(new URL("../..", import.meta.url));

const strictest = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    types: [],
    module: "nodenext",
    target: "es2023",
    noEmit: true,
  },
};

const use = `
import { createArchive, type Diagnostic, exportSite, formatDiagnostic, loadSite, type Manifest } from "offprint";

const result = await exportSite({ source: "docs", output: "out" });
const texts: string[] = result.diagnostics.map((each: Diagnostic) => formatDiagnostic(each));
const count: number = result.ok ? result.pageCount : 0;
const listed: Manifest | undefined = result.ok ? result.manifest : undefined;
const { site } = await loadSite({ source: "docs" });
const titles: (string | undefined)[] = site?.pages.map((page) => page.title) ?? [];
const { path, bytes } = await createArchive("out", "out.zip");
export const all: unknown[] = [texts, count, listed, titles, path, bytes];
`;

/** Written without checking the sources, which `tsc` does elsewhere. */
const declarations = declarationsOf(project, ["index"], () => false, false);

/** The compiler's messages about these files in a project that has the library and no other package. */
function compile(sources: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
  const files = {
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify(strictest),
    ...sources,
    "node_modules/offprint/package.json": JSON.stringify({ name: "offprint", type: "module", exports }),
    ...Object.fromEntries([...declarations].map(([path, text]) => [`node_modules/offprint/dist/${path}`, text])),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return spawnSync(process.execPath, [join(project, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  }).stdout;
}

// One run of the compiler for both uses: it takes 5 s of processor time.
test("the declarations of the library compile in the strictest project, without types of Node or other packages, and reject wrong uses", () => {
  const lines = compile({ "use.ts": use, "wrong.ts": use.replace('output: "out"', "output: 1") })
    .split("\n")
    .filter((line) => /^\S/.test(line));
  expect(lines).toEqual([expect.stringMatching(/\/wrong\.ts\(4,\d+\): error TS\d+/)]);
});
