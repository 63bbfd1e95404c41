import { wantsMarkdown } from "../../lib/http/index.js";
import type { ViewKind } from "../jobs/index.js";
import { type Client, clientOf } from "./client-of.js";
import type { Visit } from "./kind.js";

/** Version of the rules below and of their lists, which is stored with each day. */
export const rulesVersion = 1;

export type KindRule = (visit: Visit, target: "page" | "markdown") => ViewKind;

/** Who reads, by what the request says of itself. The first rule that fits decides. */
export function kindOf({ headers, isAutomated }: Visit, target: "page" | "markdown"): ViewKind {
  if (headers["signature-agent"]) return 1;
  const client = clientOf(headers["user-agent"] ?? "");
  if (client.kind !== undefined) return client.kind;
  if (isAutomated) return 5;
  const mode = headers["sec-fetch-mode"];
  if (target === "markdown" && !isOfBrowser(client, headers)) return 1;
  if (client.isTool) return 5;
  // A script of a page asks for it, not a person.
  return mode === undefined || mode === "navigate" ? 0 : 5;
}

/** Whether a browser asks for Markdown: someone opens the file, or a script of a page reads it. */
function isOfBrowser(client: Client, { "sec-fetch-mode": mode, accept }: Visit["headers"]): boolean {
  if (mode === "navigate") return true;
  if (!client.isBrowser || wantsMarkdown(accept)) return false;
  return mode !== undefined || accept?.includes("text/html") === true;
}
