import { readFileSync } from "node:fs";
import { isbot } from "isbot";
import { wantsMarkdown } from "../../lib/http/index.js";
import { createMemo, lazy } from "../../lib/memo.js";
import { builtFile } from "../../lib/package-root.js";
import type { ViewKind } from "../jobs/index.js";
import aiUserAgents from "./ai-user-agents.json" with { type: "json" };

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

export interface Client {
  /** The kind of a known agent or crawler. */
  readonly kind?: ViewKind;
  readonly isBrowser: boolean;
  /** A library, a headless browser, or no name at all. */
  readonly isTool: boolean;
}

const browser: Client = { isBrowser: true, isTool: false };
const tool: Client = { isBrowser: false, isTool: true };
const unknown: Client = { isBrowser: false, isTool: false };
const clientOfKind = (kind: ViewKind): Client => ({ ...unknown, kind });

const platforms = [
  "Windows NT [\\d.]+(?:; (?:Win64|WOW64|x64|ARM64|rv:[\\d.]+))*",
  "Macintosh; Intel Mac OS X [\\d_.]+(?:; rv:[\\d.]+)?",
  "X11; (?:Ubuntu; |Fedora; )?(?:Linux|CrOS|FreeBSD) [\\w. ]+(?:; rv:[\\d.]+)?",
  "(?:iPhone|iPad|iPod touch); CPU (?:iPhone )?OS [\\d_]+ like Mac OS X",
  // A phone's model can have any name.
  "(?:Linux; )?Android [\\d.]+(?!.*(?:bot|crawl|spider|http|compatible|preview))(?:; [^()]*)?",
];
const products = "Chrome|Version|Safari|Mobile|Firefox|Edg|EdgA|EdgiOS|OPR|CriOS|FxiOS|SamsungBrowser";
/** User agents of common browsers, for which the long lists need not be searched. */
const usualBrowser = new RegExp(
  `^Mozilla/5\\.0 \\((?:${platforms.join("|")})\\) (?:AppleWebKit|Gecko)/[\\w.]+(?: \\(KHTML, like Gecko\\))?` +
    `(?: (?:${products})/[\\w.]+| Mobile)+$`,
);
/** The browser in an editor is used by a person; without Chrome it is the editor's agent. */
const editor = /(?:^|\s)(?:Code|Cursor|Trae)\//;
const chrome = /\sChrome\//;

/**
 * Agents of AI firms by a word of their user agents. A word is a whole one: `GPTBot` of `GPTBot/1.2`, not of
 * `MyGPTBot`. Words of robots.txt alone, such as `Google-Extended`, are in no user agent.
 */
export const aiWords: readonly (readonly [word: string, kind: ViewKind])[] = [
  ...wordsOf(aiUserAgents.ai, 1),
  ...wordsOf(aiUserAgents.search, 2),
  ...wordsOf(aiUserAgents.training, 3),
  ...wordsOf(aiUserAgents.other, 4),
];

function wordsOf(wordsByOperator: Readonly<Record<string, readonly string[]>>, kind: ViewKind) {
  return Object.values(wordsByOperator)
    .flat()
    .map((word) => [word, kind] as const);
}

const aiKinds = new Map(aiWords.map(([word, kind]) => [word.toLowerCase(), kind]));
const longestFirst = aiWords.map(([word]) => word).sort((a, b) => b.length - a.length);
const aiWord = new RegExp(`(?<![\\w-])(?:${longestFirst.join("|")})(?![\\w-])`, "i");

/** The patterns of the package crawler-user-agents, which the build writes: see `scripts/crawler-patterns.js`. */
const crawlers = lazy(() => {
  const patterns = JSON.parse(readFileSync(builtFile("crawlers.json"), "utf8")) as Record<CrawlerKind, string[]>;
  const oneOf = (kind: CrawlerKind): RegExp => new RegExp(patterns[kind].join("|"));
  return { search: oneOf("search"), otherAi: oneOf("otherAi"), bot: oneOf("bot"), tool: oneOf("tool") };
});
type CrawlerKind = "search" | "otherAi" | "bot" | "tool";

/** Longer user agents are cut, so that no pattern takes long. */
const maxLength = 500;
const cached = createMemo<Client>(5000);

export function clientOf(userAgent: string): Client {
  const shortened = userAgent.slice(0, maxLength);
  return cached(shortened, () => classify(shortened));
}

function classify(userAgent: string): Client {
  if (usualBrowser.test(userAgent) || (editor.test(userAgent) && chrome.test(userAgent))) return browser;
  const word = aiWord.exec(userAgent)?.[0].toLowerCase();
  if (word !== undefined) return clientOfKind(aiKinds.get(word)!);
  const { search, otherAi, bot, tool: library } = crawlers();
  if (search.test(userAgent)) return clientOfKind(2);
  if (otherAi.test(userAgent)) return clientOfKind(4);
  if (bot.test(userAgent)) return clientOfKind(5);
  if (userAgent.trim() === "" || library.test(userAgent) || isbot(userAgent)) return tool;
  return userAgent.startsWith("Mozilla/") ? browser : unknown;
}
