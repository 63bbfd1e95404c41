import { csvOf } from "../../../lib/csv.js";
import { erase } from "../../erase.js";
import type { Project, StoredTurn, ThreadListPage } from "../../jobs/index.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleRoute } from "../route.js";
import { QuestionsPage, ThreadPage } from "./question-pages.js";

/** What readers asked the assistant. Editors alone see it: it holds what readers typed. */
export const questionRoutes: readonly ConsoleRoute[] = [
  { method: "GET", path: "/questions", role: "editor", handle: listQuestions },
  { method: "GET", path: "/questions/csv", role: "editor", handle: exportQuestions },
  { method: "GET", path: "/questions/{thread}", role: "editor", handle: showThread },
  { method: "GET", path: "/questions/{thread}/json", role: "editor", handle: exportThread },
  { method: "POST", path: "/questions/{thread}/delete", role: "editor", handle: deleteThread },
];

const pageSize = 25;
/** Threads in a file; the filters find older ones. */
const maxExported = 5_000;

interface Chosen {
  readonly projects: readonly Project[];
  readonly project?: Project;
  readonly page: Omit<ThreadListPage, "limit">;
}

async function chosenThreads({ deps, organization, query }: ConsoleContext): Promise<Chosen> {
  const projects = await deps.store.accounts.projects(organization.organizationId);
  const project = projects.find(({ domain }) => domain === query.get("site"));
  const show = query.get("show");
  const only = show === "unanswered" || show === "unhelpful" ? show : undefined;
  return { projects, project, page: { projectId: project?.projectId, only, after: query.get("after") ?? undefined } };
}

async function listQuestions(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization, query } = context;
  const { threads } = deps.store;
  const { projects, project, page } = await chosenThreads(context);
  const found = await threads.list(organization.organizationId, { ...page, limit: pageSize + 1 });
  const shown = found.slice(0, pageSize);
  return {
    title: "Questions",
    page: (
      <QuestionsPage
        threads={shown}
        next={found.length > pageSize ? shown.at(-1)!.position : undefined}
        projects={projects}
        project={project}
        only={page.only}
        query={query}
        retentionMs={threads.retentionMs}
      />
    ),
  };
}

async function exportQuestions(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, organization } = context;
  const { page } = await chosenThreads(context);
  const found = await deps.store.threads.list(organization.organizationId, { ...page, limit: maxExported });
  const titles = ["site", "thread", "asked", "question", "answer", "outcome", "sources", "helpful", "comment"];
  const rows: string[][] = [];
  for (const { threadId, domain } of found)
    for (const turn of await deps.store.threads.turns(threadId)) rows.push([domain, threadId, ...cellsOf(turn)]);
  await context.audit("questions.export", page.projectId ?? "all", `${found.length} threads`);
  return { file: csvOf(titles, rows), type: "text/csv; charset=utf-8", name: "questions.csv" };
}

const cellsOf = ({ askedAt, question, answer, outcome, sources, rating }: StoredTurn): string[] => [
  new Date(askedAt).toISOString(),
  question,
  answer,
  outcome,
  sources.map(({ url }) => url).join(" "),
  rating ? (rating.helpful ? "yes" : "no") : "",
  rating?.comment ?? "",
];

/** A thread of the organization's sites; others are unknown. */
async function ownThread({ deps, organization, params }: ConsoleContext) {
  const threadId = params["thread"]!;
  const [thread, projects] = await Promise.all([
    deps.store.threads.find(threadId),
    deps.store.accounts.projects(organization.organizationId),
  ]);
  const project = thread && projects.find(({ projectId }) => projectId === thread.projectId);
  return project && { threadId, project };
}

async function showThread(context: ConsoleContext): Promise<ConsoleAnswer> {
  const own = await ownThread(context);
  if (!own) return "not-found";
  const turns = await context.deps.store.threads.turns(own.threadId);
  return {
    title: turns[0]?.question.slice(0, 60) || "Conversation",
    page: <ThreadPage threadId={own.threadId} project={own.project} turns={turns} csrf={context.csrf} />,
  };
}

async function exportThread(context: ConsoleContext): Promise<ConsoleAnswer> {
  const own = await ownThread(context);
  if (!own) return "not-found";
  const { threadId, project } = own;
  const turns = await context.deps.store.threads.turns(threadId);
  await context.audit("questions.export", threadId, project.domain);
  return {
    file: `${JSON.stringify({ threadId, domain: project.domain, turns }, undefined, 2)}\n`,
    type: "application/json",
    name: `${threadId}.json`,
  };
}

async function deleteThread(context: ConsoleContext): Promise<ConsoleAnswer> {
  const own = await ownThread(context);
  if (!own) return "not-found";
  const { organizationId } = context.organization;
  await erase(context.deps.store, { kind: "thread", organizationId, threadId: own.threadId }, context.by);
  return { redirect: "/console/questions", notice: "The conversation is deleted." };
}
