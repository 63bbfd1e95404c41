const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const long = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** Shows times in the reader's time zone, recent ones relative to now. */
function showTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>("time[data-time]")) showTime(element);
}

function showTime(element: HTMLTimeElement): void {
  const at = new Date(element.dateTime);
  if (Number.isNaN(at.getTime())) return;
  const seconds = (at.getTime() - Date.now()) / 1000;
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  const isRecent = Math.abs(seconds) < 7 * 86_400;
  if (element.dataset["time"] === "exact") element.textContent = exact.format(at);
  else element.textContent = isRecent ? ago.format(Math.round(seconds / length), unit) : short.format(at);
  element.title = long.format(at);
}

const shownMs = 1500;

/** Buttons that copy a command or a secret. The style sheet hides them without scripts. */
function wireCopies(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(button.dataset["copy"] ?? "").then(() => {
        button.dataset["copied"] = "";
        setTimeout(() => delete button.dataset["copied"], shownMs);
      });
    });
  }
}

/** Applies filters when they are chosen, and keeps forms from being submitted twice. */
function wireForms(): void {
  for (const select of document.querySelectorAll<HTMLSelectElement>("select[data-submit]"))
    select.addEventListener("change", () => select.form?.requestSubmit());
  document.addEventListener("submit", ({ target }) => {
    const buttons = (target as HTMLFormElement).querySelectorAll<HTMLButtonElement>("button[type=submit]");
    // Deferred, so that the value of the pressed button is sent.
    setTimeout(() => {
      for (const button of buttons) button.disabled = true;
    });
    // For a reader who comes back from the next page, and for downloads.
    setTimeout(() => {
      for (const button of buttons) button.disabled = false;
    }, 3000);
  });
}

interface JobState {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly pageCount: number;
}

const pollMs = 5_000;
const counts = new Intl.NumberFormat("en");

/** Keeps the progress of unfinished jobs up to date: from an event stream, or by polling if there is none. */
function followJobs(): void {
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
    // The browser reconnects, unless the response was not an event stream.
    if (stream.readyState === EventSource.CLOSED) setTimeout(poll, pollMs);
  });

  function poll(): void {
    fetch(`${address}&once`).then(
      async (answer) => {
        if (answer.status === 401) return;
        const jobs = answer.ok ? ((await answer.json()) as JobState[]) : undefined;
        if (jobs) show(jobs);
        if (!jobs || jobs.some(({ status }) => !isFinished(status))) setTimeout(poll, pollMs);
      },
      () => setTimeout(poll, pollMs),
    );
  }
}

const isFinished = (status: string): boolean => status === "completed" || status === "failed";

const statusBadges: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  queued: ["wait", "Queued"],
  running: ["run", "Running"],
  completed: ["good", "Completed"],
  failed: ["bad", "Failed"],
};

function showJob(node: HTMLElement, { status, progress, pageCount }: JobState): void {
  const find = (name: string): HTMLElement | null => node.querySelector(`[data-live="${name}"]`);
  const [kind, text] = statusBadges[status] ?? ["wait", status];
  const badge = find("status")?.firstElementChild;
  if (badge) {
    badge.className = `badge badge-${kind}`;
    badge.textContent = text;
  }
  const bar = find("progress") as HTMLProgressElement | null;
  if (bar) bar.value = progress;
  setText(find("percent"), `${progress} %`);
  setText(find("pages"), counts.format(pageCount));
  // The page of a finished job shows more.
  if (isFinished(status) && node.dataset["reload"] !== undefined) location.reload();
}

function setText(node: HTMLElement | null, text: string): void {
  if (node) node.textContent = text;
}

/** Minimum time between two reloads. */
const reloadGapMs = 1_000;

/** Updates the parts of a page when the event stream of `data-follow` reports a change, until the job ends. */
function followPage(): void {
  const followed = document.querySelector<HTMLElement>("[data-follow]");
  if (!followed) return;
  let timer: number | undefined;
  const refresh = async (): Promise<void> => {
    timer = undefined;
    const answer = await fetch(location.href).catch(() => undefined);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of page.querySelectorAll<HTMLElement>("[data-part]"))
      document.querySelector(`[data-part="${part.dataset["part"]}"]`)?.replaceWith(part);
    showTimes();
    if (!page.querySelector("[data-follow]")) stream.close();
  };
  const change = (): void => {
    if (timer === undefined) timer = window.setTimeout(() => void refresh(), reloadGapMs);
  };
  const stream = new EventSource(followed.dataset["follow"]!);
  stream.addEventListener("log", change);
  stream.addEventListener("job", change);
}

document.documentElement.classList.add("js");
showTimes();
wireCopies();
wireForms();
followJobs();
followPage();
