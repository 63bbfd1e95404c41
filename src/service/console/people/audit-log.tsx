import { Badge, EmptyState, PageHead, Pager, Table, Time } from "../components/index.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const perPage = 50;
const dayMs = 24 * 60 * 60_000;

/** Who did what when. */
export async function showLog({ deps, organization, query }: ConsoleContext): Promise<ConsoleAnswer> {
  const { entries, next } = await deps.store.people.auditLog(organization.organizationId, {
    limit: perPage,
    cursor: query.get("after") ?? undefined,
  });
  return {
    title: "Audit log",
    page: [
      <PageHead title="Audit log" lead={`Who did what, for ${deps.store.people.auditRetentionMs / dayMs} days.`} />,
      entries.length === 0 ? (
        <EmptyState icon="log" title="Nothing here">
          Changes of people, keys, sites and jobs appear here.
        </EmptyState>
      ) : (
        <Table
          label="Audit log"
          rows={entries}
          columns={[
            { title: "Time", of: ({ at }) => <Time at={at} exact /> },
            { title: "Who", of: ({ actor }) => actor || <span class="faint">the service</span> },
            { title: "What", of: ({ action }) => <Badge>{action}</Badge> },
            {
              title: "To",
              kind: "wide",
              of: ({ subject, detail }) => (
                <span class="stack">
                  <span>{subject}</span>
                  {detail !== "" && detail !== subject && <span class="faint">{detail}</span>}
                </span>
              ),
            },
          ]}
        />
      ),
      <Pager path="/console/log" query={query} next={next} />,
    ],
  };
}
