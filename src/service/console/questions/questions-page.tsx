import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Project, ThreadListPage, ThreadSummary } from "../../jobs/index.js";
import { counted } from "../format.js";
import { Badge, type Column, EmptyState, PageHead, Pager, Table, Time } from "../parts/index.js";

interface QuestionsPageProps {
  readonly threads: readonly ThreadSummary[];
  readonly next?: string;
  readonly projects: readonly Project[];
  /** Undefined: all. */
  readonly project?: Project;
  readonly only: ThreadListPage["only"];
  readonly query: URLSearchParams;
  readonly retentionMs: number;
}

const dayMs = 24 * 60 * 60_000;
const choices = [
  [undefined, "All"],
  ["unanswered", "Unanswered"],
  ["unhelpful", "Not helpful"],
] as const;

export function QuestionsPage(props: QuestionsPageProps): JsxNode {
  const { threads, next, projects, project, only, query, retentionMs } = props;
  const filtered = new URLSearchParams(query);
  filtered.delete("after");
  const kept = retentionMs / dayMs;
  return (
    <>
      <PageHead
        title="Questions"
        lead={`What readers asked the assistant, without an answer first. Kept for ${counted(kept, "day")}.`}
      >
        <a class="button button-plain" href={`/console/questions/csv?${filtered}`}>
          Download CSV
        </a>
      </PageHead>
      <div class="filters">
        <nav class="segments" aria-label="Conversations">
          {choices.map(([value, text]) => (
            <a href={addressOf(project, value)} aria-current={value === only ? "page" : undefined}>
              {text}
            </a>
          ))}
        </nav>
        {projects.length > 1 && <SiteFilter {...props} />}
      </div>
      {threads.length === 0 ? (
        <NoQuestions only={only} isStored={retentionMs > 0} domain={(project ?? projects[0])?.domain} />
      ) : (
        <Table label="Conversations" columns={columns} rows={threads} />
      )}
      <Pager path="/console/questions" query={query} next={next} />
    </>
  );
}

function addressOf(project: Project | undefined, only: ThreadListPage["only"]): string {
  const query = new URLSearchParams();
  if (project) query.set("site", project.domain);
  if (only) query.set("show", only);
  return query.size === 0 ? "/console/questions" : `/console/questions?${query}`;
}

const SiteFilter = ({ projects, project, only }: QuestionsPageProps): JsxNode => (
  <form class="filter" method="get" action="/console/questions">
    {only && <input type="hidden" name="show" value={only} />}
    <select name="site" aria-label="Site" data-submit="">
      <option value="">All sites</option>
      {projects.map((each) => (
        <option value={each.domain} selected={each === project}>
          {each.domain}
        </option>
      ))}
    </select>
    <button class="button button-plain" type="submit">
      Show
    </button>
  </form>
);

interface NoQuestionsProps {
  readonly only: ThreadListPage["only"];
  readonly isStored: boolean;
  readonly domain?: string;
}

function NoQuestions({ only, isStored, domain = "docs.example.com" }: NoQuestionsProps): JsxNode {
  if (!isStored)
    return (
      <EmptyState icon="questions" title="Conversations are not stored" command="OFFPRINT_ASSISTANT_RETENTION_DAYS=90">
        The service is set to forget them. This setting keeps them for a while:
      </EmptyState>
    );
  if (only)
    return (
      <EmptyState icon="check" title={only === "unanswered" ? "Every question has an answer" : "No complaints"}>
        {only === "unanswered"
          ? "The documentation had something on each of them."
          : "No reader said that an answer did not help."}
      </EmptyState>
    );
  return (
    <EmptyState icon="questions" title="No questions yet" command={`offprint ask ${domain} "How do I begin?"`}>
      Readers ask on the pages of a site; you can ask in a terminal:
    </EmptyState>
  );
}

const columns: readonly Column<ThreadSummary>[] = [
  {
    title: "Question",
    kind: "wide",
    of: ({ threadId, question, domain }) => (
      <span class="stack">
        <a class="row-link row-text" href={`/console/questions/${threadId}`}>
          {question.slice(0, 300) || "(empty)"}
        </a>
        <span class="faint">{domain}</span>
      </span>
    ),
  },
  {
    title: "State",
    of: ({ isUnanswered }) => (
      <Badge kind={isUnanswered ? "warning" : "good"}>{isUnanswered ? "Unanswered" : "Answered"}</Badge>
    ),
  },
  {
    title: "Rated",
    of: ({ helpfulCount, unhelpfulCount }) =>
      helpfulCount + unhelpfulCount === 0 ? <span class="faint">no</span> : ratedText(helpfulCount, unhelpfulCount),
  },
  { title: "Turns", kind: "number", of: ({ turnCount }) => turnCount },
  { title: "Last", of: ({ updatedAt }) => <Time at={updatedAt} /> },
];

const ratedText = (helpful: number, unhelpful: number): string =>
  [helpful > 0 && `${helpful} helpful`, unhelpful > 0 && `${unhelpful} not helpful`].filter(Boolean).join(", ");
