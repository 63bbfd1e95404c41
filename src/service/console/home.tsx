import { stat, statfs } from "node:fs/promises";
import type { JsxChild, JsxNode } from "../../lib/jsx/jsx-runtime.js";
import { engineVersion } from "../../lib/package-root.js";
import { type ApiKey, includesRole, type WorkerState } from "../jobs/index.js";
import * as ui from "./components/index.js";
import { callsPath, FirstCalls, firstCalls } from "./first-calls.js";
import { counted, dayMs, formatBytes, formatCount, formatDuration } from "./format.js";
import { JobTable, noJobs } from "./jobs/job-list.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleDeps } from "./route.js";

const recentJobs = 8;

/** Shows whether the service is healthy, and what it is doing. */
export async function showHome(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization, organizationId, role } = context;
  const { jobs, accounts } = context.store;
  const now = deps.now();
  const [calls, counts, workers, recent, sites, disk, isSecretOpen, keys] = await Promise.all([
    includesRole(role, "editor") ? firstCalls(context) : undefined,
    jobs.countsOf(organizationId, new Date(now - dayMs)),
    jobs.workers(),
    jobs.list(organizationId, { limit: recentJobs }),
    accounts.projects(organizationId),
    diskOf(deps),
    isLinkSecretOpen(deps),
    includesRole(role, "owner") ? accounts.keys(organizationId) : [],
  ]);
  const alive = workers.filter(({ isAlive }) => isAlive).length;
  return {
    title: "Overview",
    page: [
      <ui.PageHead title="Overview" lead={`${organization.organizationName}, ${counted(sites.length, "site")}`} />,
      alive === 0 && (
        <ui.Notice kind="warning">
          No worker is alive{counts.queued > 0 && `, and ${counted(counts.queued, "job")} wait for one`}. Start one:{" "}
          <code>offprint worker</code>
        </ui.Notice>
      ),
      warnings(disk, isSecretOpen, endingKey(keys, now)),
      <div class="tiles">
        <Tile
          title="Queued"
          value={counts.queued}
          note={counts.queued > 0 ? `oldest waits ${formatDuration(counts.oldestQueuedMs)}` : "nothing waits"}
        />
        <Tile title="Running" value={counts.running} note={`${counted(alive, "worker")} alive`} />
        <Tile title="Completed" value={counts.completed} note="in 24 hours" />
        <Tile title="Failed" value={counts.failed} note="in 24 hours" isBad={counts.failed > 0} />
      </div>,
      recent.jobs.length > 0 ? (
        <ui.Section title="Latest jobs" actions={<a href="/console/jobs">All jobs</a>}>
          <JobTable jobs={recent.jobs} now={now} />
        </ui.Section>
      ) : (
        noJobs(context, sites)
      ),
      calls && sites[0] && (
        <div class="page" data-follow={calls.downloaded ? undefined : callsPath}>
          <div class="page" data-part="calls">
            <FirstCalls deps={deps} domain={sites[0].domain} done={calls} />
            {calls.downloaded && <ui.Notice kind="good">All three requests succeeded.</ui.Notice>}
            {includesRole(role, "owner") && (
              <p>
                <code>$OFFPRINT_KEY</code> is an admin key: <a href="/console/keys/new">create one</a>, and copy the
                calls with the key in them from there.
              </p>
            )}
          </div>
        </div>
      ),
      workersSection(workers),
      systemSection(deps, disk),
    ],
  };
}

interface TileProps {
  /** A status of jobs. */
  readonly title: string;
  readonly value: number;
  readonly note: string;
  readonly isBad?: boolean;
}

/** The number of jobs with a status, as a link to them. */
const Tile = ({ title, value, note, isBad }: TileProps): JsxNode => (
  <a class={isBad ? "tile tile-bad" : "tile"} href={`/console/jobs?status=${title.toLowerCase()}`}>
    <span class="tile-title">{title}</span>
    <span class="tile-value">{formatCount(value)}</span>
    <span class="tile-note">{note}</span>
  </a>
);

const minFreeBytes = 1e9;
const soonMs = 14 * dayMs;

/** What the operator should repair before something fails. */
const warnings = (disk: Disk | undefined, isSecretOpen: boolean, lastKey: ApiKey | undefined): JsxChild => [
  disk && disk.free < minFreeBytes && (
    <ui.Notice kind="warning">
      The disk is nearly full: {formatBytes(disk.free)} are free. Exports fail without space.
    </ui.Notice>
  ),
  isSecretOpen && (
    <ui.Notice kind="warning">
      Other users of the machine can read the secret that signs download links. In the data folder, run:{" "}
      <code>chmod 600 link-secret</code>
    </ui.Notice>
  ),
  lastKey && (
    <ui.Notice kind="warning">
      The last valid admin key, <a href={`/console/keys/${lastKey.keyId}`}>{lastKey.name}</a>, expires{" "}
      <ui.Time at={lastKey.expiresAt} exact />. Rotate it, or create a second one.
    </ui.Notice>
  ),
];

/** The last valid admin key, if it expires soon. */
function endingKey(keys: readonly ApiKey[], now: number): ApiKey | undefined {
  const endOf = ({ expiresAt }: ApiKey): number => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const valid = keys.filter((key) => key.kind === "admin" && !key.revokedAt && endOf(key) > now);
  const last = valid.toSorted((a, b) => endOf(b) - endOf(a))[0];
  return last && endOf(last) < now + soonMs ? last : undefined;
}

/** Whether other users of the machine may read the secret of the links, as after a careless restore. */
async function isLinkSecretOpen({ system }: ConsoleDeps): Promise<boolean> {
  if (system?.linkSecretFile === undefined || process.platform === "win32") return false;
  return stat(system.linkSecretFile).then(
    ({ mode }) => (mode & 0o077) !== 0,
    () => false,
  );
}

/** In bytes. */
interface Disk {
  readonly free: number;
  readonly size: number;
}

/** The disk with the data; undefined if there is no such disk, or it cannot be read. */
async function diskOf({ system }: ConsoleDeps): Promise<Disk | undefined> {
  if (system?.dataFolder === undefined) return undefined;
  try {
    const { bavail, blocks, bsize } = await statfs(system.dataFolder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return undefined;
  }
}

const workersSection = (workers: readonly WorkerState[]): JsxNode => (
  <ui.Section title="Workers">
    {workers.length === 0 ? (
      <p class="faint">
        No worker has started. Start one: <code>offprint worker</code>
      </p>
    ) : (
      <ui.Table
        label="Workers"
        rows={workers}
        columns={[
          { title: "Worker", kind: "wide", of: ({ workerId }) => <code>{workerId}</code> },
          {
            title: "State",
            of: ({ isAlive }) =>
              isAlive ? <ui.Badge kind="good">Alive</ui.Badge> : <ui.Badge kind="bad">Silent</ui.Badge>,
          },
          { title: "Runs", kind: "number", of: ({ jobs }) => counted(jobs, "job") },
          { title: "Last heartbeat", kind: "number", of: ({ seenAt }) => <ui.Time at={seenAt} /> },
        ]}
      />
    )}
  </ui.Section>
);

const systemSection = ({ system }: ConsoleDeps, disk: Disk | undefined): JsxNode => (
  <ui.Section title="System">
    <ui.Facts
      facts={[
        ["Offprint", engineVersion()],
        ["Node.js", process.version.slice(1)],
        system !== undefined && ["Database", system.database],
        system !== undefined && ["Bundles", system.bundles],
        disk !== undefined && ["Disk", `${formatBytes(disk.free)} of ${formatBytes(disk.size)} free`],
      ]}
    />
  </ui.Section>
);
