// Runs request samples against a local server. All samples of a language run in one process of its interpreter, so that
// hundreds of them take seconds.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { patienceMs } from "../support/patience.ts";
import { fileContent } from "./request-cases.ts";

export interface SampleRunner {
  /** Of the files of samples: `.sh`. */
  readonly extension: string;
  /** Runs all samples of the folder in order. */
  readonly command: readonly [program: string, ...args: string[]];
  /** A file for the interpreter, in the folder. It prints the name of a sample that fails, and why. */
  readonly script: readonly [name: string, text: string];
}

export const shellRunner: SampleRunner = {
  extension: ".sh",
  command: ["sh", "all.sh"],
  script: [
    "all.sh",
    'for sample in [0-9]*.sh; do timeout 20 sh "$sample" >/dev/null 2>"$sample.log" || echo "$sample: exit $? $(tail -n 1 "$sample.log")" >&2; done',
  ],
};

/** Imports every file, with a stub of a browser's form. */
export const moduleRunner = (extension: ".mjs" | ".mts"): SampleRunner => ({
  extension,
  command: [process.execPath, "all.js"],
  script: [
    "all.js",
    `import { readdirSync, readFileSync } from "node:fs";
const file = new File([readFileSync("example-file")], "example-file");
globalThis.document = { querySelector: () => ({ files: [file] }) };
console.log = () => {};
console.error = (...all) => process.stderr.write(all.join(" ") + "\\n");
const files = readdirSync(".").filter((name) => /^\\d+\\${extension}$/.test(name)).sort();
process.on("unhandledRejection", (error) => console.error("a promise", error.message));
for (const name of files) await import("./" + name).catch((error) => console.error(name + ":", error.message));
`,
  ],
});

export const pythonRunner: SampleRunner = {
  extension: ".py",
  command: ["python3", "all.py"],
  script: [
    "all.py",
    `import contextlib, glob, io, runpy, sys
for name in sorted(glob.glob("[0-9]*.py")):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(name)
    except BaseException as error:
        print(name + ":", repr(error), file=sys.stderr)
`,
  ],
};

/** What Python finds in place of libraries that are not installed. */
export const pythonStubs = { PYTHONPATH: fileURLToPath(new URL("./stubs", import.meta.url)) };

/** The name of a sample, which is also the first part of the path that it calls. */
export const sampleName = (index: number): string => String(index).padStart(4, "0");

/** Writes the runner's files into an empty folder, and the samples, by their index. */
export function writeSamples(folder: string, runner: SampleRunner, samples: ReadonlyMap<number, string>): void {
  writeFileSync(join(folder, "example-file"), fileContent);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, runner.script[0]), runner.script[1]);
  for (const [i, code] of samples) writeFileSync(join(folder, sampleName(i) + runner.extension), code);
}

/** Runs the samples of a folder; a process that hangs is ended. @returns their messages about failures */
export function runFolder(
  folder: string,
  { command: [program, ...args] }: SampleRunner,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: "", ...environment },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: patienceMs,
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", () => resolve(said));
  });
}
