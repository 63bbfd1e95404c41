import { type Interpreter, processorMs, type Source } from "./interpreter.js";
import { type Instability, isUnstable, limits, type RenderedRoot, type RenderJob as Sent } from "./protocol.js";

/** One page. */
export interface RenderJob {
  readonly modules: readonly { readonly id: string; readonly source: Source; readonly deps: readonly string[] }[];
  readonly roots: Sent["roots"];
}

type Failure = Extract<RenderedRoot, { error: unknown }>;

/** Observations of a run in the guest. */
interface Report {
  readonly html?: string | undefined;
  readonly error?: string | undefined;
  readonly live: boolean;
  readonly unstable?: Instability | undefined;
  readonly touched?: string | undefined;
  readonly used: readonly string[];
}

interface Page {
  readonly interpreter: Interpreter;
  /** Observations of each module. */
  readonly modules: ReadonlyMap<string, Report>;
}

/** Renders the islands of a page in one interpreter. After one exceeds a limit, the next get a new one. */
export async function renderPage(
  job: RenderJob,
  open: () => Promise<Interpreter>,
  pageMs: number = limits.pageMs,
): Promise<RenderedRoot[]> {
  const end = processorMs() + pageMs;
  const results: RenderedRoot[] = [];
  let page: Page | undefined;
  let room = limits.outputLength;
  for (const [turn, i] of outerFirst(job.roots).entries()) {
    const root = job.roots[i]!;
    const left = end - processorMs();
    // An island may use half of the remaining time, so that there is time left for the next one.
    const until = end - (turn + 1 < job.roots.length ? left / 2 : 0);
    const interpreter = page?.interpreter ?? (await open());
    let result: RenderedRoot;
    try {
      interpreter.allow(until - processorMs());
      page ??= { interpreter, modules: runModules(job, interpreter) };
      const slot = root.around && outerSlot(root.around, job.roots, results);
      result = render(root, page, reachedFrom(job, root.module), room, slot);
    } catch (error) {
      result = interpreter.wasStopped() ? tooSlow(pageMs) : toFailure(error);
    }
    if ("html" in result) room -= result.html.length;
    else if (result.error !== "threw") page = undefined;
    results[i] = result;
  }
  return results;
}

/** Indexes of the roots, outer islands first, since islands in their slots receive their contexts. */
function outerFirst(roots: RenderJob["roots"]): number[] {
  const depths = roots.map(({ around }) => {
    let depth = 0;
    for (let next = around; next !== undefined && depth < roots.length; depth++) next = roots[next.root]?.around;
    return depth;
  });
  return [...roots.keys()].sort((a, b) => depths[a]! - depths[b]!);
}

interface Slot {
  readonly name: string;
  /** Whether the island with the slot may change its contexts. */
  readonly isLive: boolean;
}

function outerSlot(
  { root, slot }: NonNullable<RenderJob["roots"][number]["around"]>,
  roots: RenderJob["roots"],
  results: readonly RenderedRoot[],
): Slot | undefined {
  const [outer, result] = [roots[root], results[root]];
  return (
    outer && { name: `${outer.module}#${outer.name}/${slot}`, isLive: !result || !("live" in result) || result.live }
  );
}

function runModules(job: RenderJob, interpreter: Interpreter): Map<string, Report> {
  for (const { id, source } of job.modules) interpreter.run(source, id);
  return new Map(job.modules.map(({ id }) => [id, readReport(interpreter, interpreter.call("evaluate", id))]));
}

function render(
  { module, name }: RenderJob["roots"][number],
  { interpreter, modules }: Page,
  reached: readonly string[],
  room: number,
  slot: Slot | undefined,
): RenderedRoot {
  const around = slot ? [slot.name, slot.isLive ? "live" : ""] : [];
  const rootReport = readReport(interpreter, interpreter.call("render", module, name, ...around));
  const reports = [rootReport, ...reached.flatMap((id) => modules.get(id) ?? [])];
  const unstable = reports.find(({ unstable }) => unstable)?.unstable;
  const instability = unstable === undefined ? {} : { unstable };
  if (rootReport.html === undefined) {
    const touched = reports.find(({ touched }) => touched)?.touched;
    return {
      ...toFailure(new Error(rootReport.error ?? "It returns no HTML.")),
      ...instability,
      ...(touched === undefined ? {} : { touched }),
    };
  }
  if (rootReport.html.length > room)
    return failure("size", `Its page has more than ${limits.outputLength / 1024 / 1024} MB of HTML.`);
  return {
    html: rootReport.html,
    live: reports.some(({ live }) => live),
    ...instability,
    used: rootReport.used,
  };
}

function reachedFrom(job: RenderJob, module: string): string[] {
  const deps = new Map(job.modules.map(({ id, deps }) => [id, deps]));
  const reached = new Set([module]);
  for (const id of reached) for (const dep of deps.get(id) ?? []) reached.add(dep);
  return [...reached];
}

/** Parses a report. Each part is checked, since the site's code may have forged it. */
function readReport(interpreter: Interpreter, text: string): Report {
  const { html, error, live, unstable, touched, used } = JSON.parse(text) as Record<string, unknown>;
  const short = (value: unknown): string | undefined =>
    typeof value === "string" ? value.slice(0, limits.messageLength) : undefined;
  const texts = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((item) => typeof item === "string").slice(0, limits.listLength) : [];
  return {
    html: typeof html === "string" ? html.toWellFormed() : undefined,
    error: short(error),
    live: live === true || interpreter.hasJobs(),
    unstable: interpreter.clockWasRead() ? "clock" : isUnstable(unstable) ? unstable : undefined,
    touched: short(touched),
    used: texts(used).map((name) => name.slice(0, limits.messageLength)),
  };
}

const tooSlow = (pageMs: number): Failure => failure("deadline", `Its page takes more than ${pageMs / 1000} s.`);

function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (/out of memory|allocat|string too long/i.test(message))
    return failure("memory", "It needs more memory than it may use.");
  if (/call stack|stack overflow/i.test(message)) return failure("stack", "It recurses without end.");
  return failure("threw", message);
}

const failure = (error: Failure["error"], message: string): Failure => ({
  error,
  message: message.slice(0, limits.messageLength),
});
