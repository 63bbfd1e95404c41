import * as ui from "../components/index.js";
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
      <ui.PageHead title="Audit log" lead={`Who did what, for ${store.people.auditRetentionMs / dayMs} days.`} />,
      entries.length === 0 ? (
        <ui.EmptyState icon="log" title="Nothing here">
          Changes to people, keys, sites and jobs appear here.
        </ui.EmptyState>
      ) : (
        <ui.Table
          label="Audit log"
          rows={entries}
          columns={[
            { title: "Time", of: ({ at }) => <ui.Time at={at} exact /> },
            { title: "Who", of: ({ actor }) => actor || <span class="faint">the service</span> },
            { title: "What", of: ({ action }) => <ui.Badge>{action}</ui.Badge> },
            {
              title: "To",
              kind: "wide",
              of: ({ subject, detail }) => <ui.RowText below={detail !== subject && detail}>{subject}</ui.RowText>,
            },
          ]}
        />
      ),
      <ui.Pager path="/console/log" query={query} next={next} />,
    ],
  };
}
