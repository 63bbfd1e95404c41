// A first export through the API of the service that `npm run service` starts: a job, its progress, its bundle.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const api = `${process.env["OFFPRINT_URL"] ?? "http://127.0.0.1:7070"}/v1/static-export/jobs`;
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const words = [
  "key",
  "create",
  "--name",
  "first export",
  "--expires",
  "7d",
  "--data",
  process.env["OFFPRINT_DATA"] ?? "out/service",
];
const key = execFileSync(process.execPath, [cli, ...words], { encoding: "utf8" }).trim();

let job = await call("", { method: "POST", body: JSON.stringify({ domain: "docs.example.com" }) });
while (job.status === "queued" || job.status === "running") {
  console.log(`${job.status} ${Math.round(job.progress)} %, ${job.pageCount} pages`);
  job = await call(`/${job.jobId}?wait=30`);
}
if (job.status === "failed") throw new Error(`The export failed: ${job.error}`);
const { bundleUrl, sizeBytes, expiresAt } = await call(`/${job.jobId}/bundle`, { method: "POST" });
mkdirSync("out", { recursive: true });
writeFileSync("out/bundle.tar.gz", Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()));
console.log(
  `completed, ${job.pageCount} pages: out/bundle.tar.gz, ${sizeBytes} bytes; its link is good until ${expiresAt}`,
);

async function call(path, init) {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const answer = await fetch(api + path, { ...init, headers }).catch((cause) => {
    throw new Error(`Nothing answers at ${api}: start it with npm run service.`, { cause });
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status}: ${body.error}`);
  return body;
}
