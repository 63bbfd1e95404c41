import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, sep } from "node:path";
import { fileURLToPath } from "node:url";
import PQueue from "p-queue";
import type { DrawReply, DrawRequest } from "./messages.js";

/**
 * The process that draws, one at a time. Mermaid is a large parser and a page's text is foreign, so it gets no
 * environment, may read its own packages only, may write nothing and start nothing, and is ended when it takes long.
 */
export interface Artist {
  /** Undefined if the process was lost over this source. */
  draw(source: string): Promise<DrawReply | undefined>;
  /** Ends the process; what waits is rejected. */
  close(): Promise<void>;
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

  const ask = (source: string): Promise<DrawReply | undefined> =>
    new Promise((resolve, reject) => {
      const isFresh = child === undefined || drawn >= drawingsPerProcess;
      const own = isFresh ? begin() : child!;
      drawn++;
      const id = nextId++;
      const leave = (): void => {
        clearTimeout(timer);
        stop.signal.removeEventListener("abort", onStop);
        own.off("message", onMessage).off("exit", onLost).off("error", onLost);
      };
      const onMessage = (reply: unknown): void => {
        if (isReplyTo(id, reply)) {
          leave();
          resolve(reply);
        } else onLost();
      };
      const onLost = (): void => {
        leave();
        if (child === own) end();
        resolve(undefined);
      };
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
        else onLost();
      };
      let timer = setTimeout(look, allowedMs);
      stop.signal.addEventListener("abort", onStop);
      own.on("message", onMessage).on("exit", onLost).on("error", onLost);
      const request: DrawRequest = { id, source };
      own.send(request, (error) => error && onLost());
    });

  return {
    draw: (source) => queue.add(() => ask(source), { signal: stop.signal }) as Promise<DrawReply | undefined>,
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
  const script = artistScript();
  const readable = new Set([dirname(dirname(script)), ...["mermaid", "jsdom", "fontkit"].map(packagesFolder)]);
  return fork(script, {
    env: { TZ: "UTC" },
    execArgv: [
      "--permission",
      ...[...readable].map((folder) => `--allow-fs-read=${folder}${sep}*`),
      "--max-old-space-size=768",
      "--no-warnings",
    ],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "json",
  });
}

/** Compiled beside this file; where this file runs uncompiled, in the folder that the build writes to. */
function artistScript(): string {
  const beside = fileURLToPath(new URL("./artist/main.js", import.meta.url));
  return existsSync(beside)
    ? beside
    : fileURLToPath(new URL("../../../dist/render/diagram/artist/main.js", import.meta.url));
}

/** The outermost `node_modules` around a package: what it needs may stand anywhere in there. */
function packagesFolder(name: string): string {
  const path = realpathSync(require.resolve(name));
  const marker = `${sep}node_modules${sep}`;
  return path.slice(0, path.indexOf(marker) + marker.length - 1);
}

export function mermaidVersion(): string {
  version ??= (JSON.parse(readFileSync(require.resolve("mermaid/package.json"), "utf8")) as { version: string })
    .version;
  return version;
}
let version: string | undefined;
const require = createRequire(import.meta.url);
