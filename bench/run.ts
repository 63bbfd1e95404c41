// How much time and memory does an export take, and how do both grow with the site? How long does a search take, and does it
// find what readers look for? How long does a client of the service wait for a bundle?
//
//   npm run bench                    everything
//   npm run bench -- plain cached    only cases with one of these words in their names
//
// Prints one JSON line for each run, and the median and spread of each case on stderr.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleModule } from "../test/support/bundle-module.ts";
import { corporaFolder, realSites, whyNoRealSites } from "../test/support/corpora.ts";
import { writeApiSite } from "./api-site.ts";
import { writeConnectedSite } from "./connected-site.ts";
import { writeSyntheticSite } from "./synthetic-site.ts";

interface Case {
  readonly name: string;
  readonly runs: number;
  /** Makes the site in the folder and returns its path. */
  readonly site: (folder: string) => string;
  readonly cached?: boolean;
  /** All runs have one output, so that nothing has changed since the one before. */
  readonly unchanged?: boolean;
  /** The kind of measurement; by default an export. */
  readonly measurement?: Measurement;
}

interface Measurement {
  readonly script: string;
  /** Key of the figure whose median is printed. */
  readonly key: string;
  readonly unit: string;
  readonly flags?: readonly string[];
}

const plain = join(corporaFolder, "plain");
const scriptPath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const exporting: Measurement = {
  script: bundleModule(scriptPath("./measure-export.ts")),
  key: "cpuMsPerPage",
  unit: "ms of CPU a page",
};
const archiving: Measurement = { ...exporting, flags: ["--archive"] };
const bare: Measurement = { ...exporting, script: scriptPath("./measure-bare.ts") };
const searching: Measurement = {
  script: scriptPath("./measure-search.ts"),
  key: "worstFirstResultMs",
  unit: "ms at worst to the first result",
};
const answering: Measurement = {
  script: scriptPath("./measure-search-quality.ts"),
  key: "hitAt1",
  unit: "of the judged queries answered by the first result",
};
const serving: Measurement = {
  script: scriptPath("./measure-service.ts"),
  key: "requestToCompletedMs",
  unit: "ms from the request to the completed job",
};
const assisting: Measurement = {
  script: scriptPath("./measure-assistant.ts"),
  key: "hitAt5",
  unit: "of the judged questions with a page that answers among the first five",
};
const judging: Measurement = {
  script: scriptPath("./measure-answers.ts"),
  key: "searchAt3",
  unit: "of the questions in readers' words, held out, with a right page among the first three",
};
const counting: Measurement = {
  script: bundleModule(scriptPath("./measure-views.ts")),
  key: "hitsPerCpuSecond",
  unit: "page views a second of CPU",
};
const editing: Measurement = {
  script: scriptPath("./measure-edits.ts"),
  key: "textPercent",
  unit: "% of a cold export after one page has changed",
};
const sharing: Measurement = {
  script: scriptPath("./measure-shared.ts"),
  key: "changedPercent",
  unit: "% of a cold export on a new machine after one page has changed",
};
const splitting: Measurement = {
  script: scriptPath("./measure-split.ts"),
  key: "cpuPercent",
  unit: "% of the processor time of one worker if four share a job",
};
const islands: Measurement = {
  script: bundleModule(scriptPath("./measure-island-renderer.ts")),
  key: "cpuMsPerPage",
  unit: "ms of CPU a page with islands",
};

/** The engines on the handbook's page "Why some parts are not libraries". */
const ownEngines =
  "highlight patterns parse html zip jsx expressions modules markdown jsonpath hostileJsonpath samples yaml swagger ranges fetching limits threads".split(
    " ",
  );
const ownEngine = (engine: string): Measurement => ({
  script: bundleModule(scriptPath("./measure-own-engines.ts")),
  key: "share",
  unit: "of the library's processor time",
  flags: [engine],
});

const synthetic = (pages: number, runs: number, name = "synthetic", measurement?: Measurement): Case => ({
  name: `${name}-${pages}`,
  runs,
  measurement,
  site: (folder) => {
    writeSyntheticSite(join(folder, "site"), pages);
    return join(folder, "site");
  },
});

const apiSite = (name: string, runs: number, write: (folder: string) => void): Case => ({
  name,
  runs,
  site: (folder) => {
    write(join(folder, "site"));
    return join(folder, "site");
  },
});

