interface JobState {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly pageCount: number;
}

const askEveryMs = 5_000;
const counts = new Intl.NumberFormat("en");

/** Keeps the numbers of unfinished jobs up to date: by a stream, or by asking where there is none. */
export function followJobs(): void {
  const nodes = [...document.querySelectorAll<HTMLElement>("[data-job]")];
  if (nodes.length === 0) return;
  const address = `/console/events?jobs=${nodes.map((node) => node.dataset["job"]).join(",")}`;
  const show = (jobs: readonly JobState[]): void => {
    for (const job of jobs) for (const node of nodes) if (node.dataset["job"] === job.id) showJob(node, job);
  };
  const stream = new EventSource(address);
  stream.addEventListener("message", ({ data }) => show(JSON.parse(data as string) as JobState[]));
  stream.addEventListener("end", () => stream.close());
  stream.addEventListener("error", () => {
    // The browser connects again by itself, unless the answer was no stream.
    if (stream.readyState === EventSource.CLOSED) setTimeout(ask, askEveryMs);
  });

  function ask(): void {
    fetch(`${address}&once`).then(
      async (answer) => {
        if (answer.status === 401) return;
        const jobs = answer.ok ? ((await answer.json()) as JobState[]) : undefined;
        if (jobs) show(jobs);
        if (!jobs || jobs.some(({ status }) => !isEnd(status))) setTimeout(ask, askEveryMs);
      },
      () => setTimeout(ask, askEveryMs),
    );
  }
}

const isEnd = (status: string): boolean => status === "completed" || status === "failed";

const texts: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  queued: ["wait", "Queued"],
  running: ["run", "Running"],
  completed: ["good", "Completed"],
  failed: ["bad", "Failed"],
};

function showJob(node: HTMLElement, { status, progress, pageCount }: JobState): void {
  const find = (name: string): HTMLElement | null => node.querySelector(`[data-live="${name}"]`);
  const [kind, text] = texts[status] ?? ["wait", status];
  const badge = find("status")?.firstElementChild;
  if (badge) {
    badge.className = `badge badge-${kind}`;
    badge.textContent = text;
  }
  const bar = find("progress") as HTMLProgressElement | null;
  if (bar) bar.value = progress;
  write(find("percent"), `${progress} %`);
  write(find("pages"), counts.format(pageCount));
  // The page of the job has more to show then.
  if (isEnd(status) && node.dataset["reload"] !== undefined) location.reload();
}

function write(node: HTMLElement | null, text: string): void {
  if (node) node.textContent = text;
}
