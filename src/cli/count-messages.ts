import type { Visit } from "../service/analytics/index.js";

/** What the thread that counts is started with. */
export interface CountTask {
  readonly domain: string;
  readonly basePath: string;
  readonly serviceData?: string;
  readonly agentRanges?: string;
}

export type ToCounter =
  | { readonly kind: "visits"; readonly visits: readonly Visit[] }
  /** Of the bundle that is served from now on. */
  | { readonly kind: "pages"; readonly paths: ReadonlySet<string> }
  | { readonly kind: "close" };

export type FromCounter =
  | { readonly kind: "ready" }
  /** The command line is wrong. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "counted"; readonly visits: number };
