import { statfs } from "node:fs/promises";
import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { engineVersion } from "../../../lib/package-root.js";
import type { WorkerState } from "../../jobs/index.js";
import { counted, formatBytes } from "../format.js";
import { Badge, Facts, Section, Table, Time } from "../parts/index.js";
import type { ConsoleDeps } from "../route.js";

/** Free bytes of the disk with the data; undefined: there is none, or it does not answer. */
export async function diskOf({
  system,
}: ConsoleDeps): Promise<{ readonly free: number; readonly size: number } | undefined> {
  if (system?.dataFolder === undefined) return undefined;
  try {
    const { bavail, blocks, bsize } = await statfs(system.dataFolder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return undefined;
  }
}

export const Workers = ({ workers }: { readonly workers: readonly WorkerState[] }): JsxNode => (
  <Section title="Workers">
    {workers.length === 0 ? (
      <p class="faint">
        No worker has started. Start one: <code>offprint worker</code>
      </p>
    ) : (
      <Table
        label="Workers"
        rows={workers}
        columns={[
          { title: "Worker", kind: "wide", of: ({ workerId }) => <code>{workerId}</code> },
          {
            title: "State",
            of: ({ isAlive }) => (isAlive ? <Badge kind="good">Alive</Badge> : <Badge kind="bad">Silent</Badge>),
          },
          { title: "Runs", kind: "number", of: ({ jobs }) => counted(jobs, "job") },
          { title: "Last heartbeat", kind: "number", of: ({ seenAt }) => <Time at={seenAt} /> },
        ]}
      />
    )}
  </Section>
);

interface SystemProps {
  readonly deps: ConsoleDeps;
  readonly disk: { readonly free: number; readonly size: number } | undefined;
}

/** Versions, and where the data is. */
export function System({ deps: { system }, disk }: SystemProps): JsxNode {
  const facts: readonly (readonly [string, JsxChild])[] = [
    ["Offprint", engineVersion()],
    ["Node.js", process.version.slice(1)],
    ...(system
      ? ([
          ["Database", system.database],
          ["Bundles", system.bundles],
        ] as const)
      : []),
    ...(disk ? ([["Disk", `${formatBytes(disk.free)} of ${formatBytes(disk.size)} free`]] as const) : []),
  ];
  return (
    <Section title="System">
      <Facts facts={facts} />
    </Section>
  );
}
