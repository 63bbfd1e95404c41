import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { LogLine } from "../../jobs/index.js";
import { Icon, Section, Time } from "./page.js";

export interface Column<Row> {
  readonly title: string;
  /** The cell. */
  readonly of: (row: Row) => JsxChild;
  /** `number`: at the end of the line; `wide`: takes the space that is left; `action`: without a visible title. */
  readonly kind?: "number" | "wide" | "action";
}

interface TableProps<Row> {
  /** What the rows are, for those who do not see them. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Attributes `data-…` of a row. */
  readonly rowData?: (row: Row) => Readonly<Record<`data-${string}`, string>> | undefined;
}

/** A table that becomes a list of cards on a phone. */
export function Table<Row>({ label, columns, rows, rowData }: TableProps<Row>): JsxNode {
  return (
    <div class="table-frame">
      <table class="table" aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th scope="col" class={kind && `cell-${kind}`}>
                {kind === "action" ? <span class="visually-hidden">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr {...rowData?.(row)}>
              {columns.map(({ title, kind, of }) => (
                <td class={kind && `cell-${kind}`} data-title={kind === "action" ? undefined : title}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface PagerProps {
  /** The address of this list, with its filters. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** `next` of the list. */
  readonly next?: string;
  /** The text of the link to the first page. */
  readonly first?: string;
  readonly more?: string;
}

/** Links to the first and the next page of a list. */
export function Pager({ path, query, next, first = "Newest", more = "Older" }: PagerProps): JsxNode | null {
  const isFirst = !query.has("after");
  if (isFirst && next === undefined) return null;
  const link = (after: string | undefined): string => {
    const wanted = new URLSearchParams(query);
    wanted.delete("after");
    if (after !== undefined) wanted.set("after", after);
    return wanted.size === 0 ? path : `${path}?${wanted}`;
  };
  return (
    <nav class="pager" aria-label="Pages of the list">
      {!isFirst && (
        <a class="button button-plain" href={link(undefined)}>
          <Icon name="previous" /> {first}
        </a>
      )}
      {next !== undefined && (
        <a class="button button-plain pager-next" href={link(next)}>
          {more} <Icon name="next" />
        </a>
      )}
    </nav>
  );
}

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

interface FactsProps {
  readonly facts: readonly (readonly [label: string, value: JsxChild])[];
}

/** What is known of one thing, as labels and values. */
export function Facts({ facts }: FactsProps): JsxNode {
  return (
    <dl class="facts">
      {facts.map(([label, value]) => (
        <div>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
