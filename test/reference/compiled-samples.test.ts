import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SampleBody, type SampleRequest, sampleLanguage } from "../../src/reference/samples/languages/index.js";
import { formEncoded } from "../../src/reference/samples/languages/text.js";
import { printJson } from "../../src/reference/samples/print-json.js";
import { sampleOf } from "../quality/bundle.js";
import { hostileLines, hostileValues } from "./request-cases.js";

/**
 * Compiles the samples of compiled languages against stubs of their libraries and runs them. The calls to the library
 * must match the request byte for byte.
 */
interface Compiler {
  readonly language: string;
  readonly program: string;
  readonly extension: string;
  /** The sample as a complete program. */
  readonly wrap?: (sample: string, name: string) => string;
  /** Commands that compile the programs `name.extension`. */
  readonly compile: (names: readonly string[]) => readonly (readonly string[])[];
  readonly run: (name: string) => readonly string[];
}

const stubs = fileURLToPath(new URL("./stubs", import.meta.url));

/** Skips JVM optimizations that pay off only in long runs. */
const shortLived = (prefix: string): string[] =>
  ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"].map((option) => prefix + option);

const compilers: readonly Compiler[] = [
  {
    language: "c",
    program: "gcc",
    extension: "c",
    compile: (names) => names.map((name) => ["gcc", "-std=c99", "-Wall", "-I", stubs, "-o", name, `${name}.c`]),
    run: (name) => [`./${name}`],
  },
  {
    language: "cpp",
    program: "g++",
    extension: "cpp",
    // Parsing the library's header takes most of the time, so it is precompiled.
    compile: (names) => [
      ["mkdir", "cpr"],
      ["g++", "-std=c++17", "-o", "cpr/cpr.h.gch", join(stubs, "cpr/cpr.h")],
      ...names.map((name) => ["g++", "-std=c++17", "-I", ".", "-I", stubs, "-o", name, `${name}.cpp`]),
    ],
    run: (name) => [`./${name}`],
  },
  {
    language: "java",
    program: "javac",
    extension: "java",
    wrap: (sample, name) => {
      const [imports, rest] = [/^import .*\n/gm, ""] as const;
      return `${(sample.match(imports) ?? []).join("")}class ${name} {\npublic static void main(String[] none) {\n${sample.replace(imports, rest)}\n}\n}\n`;
    },
    compile: (names) => [
      ["javac", ...shortLived("-J"), "-encoding", "UTF-8", "-d", ".", "-sourcepath", stubs].concat(
        names.map((name) => `${name}.java`),
      ),
    ],
    run: (name) => ["java", ...shortLived(""), "-cp", ".", name],
  },
  {
    language: "rust",
    program: "rustc",
    extension: "rs",
    wrap: (sample) =>
      `${sample.replace("#[tokio::main]\nasync fn main()", "async fn sample()")}\n${readFileSync(join(stubs, "reqwest.rs"), "utf8")}`,
    compile: (names) => names.map((name) => ["rustc", "--edition", "2021", "-A", "warnings", "-o", name, `${name}.rs`]),
    run: (name) => [`./${name}`],
  },
];

const hostile = [...hostileValues, ...hostileLines];
const record = Object.fromEntries(hostile.map((value) => [value, value]));
const bodies: readonly (readonly [about: string, body: SampleBody])[] = [
  ["JSON", { kind: "json", text: printJson(record), value: record }],
  ["text", { kind: "text", text: hostile.join("\n") }],
  ["a form", { kind: "form", fields: hostile.map((value) => [value, value]) }],
  [
    "parts",
    {
      kind: "multipart",
      parts: hostile.map((value, i) => ({ name: value, value: i === 0 ? "example-file" : value, isFile: i === 0 })),
    },
  ],
  [
    "parts with media types",
    {
      kind: "multipart",
      parts: hostile.map((value, i) => ({
        name: value,
        value: i === 0 ? "example-file" : value,
        isFile: i === 0,
        contentType: i === 0 ? "image/png" : "application/json; v=1",
      })),
    },
  ],
];

const requests = bodies.map(([about, body], i): { about: string; name: string; request: SampleRequest } => ({
  about,
  name: `Sample${i}`,
  request: {
    method: "POST",
    url: `https://api.example.com/things?${formEncoded(hostile.map((value) => [value, value]))}`,
    headers: [
      ...hostileValues.filter((value) => /^[\x20-\x7e]*$/.test(value)).map((value, i) => [`X-${i}`, value] as const),
      ...(body.kind === "multipart" ? [] : [["Content-Type", "text/x"] as const]),
    ],
    body,
  },
}));

for (const compiler of sampleOf(compilers, 2)) {
  const isThere = spawnSync(compiler.program, ["--version"]).status === 0;
  if (!isThere)
    console.warn(`Samples in ${compiler.language} are not compiled: ${compiler.program} is not on this machine.`);
  describe.skipIf(!isThere)(`samples in ${compiler.language} ask for`, () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "samples-"));
      for (const { name, request } of requests) {
        const sample = sampleLanguage(compiler.language)!.write(request);
        writeFileSync(join(folder, `${name}.${compiler.extension}`), compiler.wrap?.(sample, name) ?? sample);
      }
      for (const command of compiler.compile(requests.map(({ name }) => name))) must(command, folder);
    });
    afterAll(() => rmSync(folder, { recursive: true }));
    for (const { about, name, request } of requests)
      test(about, () => {
        const asked = must(compiler.run(name), folder)
          .trim()
          .split("\n")
          .filter((line) => /^\w+ [\da-f]*$/.test(line));
        const decoded = asked
          .map((line) => line.split(" "))
          .map(([name, hex]) => [name, Buffer.from(hex ?? "", "hex").toString()]);
        expect(decoded.sort(byName)).toEqual(wantedOf(request).sort(byName));
      });
  });
}

const byName = ([a = ""]: readonly (string | undefined)[], [b = ""]: readonly (string | undefined)[]): number =>
  a < b ? -1 : a > b ? 1 : 0;

function must([program, ...args]: readonly string[], cwd: string): string {
  const result = spawnSync(program!, args, { cwd, encoding: "utf8" });
  expect(result.status, result.stderr).toBe(0);
  return result.stdout;
}

function wantedOf({ method, url, headers, body }: SampleRequest): string[][] {
  const head = [["method", method], ["url", url], ...headers.map(([name, value]) => ["header", `${name}: ${value}`])];
  switch (body?.kind) {
    case "json":
    case "text":
      return [...head, ["body", body.text]];
    case "form":
      return [...head, ["body", formEncoded(body.fields)]];
    case "multipart":
      return [
        ...head,
        ...body.parts.flatMap(({ name, value, isFile, contentType }) => [
          ["name", name],
          [isFile ? "file" : "part", value],
          ...(contentType === undefined ? [] : [["type", contentType]]),
        ]),
      ];
    default:
      return head;
  }
}
