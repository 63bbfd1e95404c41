import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Code, RootContent } from "mdast";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import type { JsxElement } from "../../src/page/content/page-content.js";
import { type Arrival, type RecordingServer, startRecordingServer } from "./recording-server.js";
import { fileContent, type RequestCase, requestCases as usualCases, type Wanted } from "./request-cases.js";
import { tableCases } from "./request-table.js";
import { apiDefaults, contentOf, documentOf, operationTarget, specOf } from "./spec-of.js";

/**
 * Runs every sample against a server that records the requests. All samples of a language run in one process of its
 * interpreter, so that hundreds of them take seconds.
 */
interface Runner {
  readonly language: string;
  readonly extension: string;
  /** Command that runs all samples of the folder in order. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A runner file for the interpreter, in the folder. */
  readonly script?: readonly [name: string, text: string];
  /** It sends requests with `fetch`. */
  readonly isFetch?: true;
}

const requestCases = [...usualCases, ...tableCases];

const stubs = fileURLToPath(new URL("./stubs", import.meta.url));

/** Imports every file in order, with a stub of a browser's form. */
const importAll = (extension: string): string => `
import { readdirSync, readFileSync } from "node:fs";
const file = new File([readFileSync("example-file")], "example-file");
globalThis.document = { querySelector: () => ({ files: [file] }) };
console.log = () => {};
const files = readdirSync(".").filter((name) => /^\\d+\\${extension}$/.test(name)).sort();
for (const name of files) await import("./" + name).catch((error) => console.error(name, error.message));
`;

const cannot = ({ isFetch }: Runner, { method }: RequestCase): boolean => isFetch === true && method === "trace";

const runPython = `
import contextlib, glob, io, runpy, sys
for name in sorted(glob.glob("[0-9]*.py")):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path(name)
    except BaseException as error:
        print(name, repr(error), file=sys.stderr)
`;

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const runners: Runner[] = [
  {
    language: "curl",
    extension: ".sh",
    command: ["sh", "all.sh"],
    script: [
      "all.sh",
      'for sample in [0-9]*.sh; do timeout 20 sh "$sample" >/dev/null 2>"$sample.log" || echo "$sample: $?" >&2; done',
    ],
  },
  {
    language: "javascript",
    extension: ".mjs",
    command: [process.execPath, "all.js"],
    script: ["all.js", importAll(".mjs")],
    isFetch: true,
  },
  {
    language: "nodejs",
    extension: ".mjs",
    command: [process.execPath, "all.js"],
    script: ["all.js", importAll(".mjs")],
    isFetch: true,
  },
  {
    language: "typescript",
    extension: ".mts",
    command: [process.execPath, "all.js"],
    script: ["all.js", importAll(".mts")],
    isFetch: true,
  },
  {
    language: "python",
    extension: ".py",
    command: ["python3", "all.py"],
    script: ["all.py", runPython],
    environment: { PYTHONPATH: stubs },
  },
];

const languages = runners.map(({ language }) => language);

const programs: Readonly<Record<string, () => boolean>> = {
  curl: () => has("curl", "--version"),
  python: () => has("python3", "--version"),
  typescript: () =>
    (process.features as { typescript?: unknown }).typescript !== undefined &&
    (process.features as { typescript?: unknown }).typescript !== false,
};

/** The samples of all languages. */
let server: RecordingServer;
/** For each case, the sample by language. */
let samples: readonly ReadonlyMap<string, string>[];
beforeAll(async () => {
  server = await startRecordingServer();
  samples = requestCases.map((each, i) => samplesFor(each, `${server.origin}/${nameOf(i)}`));
}, 60_000);
afterAll(() => server.close());

for (const runner of runners) {
  const isThere = programs[runner.language]?.() ?? true;
  if (!isThere) console.warn(`Samples in ${runner.language} are not run: its program is not on this machine.`);
  describe.skipIf(!isThere)(`samples in ${runner.language} send`, () => runAll(runner));
}

const pythonRunner = runners.find(({ language }) => language === "python")!;
if (has("python3", "-c", "import requests"))
  describe("samples in python, with the library itself, send", () => runAll({ ...pythonRunner, environment: {} }));
else console.warn("Samples in Python ran only against the stub: the library is not installed.");

