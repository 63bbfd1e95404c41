import { Badge, EmptyState, PageHead, Pager, RowText, Table, Time } from "../components/index.js";
import { dayMs } from "../format.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";

const perPage = 50;

/** Who did what when. */
export async function showLog({ store, organizationId, query }: ConsoleContext): Promise<ConsoleAnswer> {
  const cursor = query.get("after") ?? undefined;
  const { entries, next } = await store.people.auditLog(organizationId, { limit: perPage, cursor });
  return {
    title: "Audit log",
    page: [
      <PageHead title="Audit log" lead={`Who did what, for ${store.people.auditRetentionMs / dayMs} days.`} />,
      entries.length === 0 ? (
        <EmptyState icon="log" title="Nothing here">
          Changes to people, keys, sites and jobs appear here.
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
              of: ({ subject, detail }) => <RowText below={detail !== subject && detail}>{subject}</RowText>,
            },
          ]}
        />
      ),
      <Pager path="/console/log" query={query} next={next} />,
    ],
  };
}
