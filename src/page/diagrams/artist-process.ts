import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, sep } from "node:path";
import mermaidPackage from "mermaid/package.json" with { type: "json" };
import PQueue from "p-queue";
import { builtFile } from "../../lib/package-root.js";
import { type DrawReply, type DrawRequest, ready } from "./messages.js";

/**
 * The process that draws, one at a time. Mermaid is a large parser and a page's text is foreign, so it gets no
 * environment, may read what the build made only, may write nothing and start nothing, and is ended when it takes long.
 */
export interface Artist {
  draw(source: string): Promise<DrawReply | Lost>;
  /** Ends the process; what waits is rejected. */
  close(): Promise<void>;
}

/** Why the process gave no answer: it was ended for its time, it ended itself, or none was ever ready. */
export interface Lost {
  readonly lost: "slow" | "ended" | "unstarted";
}

export interface ArtistOptions {
  /** Processor time that one diagram may take: on a busy machine the same ones are drawn as on an idle one. */
  readonly deadlineMs?: number;
  /** A process is replaced after so many, since Mermaid keeps things. */
  readonly drawingsPerProcess?: number;
}
export const artistDefaults = {
  deadlineMs: 10_000,
  drawingsPerProcess: 200,
} as const satisfies Required<ArtistOptions>;

/** The first diagram waits for the packages too. */
const startMs = 30_000;
/** So often a process that got too little of the processor is left to go on. */
const patience = 8;

export function createArtist(options: ArtistOptions = {}): Artist {
  const { deadlineMs, drawingsPerProcess } = { ...artistDefaults, ...options };
  const queue = new PQueue({ concurrency: 1 });
  const stop = new AbortController();
  let child: ChildProcess | undefined;
  let hasStarted = false;
  let drawn = 0;
  let nextId = 1;

  const end = (): void => {
    child?.kill("SIGKILL");
    child = undefined;
  };

  const begin = (): ChildProcess => {
    end();
    drawn = 0;
    const fresh = start();
    fresh.on("error", () => {});
    fresh.on("exit", () => {
      if (child === fresh) child = undefined;
    });
    child = fresh;
    return fresh;
  };

  const ask = (source: string): Promise<DrawReply | Lost> =>
    new Promise((resolve, reject) => {
      const isFresh = child === undefined || drawn >= drawingsPerProcess;
      const own = isFresh ? begin() : child!;
      drawn++;
      const id = nextId++;
      const leave = (): void => {
        clearTimeout(timer);
        stop.signal.removeEventListener("abort", onStop);
        own.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      };
      const onMessage = (reply: unknown): void => {
        if (reply === ready) hasStarted = true;
        else if (isReplyTo(id, reply)) {
          leave();
          resolve(reply);
        } else lose("ended");
      };
      const lose = (lost: Lost["lost"]): void => {
        leave();
        if (child === own) end();
        resolve({ lost });
      };
      const onEnd = (): void => lose(hasStarted ? "ended" : "unstarted");
      const onStop = (): void => {
        leave();
        end();
        reject(stop.signal.reason);
      };
      const allowedMs = deadlineMs + (isFresh ? startMs : 0);
      const usedBefore = processorMs(own) ?? 0;
      let looks = 0;
      const look = (): void => {
        const used = processorMs(own);
        const leftMs = used === undefined || ++looks > patience ? 0 : allowedMs - (used - usedBefore);
        if (leftMs > 0) timer = setTimeout(look, leftMs);
        else lose("slow");
      };
      let timer = setTimeout(look, allowedMs);
      stop.signal.addEventListener("abort", onStop);
      own.on("message", onMessage).on("exit", onEnd).on("error", onEnd);
      const request: DrawRequest = { id, source };
      own.send(request, (error) => error && onEnd());
    });

  return {
    draw: (source) => queue.add(() => ask(source), { signal: stop.signal }) as Promise<DrawReply | Lost>,
    async close() {
      stop.abort(new Error("The drawer was closed before the diagram was drawn."));
      queue.clear();
      end();
    },
  };
}

/** Milliseconds of processor time that a process has used; undefined where the system does not tell. */
function processorMs({ pid }: ChildProcess): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

/** What the process sends is looked at like anything foreign. */
function isReplyTo(id: number, reply: unknown): reply is DrawReply {
  if (typeof reply !== "object" || reply === null) return false;
  const { svg, message, line, ...rest } = reply as Record<string, unknown>;
  const isText = typeof svg === "string" ? svg.length <= maxSvgLength : typeof message === "string";
  return rest["id"] === id && isText && (line === undefined || Number.isSafeInteger(line));
}
const maxSvgLength = 8_000_000;

function start(): ChildProcess {
  const script = builtFile("diagram-worker.js");
  return fork(script, {
    env: { TZ: "UTC" },
    execArgv: [
      "--permission",
      `--allow-fs-read=${dirname(script)}${sep}*`,
      // By which our files are found.
      `--allow-fs-read=${builtFile("../package.json")}`,
      "--max-old-space-size=768",
      "--no-warnings",
    ],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "json",
  });
}

export const mermaidVersion = (): string => mermaidPackage.version;