const cases: readonly Case[] = [
  ...(existsSync(plain)
    ? [
        // Runs before and after the cases compared with it: the speed of a shared machine changes by the minute.
        { name: "plain-bare", runs: 1, site: plainSite, measurement: bare },
        { name: "plain-cold", runs: 3, site: plainSite },
        { name: "plain-archive", runs: 3, site: plainSite, measurement: archiving },
        { name: "plain-cached", runs: 3, site: plainSite, cached: true },
      ]
    : []),
  ...realSites.map(({ name, folder }) => ({ name: `corpus-${name}`, runs: 1, site: () => folder })),
  apiSite("api", 3, (folder) => writeApiSite(folder, 53)),
  // 1,104 operations.
  apiSite("api-large", 1, (folder) => writeApiSite(folder, 184)),
  apiSite("api-connected", 1, (folder) => writeConnectedSite(folder, 1_100, 120)),
  ...(existsSync(plain) ? [{ name: "plain-bare", runs: 1, site: plainSite, measurement: bare }] : []),
  synthetic(1000, 3),
  synthetic(4000, 1),
  synthetic(16_000, 1),
  { ...synthetic(4000, 3, "unchanged"), unchanged: true },
  ...(existsSync(plain) ? [{ name: "edits-plain", runs: 1, site: plainSite, measurement: editing }] : []),
  synthetic(1000, 1, "edits", editing),
  synthetic(4000, 1, "edits", editing),
  synthetic(1000, 1, "shared", sharing),
  synthetic(2000, 1, "split", splitting),
  synthetic(4000, 1, "split", splitting),
  synthetic(1000, 3, "search", searching),
  synthetic(10_000, 1, "search", searching),
  ...realSites
    .filter(({ name }) => existsSync(scriptPath(`./search-queries/${name}.json`)))
    .map(
      ({ name, folder }): Case => ({ name: `answers-${name}`, runs: 1, site: () => folder, measurement: answering }),
    ),
  ...realSites
    .filter(({ name }) => existsSync(scriptPath(`../test/service/assistant/questions/${name}.json`)))
    .map(
      ({ name, folder }): Case => ({ name: `assistant-${name}`, runs: 1, site: () => folder, measurement: assisting }),
    ),
  ...(realSites.length > 0 ? [{ name: "questions", runs: 1, site: () => corporaFolder, measurement: judging }] : []),
  synthetic(100, 3, "service", serving),
  { name: "page-views", runs: 1, site: () => "sqlite", measurement: counting },
  { name: "page-views-postgres", runs: 1, site: () => "postgres", measurement: counting },
  ...ownEngines.map(
    (engine): Case => ({
      name: `own-${engine}`,
      runs: 3,
      measurement: ownEngine(engine),
      site: existsSync(plain) ? plainSite : synthetic(1000, 1).site,
    }),
  ),
  { name: "island-renderer", runs: 3, site: (folder) => folder, measurement: islands },
];

/** The plain Markdown pages with a docs.json that has one group for each folder. */
function plainSite(folder: string): string {
  const site = join(folder, "site");
  cpSync(plain, site, { recursive: true });
  const groups = readdirSync(site, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .map((group) => ({
      group,
      pages: readdirSync(join(site, group))
        .toSorted()
        .map((file) => `${group}/${file.replace(/\.mdx?$/, "")}`),
    }));
  const config = { theme: "mint", name: "Plain", colors: { primary: "#0f766e" }, navigation: { groups } };
  writeFileSync(join(site, "docs.json"), JSON.stringify(config));
  return site;
}

/**
 * Outputs are kept until all runs of a case are done, and `sync` waits for earlier writes: both would keep the disk busy
 * during the run.
 */
function measure(
  { script, flags = [] }: Measurement,
  site: string,
  folder: string,
  cache: string | undefined,
  output = join(mkdtempSync(join(folder, "run-")), "out"),
): Record<string, unknown> {
  const args = [script, ...flags, site, output, ...(cache === undefined ? [] : [cache])];
  spawnSync("sync");
  const run = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  if (run.status !== 0) throw new Error(`Measuring ${site} failed.`);
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

if (whyNoRealSites !== undefined) console.error(whyNoRealSites);
const words = process.argv.slice(2);
/** The latest figure of the pipeline to which an export is compared. */
let bareMs: number | undefined;
for (const each of cases.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))) {
  const folder = mkdtempSync(join(tmpdir(), "offprint-bench-"));
  try {
    const site = each.site(folder);
    const cache = each.cached || each.unchanged ? join(folder, "cache") : undefined;
    const output = each.unchanged ? join(folder, "out") : undefined;
    const measurement = each.measurement ?? exporting;
    const { key, unit } = measurement;
    if (cache !== undefined) measure(measurement, site, folder, cache, output);
    const figures: number[] = [];
    for (let run = 1; run <= each.runs; run++) {
      const result = measure(measurement, site, folder, cache, output);
      figures.push(result[key] as number);
      console.log(JSON.stringify({ case: each.name, run, ...result }));
    }
    const sorted = figures.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)]!;
    if (measurement === bare) bareMs = median;
    const ratio =
      unit === exporting.unit && bareMs !== undefined ? `, ${(median / bareMs).toFixed(2)} of plain-bare` : "";
    console.error(
      `${each.name}: median ${median} ${unit}${ratio}, ${sorted[0]} to ${sorted.at(-1)}, ${each.runs} runs`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
