// Runs the generated samples of some operations against a local server that records the requests, and compares what arrives
// with what the source asks for. Samples that an author wrote are never run.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Arrival, startRecordingServer } from "../../../test/reference/recording-server.ts";
import { fileContent } from "../../../test/reference/request-cases.ts";
import { placeOf, type Tally } from "./check-operation.ts";
import { faultsOfRequest, sameRequest } from "./check-request.ts";
import type { Source } from "./source-files.ts";
import type { SourceOperation } from "./source-operation.ts";

export interface SampledOperation {
  readonly operation: SourceOperation;
  readonly page: string;
  /** Code by the name of the language. */
  readonly samples: ReadonlyMap<string, string>;
}

interface Language {
  readonly name: string;
  readonly extension: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly script: readonly [name: string, text: string];
}

const stubs = fileURLToPath(new URL("../../../test/reference/stubs", import.meta.url));

const languages: readonly Language[] = [
  {
    name: "cURL",
    extension: ".sh",
    command: ["sh", "all.sh"],
    script: [
      "all.sh",
      'for sample in [0-9]*.sh; do timeout 20 sh "$sample" >/dev/null 2>"$sample.log" || echo "$sample: exit $? $(tail -n 1 "$sample.log")" >&2; done',
    ],
  },
  {
    name: "JavaScript",
    extension: ".mjs",
    command: [process.execPath, "all.js"],
    script: [
      "all.js",
      `import { readdirSync, readFileSync } from "node:fs";
const file = new File([readFileSync("example-file")], "example-file");
globalThis.document = { querySelector: () => ({ files: [file] }) };
console.log = () => {};
console.error = (...all) => process.stderr.write(all.join(" ") + "\\n");
const files = readdirSync(".").filter((name) => /^\\d+\\.mjs$/.test(name)).sort();
process.on("unhandledRejection", (error) => console.error("a promise", error.message));
for (const name of files) await import("./" + name).catch((error) => console.error(name + ":", error.message));
`,
    ],
  },
  {
    name: "Python",
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
  },
];

export async function runSamples(all: readonly SampledOperation[], source: Source, tally: Tally): Promise<void> {
  const server = await startRecordingServer();
  const arrivals = new Map<string, Map<number, Arrival>>();
  try {
    for (const language of languages) {
      if (spawnSync(language.command[0], ["--version"]).error) {
        console.error(`Samples in ${language.name} are not run: ${language.command[0]} is not on this machine.`);
        continue;
      }
      server.arrivals.clear();
      const said = await runLanguage(language, all, server.origin);
      const ofLanguage = new Map<number, Arrival>();
      arrivals.set(language.name, ofLanguage);
      all.forEach(({ operation, samples, page }, i) => {
        if (!samples.has(language.name) || cannotSend(operation, language)) return;
        const arrival = server.arrivals.get(nameOf(i));
        const line = said.split("\n").find((each) => each.startsWith(nameOf(i))) ?? "";
        tally.check(
          "sample runs",
          arrival !== undefined,
          placeOf(operation),
          () => `${language.name}: ${line.slice(0, 160)}`,
          page,
        );
        if (arrival) ofLanguage.set(i, arrival);
      });
    }
  } finally {
    await server.close();
  }
  for (const [i, { operation, page }] of all.entries()) {
    let first: { language: string; arrival: Arrival } | undefined;
    for (const [language, ofLanguage] of arrivals) {
      const arrival = ofLanguage.get(i);
      if (arrival === undefined) continue;
      const request = { ...arrival, target: arrival.target.slice(nameOf(i).length + 1) };
      const faults = faultsOfRequest(request, operation, source);
      for (const [kind, isRight, what] of faults)
        tally.check(`sample: ${kind}`, isRight, placeOf(operation), () => `${language}: ${what}`, page);
      first ??= { language, arrival: request };
      const difference = sameRequest(first.arrival, request);
      tally.check(
        "sample: languages agree",
        difference === undefined,
        placeOf(operation),
        () => `${first!.language} and ${language}: ${difference}`,
        page,
      );
    }
  }
}

const nameOf = (index: number): string => String(index).padStart(4, "0");

/** \`fetch\` of browsers and Node sends no body with these, and no such method. */
const cannotSend = ({ method, bodies }: SourceOperation, { name }: Language): boolean =>
  name === "JavaScript" && (method === "TRACE" || (/^(GET|HEAD)$/.test(method) && bodies.length > 0));

/** @returns what the samples said about failures. */
async function runLanguage(language: Language, all: readonly SampledOperation[], origin: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "offprint-samples-"));
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "example-file"), fileContent);
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    writeFileSync(join(folder, ...language.script.slice(0, 1)), language.script[1]);
    all.forEach(({ samples, operation }, i) => {
      const code = samples.get(language.name);
      if (code !== undefined && !cannotSend(operation, language))
        writeFileSync(join(folder, nameOf(i) + language.extension), atServer(code, `${origin}/${nameOf(i)}`));
    });
    return await said(language, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sample with another server: the first address in it is that of the request. */
function atServer(code: string, server: string): string {
  const [origin] = /https?:\/\/[^/\s"'`?#]+/.exec(code) ?? [];
  return origin === undefined ? code : code.replace(origin, () => server);
}

function said({ command: [program, ...args] }: Language, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const hasRequests = spawnSync("python3", ["-c", "import requests"]).status === 0;
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NODE_OPTIONS: "", ...(hasRequests ? {} : { PYTHONPATH: stubs }) },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 300_000,
    });
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}
