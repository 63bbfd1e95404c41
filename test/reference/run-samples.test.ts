import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Code, RootContent } from "mdast";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/lib/json/index.js";
import type { JsxElement } from "../../src/page/content/page-content.js";
import { sampleOf } from "../quality/bundle.js";
import { type Arrival, type RecordingServer, startRecordingServer } from "./recording-server.js";
import { type RequestCase, requestCases as usualCases, type Wanted } from "./request-cases.js";
import { tableCases } from "./request-table.js";
import {
  moduleRunner,
  pythonRunner,
  pythonStubs,
  runFolder,
  type SampleRunner,
  sampleName,
  shellRunner,
  writeSamples,
} from "./sample-runners.js";
import { apiDefaults, contentOf, documentOf, operationTarget, specOf } from "./spec-of.js";

/** Every sample is run against a server that records the requests. */
interface Runner extends SampleRunner {
  readonly language: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** It sends requests with `fetch`. */
  readonly isFetch?: true;
}

const requestCases = [...usualCases, ...sampleOf(tableCases, 30)];

const cannot = ({ isFetch }: Runner, { method }: RequestCase): boolean => isFetch === true && method === "trace";

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

const runners: Runner[] = [
  { language: "curl", ...shellRunner },
  { language: "javascript", ...moduleRunner(".mjs"), isFetch: true },
  { language: "nodejs", ...moduleRunner(".mjs"), isFetch: true },
  { language: "typescript", ...moduleRunner(".mts"), isFetch: true },
  { language: "python", ...pythonRunner, environment: pythonStubs },
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
  samples = requestCases.map((each, i) => samplesFor(each, `${server.origin}/${sampleName(i)}`));
});
afterAll(() => server.close());

for (const runner of runners) {
  const isThere = programs[runner.language]?.() ?? true;
  if (!isThere) console.warn(`Samples in ${runner.language} are not run: its program is not on this machine.`);
  describe.skipIf(!isThere)(`samples in ${runner.language} send`, () => runAll(runner));
}

if (has("python3", "-c", "import requests"))
  describe("samples in python, with the library itself, send", () => runAll({ language: "python", ...pythonRunner }));
else console.warn("Samples in Python ran only against the stub: the library is not installed.");

function runAll(runner: Runner): void {
  let folder: string;
  let said = "";
  beforeAll(async () => {
    server.arrivals.clear();
    folder = mkdtempSync(join(tmpdir(), "samples-"));
    const codes = requestCases.flatMap((each, i): [number, string][] =>
      cannot(runner, each) ? [] : [[i, samples[i]!.get(runner.language)!]],
    );
    writeSamples(folder, runner, new Map(codes));
    said = await runFolder(folder, runner, runner.environment);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  requestCases.forEach((each, i) => {
    if (cannot(runner, each)) return;
    test(each.about, async () => {
      const arrival = server.arrivals.get(sampleName(i));
      expect(arrival, said).toBeDefined();
      const wanted = (runner.isFetch && each.wantedOfFetch) || each.wanted;
      await compare(arrival!, wanted, `/${sampleName(i)}`, each.anyFileType);
    });
  });
  test("nothing else", () => {
    expect(existsSync(join(folder, "pwned"))).toBe(false);
    expect(said).toBe("");
  });
}

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
