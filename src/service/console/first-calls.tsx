import { setTimeout as sleep } from "node:timers/promises";
import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import * as ui from "./components/index.js";
import { createPageStreams, eventStream } from "./event-stream.js";
import type { ConsoleAnswer, ConsoleContext, ConsoleDeps } from "./route.js";

/** Which of the three calls of an export have succeeded with a key of an organization. */
interface CallsDone {
  readonly started: boolean;
  readonly completed: boolean;
  readonly downloaded: boolean;
  /** Whether all have, and no longer than a few minutes ago. */
  readonly isFresh: boolean;
}

const shownMs = 10 * 60_000;
const pollMs = 1000;
const auditLines = 200;
const completedRead = 20;
const streams = createPageStreams();

export const callsPath = "/console/events?calls";

/** Which of the first calls are done; undefined once the list is no longer shown. */
export async function firstCalls({ deps, store, organizationId }: ConsoleContext): Promise<CallsDone | undefined> {
  const [{ jobs: completedJobs }, { entries }] = await Promise.all([
    store.jobs.list(organizationId, { limit: completedRead, status: "completed" }),
    store.people.auditLog(organizationId, { limit: auditLines }),
  ]);
  // An organization whose downloads are older than the lines that were read has made its first export long ago.
  if (entries.length === auditLines && completedJobs.length > 0) return undefined;
  const last = entries.find(({ action }) => action === "job.download");
  const isFresh = last !== undefined && deps.now() - last.at.getTime() < shownMs;
  if (last && !isFresh) return undefined;
  // The list is about calls with a key, not about what people do in the console.
  const ofKeys = entries.filter(({ keyId }) => keyId !== undefined);
  const startedIds = new Set(ofKeys.flatMap(({ action, subject }) => (action === "job.start" ? [subject] : [])));
  return {
    started: startedIds.size > 0,
    completed: completedJobs.some(({ jobId }) => startedIds.has(jobId)),
    downloaded: ofKeys.some(({ action }) => action === "job.download"),
    isFresh,
  };
}

/** Server-sent events that tell the overview when another call has succeeded. */
export const followFirstCalls = (context: ConsoleContext): ConsoleAnswer =>
  eventStream(context, streams, async function* (signal) {
    let shown = JSON.stringify(await firstCalls(context));
    yield "retry: 3000\n\n";
    while (!signal.aborted) {
      await sleep(pollMs, undefined, { signal }).catch(() => {});
      const state = JSON.stringify(await firstCalls(context));
      if (state !== shown && !signal.aborted) yield "event: job\ndata: \n\n";
      shown = state;
    }
  });

interface FirstCallsProps {
  readonly deps: ConsoleDeps;
  readonly domain: string;
  /** The secret of a key that was just created. Default: the name of a variable with it. */
  readonly secret?: string;
  readonly done?: CallsDone;
}

/** The three calls of an export by the API, to copy one after the other. */
export function FirstCalls({ deps, domain, secret = "$OFFPRINT_KEY", done }: FirstCallsProps): JsxNode {
  const jobs = `${deps.publicUrl}/v1/static-export/jobs`;
  const key = `-H "Authorization: Bearer ${secret}"`;
  const steps = [
    {
      text: "Start the export. The response contains its jobId.",
      command: `JOB=$(curl -sX POST ${jobs} ${key} -H "Content-Type: application/json" -d '{"domain": "${domain}"}' | tee /dev/stderr | sed 's/.*"jobId":"\\([^"]*\\)".*/\\1/')`,
      isDone: done?.started,
    },
    {
      text: "Request its status until it is completed. Each request waits up to a minute for a change.",
      command: `curl -s "${jobs}/$JOB?wait=60" ${key}`,
      isDone: done?.completed,
    },
    {
      text: "Request the bundle, and download it from bundleUrl.",
      command: `curl -sX POST ${jobs}/$JOB/bundle ${key}`,
      isDone: done?.downloaded,
    },
  ];
  return (
    <ui.Section
      title="Export by the API"
      lead="Three requests in a terminal. They work from any machine that can reach this URL."
    >
      <ol class="steps">
        {steps.map(({ text, command, isDone }) => (
          <li>
            <p>
              {text} {done && (isDone ? <ui.Badge kind="good">Done</ui.Badge> : <ui.Badge>Not yet</ui.Badge>)}
            </p>
            <ui.Command text={command} />
          </li>
        ))}
      </ol>
    </ui.Section>
  );
}
