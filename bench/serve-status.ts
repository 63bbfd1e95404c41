// Serves the API over a SQLite file until it is killed. Sends its parent the URL, a key and the jobs to poll.

import { openCredentials, openKeyring } from "../src/service/git/credentials/index.js";
import { createApi, listen } from "../src/service/http/index.js";
import { openSqliteState } from "../src/service/jobs/index.js";
import { openFolderStore } from "../src/service/store/index.js";

export interface ServedForPolls {
  readonly url: string;
  readonly key: string;
  readonly jobIds: readonly string[];
}

const file = process.argv[2]!;
const state = await openSqliteState({ file, rules: { maxQueued: 2000 } });
const { jobs, agents, accounts, people, threads, views, erasures } = state;
const { organizationId } = await accounts.organization("Acme");
const source = { kind: "folder", path: "." } as const;
const { projectId, domain } = await accounts.addProject({
  organizationId,
  domain: "docs.acme.com",
  source,
  deployment: "cloud",
});
const { secret } = await accounts.createKey({
  organizationId,
  kind: "admin",
  name: "bench",
  scopes: ["read"],
  allowedAddresses: [],
});
const jobIds: string[] = [];
for (let index = 0; index < 2000; index += 1) {
  const created = await jobs.create({ organizationId, projectId, domain });
  if ("job" in created) jobIds.push(created.job.jobId);
}
const lease = (await jobs.take("worker-1"))!;
let progress = 0;
setInterval(() => {
  progress = Math.min(99, progress + 1);
  void jobs.heartbeat(lease, { progress, pageCount: progress });
}, 250);

const objects = openFolderStore({ folder: `${file}-objects`, publicUrl: "http://127.0.0.1", secret: Buffer.alloc(32) });
const credentials = openCredentials({
  ...{ store: state.sealedCredentials, accounts, keyring: openKeyring({}) },
  forges: [],
});
const api = createApi({ store: { jobs, agents, accounts, people, threads, views, erasures, credentials, objects } });
const { url } = await listen({ api, port: 0, host: "127.0.0.1" });
const before = process.cpuUsage();
process.on("message", () => {
  const { user, system } = process.cpuUsage(before);
  const peakRssMiB = Math.round(process.resourceUsage().maxRSS / 1024);
  process.send!({ serverCpuMs: Math.round((user + system) / 1000), peakRssMiB });
});
process.send!({ url, key: secret, jobIds } satisfies ServedForPolls);
