import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Project, StoredTurn, ThreadListPage, ThreadSummary } from "../../jobs/index.js";
import { Action, Badge, type Column, EmptyState, Icon, PageHead, Pager, Table, Time } from "../components/index.js";
import { counted } from "../format.js";

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

interface ThreadPageProps {
  readonly threadId: string;
  readonly project: Project;
  readonly turns: readonly StoredTurn[];
  readonly csrf: string;
}

/** One conversation. Answers are shown as they were written, as text: a model or a page wrote them. */
export function ThreadPage({ threadId, project, turns, csrf }: ThreadPageProps): JsxNode {
  const path = `/console/questions/${threadId}`;
  return (
    <>
      <PageHead title="Conversation" back={["Questions", "/console/questions"]} lead={project.domain}>
        <a class="button button-plain" href={`${path}/json`}>
          Download
        </a>
        <Action action={`${path}/delete`} csrf={csrf} kind="danger">
          Delete
        </Action>
      </PageHead>
      <ol class="turns">
        {turns.map((turn) => (
          <Turn turn={turn} project={project} />
        ))}
      </ol>
    </>
  );
}

const outcomes = {
  answered: ["good", "Answered"],
  unanswered: ["warning", "Unanswered"],
  stopped: ["wait", "The reader left"],
  failed: ["bad", "Failed"],
} as const;

const callers = { web: "on a page", api: "by the API", other: "elsewhere" } as const;

function Turn({ turn, project }: { readonly turn: StoredTurn; readonly project: Project }): JsxNode {
  const { question, answer, askedAt, outcome, sources, rating, caller } = turn;
  const [kind, text] = outcomes[outcome];
  return (
    <li class="turn">
      <div class="turn-question">
        <p class="turn-text">{question}</p>
        <p class="turn-meta">
          <Time at={new Date(askedAt)} /> <span>{callers[caller]}</span>
        </p>
      </div>
      <div class="turn-answer">
        <p class="turn-text">{answer || "There was no answer."}</p>
        {sources.length > 0 && (
          <ul class="turn-sources" aria-label="Sources">
            {sources.map((source) => (
              <li>
                <Source {...source} domain={project.domain} />
              </li>
            ))}
          </ul>
        )}
        <p class="turn-meta">
          <Badge kind={kind}>{text}</Badge>
          {rating && <Badge kind={rating.helpful ? "good" : "bad"}>{rating.helpful ? "Helpful" : "Not helpful"}</Badge>}
        </p>
        {rating?.comment && (
          <blockquote class="turn-comment">
            <Icon name="questions" />
            <span>{rating.comment}</span>
          </blockquote>
        )}
      </div>
    </li>
  );
}

/** A link, if it leads to a page of the web. */
function Source({
  url,
  title,
  domain,
}: {
  readonly url: string;
  readonly title: string;
  readonly domain: string;
}): JsxNode {
  const base = `https://${domain}`;
  const target = URL.canParse(url, base) ? new URL(url, base) : undefined;
  const text = title || url;
  if (!target || !/^https?:$/.test(target.protocol)) return <span>{text}</span>;
  return (
    <a href={target.href} rel="noreferrer noopener" target="_blank">
      {text}
    </a>
  );
}
