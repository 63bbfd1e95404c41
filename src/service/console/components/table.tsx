import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { LogLine } from "../../jobs/index.js";
import { Button, LinkButton, Options } from "./form.js";
import { Icon, Section, Time } from "./page.js";

export interface Column<Row> {
  readonly title: string;
  /** The cell. */
  readonly of: (row: Row) => JsxChild;
  /** `number`: at the end of the line; `wide`: takes the space that is left; `action`: without a visible title. */
  readonly kind?: "number" | "wide" | "action";
}

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
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

type QueryChanges = Readonly<Record<string, string | undefined>>;

/** The address of the first page of a list with other filters; `undefined` removes a filter. */
export function listAddress(path: string, query: URLSearchParams, changes: QueryChanges): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ after: undefined, ...changes }))
    if (value === undefined) changed.delete(name);
    else changed.set(name, value);
  return changed.size === 0 ? path : `${path}?${changed}`;
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
  return (
    <nav class="pager" aria-label="Pages of the list">
      {!isFirst && <LinkButton href={listAddress(path, query, {})} icon="previous" label={first} />}
      {next !== undefined && (
        <a class="button button-plain pager-next" href={listAddress(path, query, { after: next })}>
          {more} <Icon name="next" />
        </a>
      )}
    </nav>
  );
}

interface SegmentsProps {
  readonly label: string;
  /** `isCurrent` marks the choice of this page. */
  readonly choices: readonly (readonly [text: string, href: string, isCurrent: boolean])[];
}

/** A row of links, one of which is current. */
export const Segments = ({ label, choices }: SegmentsProps): JsxNode => (
  <nav class="segments" aria-label={label}>
    {choices.map(([text, href, isCurrent]) => (
      <a href={href} aria-current={isCurrent ? "page" : undefined}>
        {text}
      </a>
    ))}
  </nav>
);

interface SiteFilterProps {
  readonly path: string;
  readonly domains: readonly string[];
  readonly chosen: string | undefined;
  /** The other filter of the list, which is kept. */
  readonly filter: readonly [name: string, value: string | undefined];
}

/** A menu that limits a list to one site; nothing if there is only one. */
export const SiteFilter = ({ path, domains, chosen, filter: [name, value] }: SiteFilterProps): JsxNode | null =>
  domains.length < 2 ? null : (
    <form class="filter" method="get" action={path}>
      {value !== undefined && <input type="hidden" name={name} value={value} />}
      <select name="site" aria-label="Site" data-submit="">
        <option value="">All sites</option>
        <Options options={domains.map((domain) => [domain, domain])} chosen={chosen} />
      </select>
      <Button kind="plain" label="Show" />
    </form>
  );

interface RowTextProps {
  readonly href?: string;
  readonly class?: string;
  readonly below?: JsxChild;
  readonly children: JsxChild;
}

/** The first cell of a row: a link or a text, with a faint line below it. */
export const RowText = ({ href, class: className = "row-link", below, children }: RowTextProps): JsxNode => (
  <span class="stack">
    {href === undefined ? (
      <span>{children}</span>
    ) : (
      <a class={className} href={href}>
        {children}
      </a>
    )}
    {below && <span class="faint">{below}</span>}
  </span>
);

interface EventTableProps {
  readonly title: string;
  readonly events: readonly Pick<LogLine, "time" | "level" | "message">[];
}

/** What has happened in a job. */
export const EventTable = ({ title, events }: EventTableProps): JsxNode => (
  <Section title={title}>
    {events.length === 0 ? (
      <p class="faint">Nothing yet. Entries appear when a worker takes the job.</p>
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
  /** `false` leaves a fact out. */
  readonly facts: readonly (readonly [label: string, value: JsxChild] | false)[];
}

/** Facts about one thing, as labels and values. */
export function Facts({ facts }: FactsProps): JsxNode {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
