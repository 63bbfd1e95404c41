import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { LogLine } from "../../jobs/index.js";
import { Section, Time } from "./page-parts.js";
import { Table } from "./table.js";

interface EventTableProps {
  readonly title: string;
  readonly events: readonly Pick<LogLine, "time" | "level" | "message">[];
}

/** What has happened in a job. */
export const EventTable = ({ title, events }: EventTableProps): JsxNode => (
  <Section title={title}>
    {events.length === 0 ? (
      <p class="faint">Nothing yet. A worker writes here once it takes the job.</p>
    ) : (
      <Table
        label={title}
        rows={events}
        columns={[
          { title: "Time", of: ({ time }) => <Time at={time} exact /> },
          {
            title: "What happened",
            kind: "wide",
            of: ({ level, message }) => <span class={`log-${level}`}>{message}</span>,
          },
        ]}
      />
    )}
  </Section>
);
