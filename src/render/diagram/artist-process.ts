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

const deadlineMs = 10_000;
/** The first diagram waits for the packages too. */
const startMs = 30_000;
const drawingsPerProcess = 200;

export function createArtist(): Artist {
  const queue = new PQueue({ concurrency: 1 });
  const stop = new AbortController();
  let child: ChildProcess | undefined;
  let drawn = 0;
  let nextId = 1;

  const end = (): void => {
    child?.removeAllListeners();
    child?.on("error", () => {});
    child?.kill("SIGKILL");
    child = undefined;
  };

  const ask = (source: string): Promise<DrawReply | undefined> =>
    new Promise((resolve, reject) => {
      const isFresh = child === undefined || drawn >= drawingsPerProcess;
      if (isFresh) {
        end();
        child = start();
        drawn = 0;
      }
      drawn++;
      const id = nextId++;
      const settle = (reply: DrawReply | undefined): void => {
        clearTimeout(timer);
        stop.signal.removeEventListener("abort", onStop);
        if (reply) child?.removeAllListeners();
        else end();
        resolve(reply);
      };
      const onStop = (): void => {
        clearTimeout(timer);
        end();
        reject(stop.signal.reason);
      };
      const timer = setTimeout(() => settle(undefined), deadlineMs + (isFresh ? startMs : 0));
      stop.signal.addEventListener("abort", onStop);
      child!.on("message", (reply: DrawReply) => reply.id === id && settle(reply));
      child!.on("exit", () => settle(undefined));
      child!.on("error", () => settle(undefined));
      const request: DrawRequest = { id, source };
      child!.send(request, (error) => error && settle(undefined));
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