function runAll(runner: Runner): void {
  let folder: string;
  let said = "";
  beforeAll(async () => {
    server.arrivals.clear();
    folder = mkdtempSync(join(tmpdir(), "samples-"));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "example-file"), fileContent);
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    requestCases.forEach((each, i) => {
      const name = nameOf(i);
      if (!cannot(runner, each))
        writeFileSync(join(folder, name + runner.extension), samples[i]!.get(runner.language)!);
    });
    if (runner.script) writeFileSync(join(folder, runner.script[0]), runner.script[1]);
    said = await run(runner.command, folder, runner.environment);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  requestCases.forEach((each, i) => {
    if (cannot(runner, each)) return;
    test(each.about, async () => {
      const arrival = server.arrivals.get(nameOf(i));
      expect(arrival, said).toBeDefined();
      const wanted = (runner.isFetch && each.wantedOfFetch) || each.wanted;
      await compare(arrival!, wanted, `/${nameOf(i)}`, each.anyFileType);
    });
  });
  test("nothing else", () => {
    expect(existsSync(join(folder, "pwned"))).toBe(false);
    expect(said).toBe("");
  });
}

function run([program, ...args]: readonly string[], cwd: string, environment = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, {
      cwd,
      env: { ...process.env, NODE_OPTIONS: "", ...environment },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", () => resolve(said));
  });
}

/** The first part of the path of a case. */
const nameOf = (index: number): string => String(index).padStart(4, "0");

/** The samples on the operation's page, by language. */
function samplesFor(
  { operation, path = "/things", method = "post", beside = "{}" }: RequestCase,
  server: string,
): ReadonlyMap<string, string> {
  const document = {
    openapi: "3.1.0",
    servers: [{ url: server }],
    paths: { [path]: { [method]: documentOf(operation) as Json } },
    ...documentOf(beside),
  } as JsonObject;
  const spec = specOf(document);
  const { tree } = contentOf(spec, operationTarget(spec), {
    api: { examples: { ...apiDefaults.examples, defaults: "examples", languages } },
  });
  const example = tree.find(
    (node): node is RootContent & JsxElement => node.type === "mdxJsxFlowElement" && node.name === "RequestExample",
  );
  return new Map(languages.map((language, i) => [language, (example!.children[i] as unknown as Code).value]));
}

async function compare(arrival: Arrival, wanted: Wanted, prefix: string, anyFileType = false): Promise<void> {
  const [path = "", search = ""] = arrival.target.split(/\?(.*)/s);
  expect(arrival.method).toBe(wanted.method ?? "POST");
  if (wanted.path !== undefined) expect(path).toBe(prefix + wanted.path);
  if (wanted.rawQuery !== undefined) expect(search).toBe(wanted.rawQuery);
  if (wanted.query !== undefined) expect(pairsOf(search)).toEqual(wanted.query);
  for (const [name, value] of Object.entries(wanted.headers ?? {})) expect(arrival.headers[name]).toBe(value);
  for (const name of wanted.withoutHeaders ?? []) expect(Object.keys(arrival.headers)).not.toContain(name);
  if (wanted.digestUser !== undefined)
    expect(arrival.headers["authorization"]).toContain(`Digest username="${wanted.digestUser}"`);
  const { body } = wanted;
  const text = arrival.body.toString();
  if (body === undefined) return;
  if ("none" in body) expect(text).toBe("");
  else if ("text" in body) expect(text).toBe(body.text);
  else if ("json" in body) expect(JSON.parse(text)).toEqual(body.json);
  else if ("form" in body) expect(pairsOf(text)).toEqual(body.form);
  else if ("typedParts" in body) {
    const boundary = /boundary=(.*)/.exec(arrival.headers["content-type"]!)![1]!;
    const parts = text.split(`--${boundary}`).slice(1, -1);
    expect(parts.map((part) => partIn(part, anyFileType))).toEqual(body.typedParts);
  } else {
    const form = await new Response(new Uint8Array(arrival.body), {
      headers: { "content-type": arrival.headers["content-type"]! },
    }).formData();
    const parts = await Promise.all(
      [...form].map(async ([name, value]) => [name, typeof value === "string" ? value : `file:${await value.text()}`]),
    );
    expect(parts).toEqual(body.parts);
  }
}

/** Name, media type and content of a part as received. */
function partIn(part: string, anyFileType: boolean): (string | undefined)[] {
  const [head = "", content = ""] = part.split(/\r\n\r\n(.*)\r\n$/s);
  const type = /^content-type: (.*?)\r?$/im.exec(head)?.[1];
  const isFile = anyFileType && head.includes(`filename="example-file"`);
  return [/ name="([^"]*)"/i.exec(head)?.[1], isFile ? "file" : type, content];
}

/** Pairs of a query, or of a form body, where a plus sign is a blank. */
const pairsOf = (text: string): string[][] =>
  text === ""
    ? []
    : text.split("&").map((pair) =>
        pair
          .split(/=(.*)/s)
          .slice(0, 2)
          .map((part) => decodeURIComponent(part.replaceAll("+", " "))),
      );
