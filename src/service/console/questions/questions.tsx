import { csvOf } from "../../../lib/csv.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { erase } from "../../erase.js";
import type { Project, StoredTurn, ThreadListPage, ThreadSummary } from "../../jobs/index.js";
import * as ui from "../components/index.js";
import { counted, dayMs } from "../format.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";

const pageSize = 25;
/** The most conversations in a file. */
const maxExported = 5_000;

const path = "/console/questions";
const choices = [
  [undefined, "All"],
  ["unanswered", "Unanswered"],
  ["unhelpful", "Not helpful"],
] as const;

async function readFilters({ store, organizationId, query }: ConsoleContext) {
  const projects = await store.accounts.projects(organizationId);
  const project = projects.find(({ domain }) => domain === query.get("site"));
  const only = choices.find(([value]) => value !== undefined && value === query.get("show"))?.[0];
  return { projects, project, page: { projectId: project?.projectId, only, after: query.get("after") ?? undefined } };
}

/** Lists what readers asked the assistant. */
export async function listQuestions(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId, query } = context;
  const { retentionMs } = store.threads;
  const { projects, project, page } = await readFilters(context);
  const { only } = page;
  const listed = await store.threads.list(organizationId, { ...page, limit: pageSize + 1 });
  const threads = listed.slice(0, pageSize);
  const next = listed.length > pageSize ? threads.at(-1)!.position : undefined;
  return {
    title: "Questions",
    page: [
      <ui.PageHead
        title="Questions"
        lead={`What readers asked the assistant; unanswered questions first. Stored for ${counted(retentionMs / dayMs, "day")}.`}
      >
        <ui.LinkButton href={ui.listAddress(`${path}/csv`, query, {})} label="Download CSV" />
      </ui.PageHead>,
      <div class="filters">
        <ui.Segments
          label="Conversations"
          choices={choices.map(([value, text]) => [text, ui.listAddress(path, query, { show: value }), value === only])}
        />
        <ui.SiteFilter
          path={path}
          domains={projects.map(({ domain }) => domain)}
          chosen={project?.domain}
          filter={["show", only]}
        />
      </div>,
      threads.length === 0 ? (
        noQuestions(only, retentionMs > 0, (project ?? projects[0])?.domain)
      ) : (
        <ui.Table label="Conversations" columns={columns} rows={threads} />
      ),
      <ui.Pager path={path} query={query} next={next} />,
    ],
  };
}

function noQuestions(only: ThreadListPage["only"], isStored: boolean, domain = "docs.example.com"): JsxNode {
  if (!isStored)
    return (
      <ui.EmptyState
        icon="questions"
        title="Conversations are not stored"
        command="OFFPRINT_ASSISTANT_RETENTION_DAYS=90"
      >
        The service is set to forget them. This setting keeps them for a while:
      </ui.EmptyState>
    );
  if (only)
    return (
      <ui.EmptyState icon="check" title={only === "unanswered" ? "Every question has an answer" : "No complaints"}>
        {only === "unanswered"
          ? "The documentation had something on each of them."
          : "No reader said that an answer did not help."}
      </ui.EmptyState>
    );
  return (
    <ui.EmptyState icon="questions" title="No questions yet" command={`offprint ask ${domain} "How do I begin?"`}>
      Readers ask on the pages of a site; you can ask in a terminal:
    </ui.EmptyState>
  );
}

const columns: readonly ui.Column<ThreadSummary>[] = [
  {
    title: "Question",
    kind: "wide",
    of: ({ threadId, question, domain }) => (
      <ui.RowText href={`${path}/${threadId}`} class="row-link row-text" below={domain}>
        {question.slice(0, 300) || "(empty)"}
      </ui.RowText>
    ),
  },
  {
    title: "State",
    of: ({ isUnanswered }) => (
      <ui.Badge kind={isUnanswered ? "warning" : "good"}>{isUnanswered ? "Unanswered" : "Answered"}</ui.Badge>
    ),
  },
  {
    title: "Rated",
    of: ({ helpfulCount, unhelpfulCount }) =>
      helpfulCount + unhelpfulCount === 0 ? <span class="faint">no</span> : ratedText(helpfulCount, unhelpfulCount),
  },
  { title: "Turns", kind: "number", of: ({ turnCount }) => turnCount },
  { title: "Last", of: ({ updatedAt }) => <ui.Time at={updatedAt} /> },
];

