import type { FetchBytes } from "../bundle/remote/index.js";
import { createDiagramWorker, type DiagramWorker } from "../page/diagrams/index.js";
import type { FetchText } from "../site/specs/index.js";

/** What an export needs from outside of its process. A process without network or children asks another one for it. */
export interface OutsideWorld {
  /** For API specifications. */
  readonly fetchText: FetchText;
  /** For images, fonts, style sheets and videos. */
  readonly fetchBytes: FetchBytes;
  readonly diagramWorker: () => DiagramWorker;
}

/** The fetcher is loaded on first use: few sites need it. */
export const realWorld: OutsideWorld = {
  async fetchText(url, signal) {
    const { guardedFetch } = await import("../lib/fetch/index.js");
    return guardedFetch(url, {}, signal);
  },
  async fetchBytes(url, limits, signal) {
    const { guardedBytes } = await import("../lib/fetch/index.js");
    return guardedBytes(url, limits, signal);
  },
  diagramWorker: createDiagramWorker,
};
