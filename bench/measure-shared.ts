// What does an export cost on a machine that has never seen the site, if another one has stored its pages in a bucket?
// Prints the processor and wall time of each export as a percentage of one without a cache, as one JSON line.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { bundleModule } from "../test/support/bundle-module.ts";
import { startSwift } from "../test/support/swift.ts";

const [site, output] = process.argv.slice(2);
if (site === undefined || output === undefined) throw new Error("usage: measure-shared.ts <site> <output>");
const script = bundleModule(fileURLToPath(new URL("./measure-export.ts", import.meta.url)));
const remote = bundleModule(fileURLToPath(new URL("./open-remote.ts", import.meta.url)));
const { stop, ...server } = await startSwift();
const bucket = { ...server, bucket: "cache" };
const client = new S3Client({ ...server, forcePathStyle: true });
await client.send(new CreateBucketCommand({ Bucket: bucket.bucket }));
const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((path) => /\.mdx?$/.test(path));
const page = join(site, pages.toSorted()[Math.floor(pages.length / 2)]!);

async function exportOn(machine: string | undefined) {
  const shared =
    machine === undefined ? [] : [`${output}-${machine}`, "--bucket", JSON.stringify(bucket), "--remote", remote];
  const child = spawn(process.execPath, [script, site!, output!, ...shared], { stdio: ["ignore", "pipe", "inherit"] });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (code !== 0) throw new Error("An export failed.");
  // Each machine has an output of its own.
  rmSync(output!, { recursive: true });
  const { pages: count, cpuMsPerPage, seconds, pagesMade } = JSON.parse(printed) as Record<string, number>;
  return { cpuMs: count! * cpuMsPerPage!, seconds: seconds!, made: pagesMade! };
}

const cold = await exportOn(undefined);
const first = await exportOn("first");
const objects = (await client.send(new ListObjectsV2Command({ Bucket: bucket.bucket }))).Contents ?? [];
const same = await exportOn("second");
writeFileSync(page, `${readFileSync(page, "utf8")}\nOne more sentence.\n`);
const changed = await exportOn("third");
const known = await exportOn("first");
const coldAgain = await exportOn(undefined);
for (const machine of ["first", "second", "third"]) rmSync(`${output}-${machine}`, { recursive: true });
await stop();

const base = { cpuMs: (cold.cpuMs + coldAgain.cpuMs) / 2, seconds: (cold.seconds + coldAgain.seconds) / 2 };
const compared = ({ cpuMs, seconds, made }: typeof cold) => ({
  cpuPercent: Number(((100 * cpuMs) / base.cpuMs).toFixed(1)),
  wallPercent: Number(((100 * seconds) / base.seconds).toFixed(1)),
  made,
});
console.log(
  JSON.stringify({
    pages: pages.length,
    coldCpuMs: Math.round(base.cpuMs),
    coldSeconds: Number(base.seconds.toFixed(1)),
    objects: objects.length,
    megabytes: Number((objects.reduce((sum, { Size = 0 }) => sum + Size, 0) / 1e6).toFixed(1)),
    first: compared(first),
    same: compared(same),
    changed: compared(changed),
    changedPercent: compared(changed).cpuPercent,
    known: compared(known),
  }),
);
