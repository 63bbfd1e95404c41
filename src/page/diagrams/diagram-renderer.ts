import { createHash } from "node:crypto";
import type { Cache } from "../../lib/cache/index.js";
import { createMemo } from "../../lib/memo.js";
import type { Lost } from "../../lib/sandbox/process-client.js";
import { finishDiagram } from "./finish-diagram.js";
import { hasOwnColors } from "./placeholder-colors.js";
import { createDiagramWorker, type DiagramWorker, mermaidVersion, type WorkerReply } from "./worker-process.js";

/** Plain data that can be posted to a thread. */
export type RenderedDiagram =
  | {
      /** Its style is in `css`. `hash` is its class and the prefix of its ids. */
      readonly svg: string;
      readonly css: string;
      readonly hash: string;
      /** The title in the source. */
      readonly title?: string;
    }
  | {
      readonly error: {
        readonly message: string;
        /** Line in the diagram's text, from 1. */
        readonly line?: number;
        /** The source may be valid, but this renderer cannot draw it. */
        readonly unsupported?: true;
        /** No diagram can be drawn: the worker process does not start. */
        readonly unstarted?: true;
      };
    };

export interface DiagramRenderer {
  /**
   * Draws diagrams; the results are in the order of the sources. Equal sources are drawn once.
   *
   * Fails: a diagram that cannot be drawn is returned as an error value.
   * Stops: `close` rejects the diagrams that have not been drawn.
   */
  draw(sources: readonly string[]): Promise<readonly RenderedDiagram[]>;
  close(): Promise<void>;
}

/** Longer texts are refused. */
const maxSourceLength = 100_000;
/** Further waiting diagrams are refused, so that memory stays bounded. */
const maxWaiting = 10_000;
/** Diagrams in memory; older ones are read from the cache or drawn again. */
const cachedDiagrams = 500;

interface DiagramRendererOptions {
  readonly cache?: Cache | undefined;
  readonly version: string;
  /** Default: a separate process. */
  readonly worker?: DiagramWorker;
}

/** Nothing is loaded or started before the first diagram. */
export function createDiagramRenderer(options: DiagramRendererOptions): DiagramRenderer {
  const { worker = createDiagramWorker() } = options;
  const diagrams = createMemo<Promise<RenderedDiagram>>(cachedDiagrams);
  let waiting = 0;
  let closed = false;

  const drawOne = async (source: string, hash: string): Promise<RenderedDiagram> => {
    if (source.length > maxSourceLength)
      return failed(`The diagram has ${source.length} characters, but the limit is ${maxSourceLength}.`);
    const key = createHash("sha256").update(`diagram 2 ${options.version} ${mermaidVersion()} ${source}`).digest("hex");
    const cached = options.cache?.get(key);
    if (cached) return JSON.parse(Buffer.from(cached).toString("utf8")) as RenderedDiagram;
    if (waiting >= maxWaiting) return failed(`More than ${maxWaiting} diagrams are waiting to be rendered.`);
    waiting++;
    try {
      const reply = await worker.draw(source);
      const drawn = finish(reply, source, hash);
      if (!("lost" in reply)) options.cache?.put(key, Buffer.from(JSON.stringify(drawn)));
      return drawn;
    } finally {
      waiting--;
    }
  };

  return {
    async draw(sources) {
      if (closed) throw new Error("The diagram renderer is closed.");
      return Promise.all(
        sources.map((source) => {
          const hash = `d${createHash("sha256").update(source).digest("hex").slice(0, 12)}`;
          return diagrams(hash, () => drawOne(source, hash));
        }),
      );
    },
    async close() {
      closed = true;
      await worker.close();
    },
  };
}

function finish(reply: WorkerReply | Lost, source: string, hash: string): RenderedDiagram {
  if ("lost" in reply) return lossOf[reply.lost];
  if (!("svg" in reply)) {
    const { message, line, unsupported } = reply;
    return { error: { message, ...(line === undefined ? {} : { line }), ...(unsupported ? { unsupported } : {}) } };
  }
  try {
    const ground = hasOwnColors(source) ? (isDarkTheme.test(source) ? "dark" : "light") : undefined;
    return { ...finishDiagram(reply.svg, hash, source, ground), hash };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

const failed = (message: string): RenderedDiagram => ({ error: { message, unsupported: true } });

const lossOf: Readonly<Record<Lost["lost"], RenderedDiagram>> = {
  slow: failed("Rendering it takes too long."),
  ended: failed("The renderer process crashed on it; it may have run out of memory."),
  unstarted: { error: { message: "The renderer process cannot be started.", unstarted: true } },
};

const isDarkTheme = /\btheme['"]?\s*:\s*['"]?[\w-]*dark|\bdarkMode['"]?\s*:\s*['"]?true/;
