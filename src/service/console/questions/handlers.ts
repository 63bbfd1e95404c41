import { csvOf } from "../../../lib/csv.js";
import { erase } from "../../erase.js";
import type { Project, StoredTurn, ThreadListPage } from "../../jobs/index.js";
import { type ConsoleAnswer, type ConsoleContext, forObject } from "../route.js";
import { questionsPage, threadPage } from "./question-pages.js";

const pageSize = 25;
/** Threads in a file; the filters find older ones. */
const maxExported = 5_000;

interface Filters {
  readonly projects: readonly Project[];
  readonly project?: Project;
  readonly page: Omit<ThreadListPage, "limit">;
}

async function readFilters({ store, organizationId, query }: ConsoleContext): Promise<Filters> {
  const projects = await store.accounts.projects(organizationId);
  const project = projects.find(({ domain }) => domain === query.get("site"));
  const show = query.get("show");
  const only = show === "unanswered" || show === "unhelpful" ? show : undefined;
  return { projects, project, page: { projectId: project?.projectId, only, after: query.get("after") ?? undefined } };
}

/** Lists what readers asked the assistant. */
export async function listQuestions(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { store, organizationId, query } = context;
  const { projects, project, page } = await readFilters(context);
  const threads = await store.threads.list(organizationId, { ...page, limit: pageSize + 1 });
  const shown = threads.slice(0, pageSize);
  return questionsPage({
    threads: shown,
    next: threads.length > pageSize ? shown.at(-1)!.position : undefined,
    projects,
    project,
    only: page.only,
    query,
    retentionMs: store.threads.retentionMs,
  });
}

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

export async function showThread(context: ConsoleContext, { threadId, project }: OwnThread): Promise<ConsoleAnswer> {
  return threadPage(context, threadId, project, await context.store.threads.turns(threadId));
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
