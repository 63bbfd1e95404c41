// Does the assistant find what readers ask for, and how long do 200 of them wait for the first words of an answer? Starts
// the service with one real site and without a language model, exports the site, asks the judged questions of
// test/service/assistant/questions, and prints one JSON line. Misses are printed on stderr.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { JudgedQuestion } from "../test/service/assistant/questions.ts";
import { askAtOnce } from "./ask-at-once.ts";

const [source, output] = process.argv.slice(2);
if (source === undefined || output === undefined) throw new Error("usage: measure-assistant.ts <site> <data folder>");
mkdirSync(output);
const site = basename(source);
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../test/service/assistant/questions/${name}.json`, import.meta.url), "utf8"));
const judged = read(site) as readonly JudgedQuestion[];
const foreign = read("foreign") as readonly string[];

const atOnce = 200;
const rounds = 5;
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const env = {
  ...process.env,
  OFFPRINT_ASSISTANT_STREAMS: "100000",
  OFFPRINT_ASSISTANT_PER_HOUR: "1000000",
  OFFPRINT_ASSISTANT_ADDRESS_PER_DAY: "1000000",
};
const service = spawn(
  process.execPath,
  // As in the image.
  ["--min-semi-space-size=16", cli, "service", "--port", "0", "--data", output, "--site", `docs.example.com=${source}`],
  {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  },
);
let stdout = "";
service.stdout.setEncoding("utf8").on("data", (text: string) => {
  stdout += text;
});
try {
  while (!/OFFPRINT_KEY=\S+\n/.test(stdout)) await once(service.stdout, "data");
  const url = /listens on (\S+)/.exec(stdout)![1]!;
  await exportSite(url, /OFFPRINT_KEY=(\S+)/.exec(stdout)![1]!);
  const key = await assistantKey();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

  /** The pages of the search, and whether there is an answer. */
  const ask = async (question: string) => {
    const body = JSON.stringify({ fp: "anonymous", messages: [{ role: "user", content: question }] });
    const response = await fetch(`${url}/discovery/v2/assistant/docs/message`, { method: "POST", headers, body });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    const text = await response.text();
    const events = text
      .split("\n\n")
      .flatMap((each) => (each.startsWith("data: {") ? [JSON.parse(each.slice(6))] : []));
    const found = events.find(({ type }) => type === "tool-output-available").output as { readonly path: string }[];
    return {
      pages: found.map(({ path }) => path.replace(/#.*$/, "")),
      isAnswer: events.some(({ type }) => type === "source-url"),
    };
  };

  let hits = 0;
  let first = 0;
  const refused = { own: 0, foreign: 0 };
  for (const { question, pages } of judged) {
    const { pages: found, isAnswer } = await ask(question);
    const at = found.findIndex((page) => pages.includes(page));
    if (at >= 0) hits++;
    else console.error(`${site} "${question}": ${found.join(" ")}; not ${pages[0]}`);
    if (at === 0) first++;
    if (!isAnswer) refused.own++;
  }
  for (const question of foreign) if (!(await ask(question)).isAnswer) refused.foreign++;

  const questions = judged.map(({ question }) => question);
  const firstTokenMs = await askAtOnce({ url, key, pid: service.pid!, questions, atOnce, rounds });
  const share = (count: number, of: number): number => Number((count / of).toFixed(3));
  console.log(
    JSON.stringify({
      site,
      questions: judged.length,
      hitAt5: share(hits, judged.length),
      hitAt1: share(first, judged.length),
      refusedOwn: share(refused.own, judged.length),
      refusedForeign: share(refused.foreign, foreign.length),
      atOnce,
      firstTokenMs,
    }),
  );
} finally {
  service.kill("SIGTERM");
}

async function exportSite(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const jobs = `${url}/v1/static-export/jobs`;
  const body = JSON.stringify({ domain: "docs.example.com" });
  const { jobId } = (await (await fetch(jobs, { method: "POST", headers, body })).json()) as { jobId: string };
  for (;;) {
    const job = (await (await fetch(`${jobs}/${jobId}?wait=30`, { headers })).json()) as { status: string };
    if (job.status === "completed") return;
    if (job.status === "failed") throw new Error(JSON.stringify(job));
  }
}

async function assistantKey(): Promise<string> {
  const created = spawn(process.execPath, [cli, "key", "create", "--kind", "assistant", "--data", output!], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let key = "";
  created.stdout.setEncoding("utf8").on("data", (text: string) => {
    key += text;
  });
  await once(created, "close");
  return key.trim();
}
