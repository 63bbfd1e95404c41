import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { includesRole } from "../../jobs/index.js";
import { counted, formatCount, formatDuration } from "../format.js";
import { JobTable } from "../jobs/list.js";
import { NoJobs } from "../jobs/no-jobs.js";
import { Notice, PageHead, Section } from "../parts/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { diskOf, System, Workers } from "./system.js";
import { isLinkSecretOpen, Warnings } from "./warnings.js";

const dayMs = 24 * 60 * 60_000;
const recentJobs = 8;

/** Whether the service is well, and what it is doing. */
export async function showHome({ deps, organization, role }: ConsoleContext): Promise<ConsoleAnswer> {
  const { jobs, accounts } = deps.store;
  const { organizationId } = organization;
  const now = deps.now();
  const [counts, workers, recent, sites, disk, isOpen, keys] = await Promise.all([
    jobs.countsOf(organizationId, new Date(now - dayMs)),
    jobs.workers(),
    jobs.list(organizationId, { limit: recentJobs }),
    accounts.projects(organizationId),
    diskOf(deps),
    isLinkSecretOpen(deps),
    includesRole(role, "owner") ? accounts.keys(organizationId) : [],
  ]);
  const isWorking = workers.some(({ isAlive }) => isAlive);
  return {
    title: "Overview",
    page: [
      <PageHead title="Overview" lead={`${organization.organizationName}, ${counted(sites.length, "site")}`} />,
      !isWorking && (
        <Notice kind="warning">
          No worker is alive{counts.queued > 0 && `, and ${counted(counts.queued, "job")} wait for one`}. Start one:{" "}
          <code>offprint worker</code>
        </Notice>
      ),
      <Warnings disk={disk} isLinkSecretOpen={isOpen} keys={keys} now={now} />,
      <div class="tiles">
        <Tile
          title="Queued"
          value={counts.queued}
          note={counts.queued > 0 ? `oldest waits ${formatDuration(counts.oldestQueuedMs)}` : "nothing waits"}
          href="/console/jobs?status=queued"
        />
        <Tile
          title="Running"
          value={counts.running}
          note={`${counted(workers.filter(({ isAlive }) => isAlive).length, "worker")} alive`}
          href="/console/jobs?status=running"
        />
        <Tile title="Completed" value={counts.completed} note="in 24 hours" href="/console/jobs?status=completed" />
        <Tile
          title="Failed"
          value={counts.failed}
          note="in 24 hours"
          href="/console/jobs?status=failed"
          isBad={counts.failed > 0}
        />
      </div>,
      recent.jobs.length > 0 ? (
        <Section title="Latest jobs" actions={<a href="/console/jobs">All jobs</a>}>
          <JobTable jobs={recent.jobs} now={now} />
        </Section>
      ) : (
        <NoJobs deps={deps} sites={sites} role={role} />
      ),
      <Workers workers={workers} />,
      <System deps={deps} disk={disk} />,
    ],
  };
}

interface TileProps {
  readonly title: string;
  readonly value: number;
  readonly note: JsxChild;
  readonly href: string;
  readonly isBad?: boolean;
}

const Tile = ({ title, value, note, href, isBad }: TileProps): JsxNode => (
  <a class={isBad ? "tile tile-bad" : "tile"} href={href}>
    <span class="tile-title">{title}</span>
    <span class="tile-value">{formatCount(value)}</span>
    <span class="tile-note">{note}</span>
  </a>
);
