import type { ViewKind } from "../jobs/index.js";

/** Name of each kind, by its number. */
export const kindNames = ["human", "ai", "search", "training", "otherAi", "bot"] as const satisfies Record<
  ViewKind,
  string
>;
export type KindName = (typeof kindNames)[number];

/** Request headers that say who reads. */
export const visitHeaders = [
  "user-agent",
  "accept",
  "sec-fetch-mode",
  "sec-purpose",
  "x-purpose",
  "signature-agent",
  "sec-gpc",
  "dnt",
] as const;

/** What is known of a request. Neither the address nor the headers are stored. */
export interface Visit {
  readonly method: string;
  /** As requested, with base path and query. */
  readonly path: string;
  readonly status: number;
  /** Undefined if unknown: the view is counted, the visitor is not. */
  readonly address: string | undefined;
  readonly headers: { readonly [name in (typeof visitHeaders)[number]]?: string };
  /** Milliseconds since 1970; default: now. */
  readonly at?: number;
  /** Whether the answer was Markdown; default: as the path and the header `accept` say. */
  readonly isMarkdown?: boolean;
  /** A script drives the browser. */
  readonly isAutomated?: boolean;
}
