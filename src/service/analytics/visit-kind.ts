import { wantsMarkdown } from "../../lib/http/index.js";
import type { ViewKind } from "../jobs/index.js";
import { type Client, clientOf } from "./user-agents.js";

export const kindNames = ["human", "ai", "search", "training", "otherAi", "bot"] as const satisfies Record<
  ViewKind,
  string
>;
export type KindName = (typeof kindNames)[number];

/** The request headers that tell people from programs. */
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

/** Version of the rules below and of their lists; stored with each day. */
export const rulesVersion = 1;

export type KindRule = (visit: Visit, target: "page" | "markdown") => ViewKind;

/** The kind of reader, by what the request says of itself. The first matching rule decides. */
export function kindOf({ headers, isAutomated }: Visit, target: "page" | "markdown"): ViewKind {
  if (headers["signature-agent"]) return 1;
  const client = clientOf(headers["user-agent"] ?? "");
  if (client.kind !== undefined) return client.kind;
  if (isAutomated) return 5;
  const mode = headers["sec-fetch-mode"];
  if (target === "markdown" && !isOfBrowser(client, headers)) return 1;
  if (client.isTool) return 5;
  // Otherwise a script of a page requests it, not a person.
  return mode === undefined || mode === "navigate" ? 0 : 5;
}

/** Whether a browser requests Markdown: someone opens the file, or a script of a page reads it. */
function isOfBrowser(client: Client, { "sec-fetch-mode": mode, accept }: Visit["headers"]): boolean {
  if (mode === "navigate") return true;
  if (!client.isBrowser || wantsMarkdown(accept)) return false;
  return mode !== undefined || accept?.includes("text/html") === true;
}