const ratedText = (helpful: number, unhelpful: number): string =>
  [helpful > 0 && `${helpful} helpful`, unhelpful > 0 && `${unhelpful} not helpful`].filter(Boolean).join(", ");

export async function exportQuestions(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId, audit } = context;
  const { page } = await readFilters(context);
  const threads = await store.threads.list(organizationId, { ...page, limit: maxExported });
  const titles = ["site", "thread", "asked", "question", "answer", "outcome", "sources", "helpful", "comment"];
  const rows: string[][] = [];
  for (const { threadId, domain } of threads)
    for (const turn of await store.threads.turns(threadId)) rows.push([domain, threadId, ...turnCells(turn)]);
  await audit("questions.export", page.projectId ?? "all", `${threads.length} threads`);
  return { file: csvOf(titles, rows), type: "text/csv; charset=utf-8", name: "questions.csv" };
}

const turnCells = ({ askedAt, question, answer, outcome, sources, rating }: StoredTurn): string[] => [
  new Date(askedAt).toISOString(),
  question,
  answer,
  outcome,
  sources.map(({ url }) => url).join(" "),
  rating ? (rating.helpful ? "yes" : "no") : "",
  rating?.comment ?? "",
];

interface OwnThread {
  readonly threadId: string;
  readonly project: Project;
}

/** A handler for the conversation of the address. */
export const forThread = forObject(async ({ store, organizationId, params }): Promise<OwnThread | undefined> => {
  const threadId = params["thread"]!;
  const [thread, projects] = await Promise.all([store.threads.find(threadId), store.accounts.projects(organizationId)]);
  const project = thread && projects.find(({ projectId }) => projectId === thread.projectId);
  return project && { threadId, project };
});

/** One conversation. Answers are shown as plain text, since a model or a page wrote them. */
export async function showThread(context: ConsoleContext, { threadId, project }: OwnThread): Promise<ConsoleAnswer> {
  const turns = await context.store.threads.turns(threadId);
  const threadPath = `${path}/${threadId}`;
  return {
    title: turns[0]?.question.slice(0, 60) || "Conversation",
    page: [
      <ui.PageHead title="Conversation" back={["Questions", path]} lead={project.domain}>
        <ui.LinkButton href={`${threadPath}/json`} label="Download" />
        <ui.Action action={`${threadPath}/delete`} context={context} kind="danger" label="Delete" />
      </ui.PageHead>,
      <ol class="turns">
        {turns.map((turn) => (
          <Turn turn={turn} project={project} />
        ))}
      </ol>,
    ],
  };
}

const outcomes = {
  answered: ["good", "Answered"],
  unsure: ["wait", "Sections that may help"],
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
          <ui.Time at={new Date(askedAt)} /> <span>{callers[caller]}</span>
        </p>
      </div>
      <div class="turn-answer">
        <p class="turn-text">{answer || "There was no answer."}</p>
        {sources.length > 0 && (
          <ul class="turn-sources" aria-label="Sources">
            {sources.map((source) => (
              <li>{sourceLink(source, project.domain)}</li>
            ))}
          </ul>
        )}
        <p class="turn-meta">
          <ui.Badge kind={kind}>{text}</ui.Badge>
          {rating && (
            <ui.Badge kind={rating.helpful ? "good" : "bad"}>{rating.helpful ? "Helpful" : "Not helpful"}</ui.Badge>
          )}
        </p>
        {rating?.comment && (
          <blockquote class="turn-comment">
            <ui.Icon name="questions" />
            <span>{rating.comment}</span>
          </blockquote>
        )}
      </div>
    </li>
  );
}

/** A link, if the address is one of http or https. */
function sourceLink({ url, title }: StoredTurn["sources"][number], domain: string): JsxNode {
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

export async function exportThread({ store, audit }: ConsoleContext, thread: OwnThread): Promise<ConsoleAnswer> {
  const { threadId, project } = thread;
  const turns = await store.threads.turns(threadId);
  await audit("questions.export", threadId, project.domain);
  return {
    file: `${JSON.stringify({ threadId, domain: project.domain, turns }, undefined, 2)}\n`,
    type: "application/json",
    name: `${threadId}.json`,
  };
}

export async function deleteThread(context: ConsoleContext, { threadId }: OwnThread): Promise<ConsoleAnswer> {
  const { store, organizationId, by } = context;
  await erase(store, { kind: "thread", organizationId, threadId }, by);
  return { redirect: "/console/questions", notice: "The conversation is deleted." };
}
