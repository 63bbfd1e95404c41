// Runs the generated samples of some operations against a local server that records the requests, and compares what arrives
// with what the source asks for. Samples that an author wrote are never run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { METHODS } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Arrival, startRecordingServer } from "../../../test/reference/recording-server.ts";
import {
  moduleRunner,
  pythonRunner,
  pythonStubs,
  runFolder,
  type SampleRunner,
  sampleName,
  shellRunner,
  writeSamples,
} from "../../../test/reference/sample-runners.ts";
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

/** Languages by the names of their tabs. */
const languages: readonly (SampleRunner & { readonly name: string })[] = [
  { name: "cURL", ...shellRunner },
  { name: "JavaScript", ...moduleRunner(".mjs") },
  { name: "Python", ...pythonRunner },
];
type Language = (typeof languages)[number];

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
        const arrival = server.arrivals.get(sampleName(i));
        const line = said.split("\n").find((each) => each.startsWith(sampleName(i))) ?? "";
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
      const request = { ...arrival, target: arrival.target.slice(sampleName(i).length + 1) };
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

/** `fetch` of browsers and Node sends no body with these, and no such method; the server reads only methods that Node knows. */
const cannotSend = ({ method, bodies }: SourceOperation, { name }: Language): boolean =>
  !METHODS.includes(method) ||
  (name === "JavaScript" && (method === "TRACE" || (/^(GET|HEAD)$/.test(method) && bodies.length > 0)));

/** @returns what the samples said about failures. */
async function runLanguage(language: Language, all: readonly SampledOperation[], origin: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "offprint-samples-"));
  try {
    const samples = all.flatMap(({ samples, operation }, i): [number, string][] => {
      const code = cannotSend(operation, language) ? undefined : samples.get(language.name);
      return code === undefined ? [] : [[i, atServer(code, `${origin}/${sampleName(i)}`)]];
    });
    writeSamples(folder, language, new Map(samples));
    const hasRequests = spawnSync("python3", ["-c", "import requests"]).status === 0;
    return await runFolder(folder, language, hasRequests ? {} : pythonStubs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sample with another server: the first address in it is that of the request. */
function atServer(code: string, server: string): string {
  const [origin] = /https?:\/\/[^/\s"'`?#]+/.exec(code) ?? [];
  return origin === undefined ? code : code.replace(origin, () => server);
}
