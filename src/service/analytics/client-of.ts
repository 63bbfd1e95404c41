import { isbot } from "isbot";
import type { ViewKind } from "../jobs/index.js";
import { type AgentRole, agents } from "./agents.js";
import crawlers from "./crawlers.json" with { type: "json" };

/** What a user agent says: the kind of a known agent or crawler; else whether it is a browser, or no person's program. */
export interface Client {
  readonly kind?: ViewKind;
  readonly isBrowser: boolean;
  /** A library, a headless browser, or no name at all. */
  readonly isTool: boolean;
}

const browser: Client = { isBrowser: true, isTool: false };
const unknown: Client = { isBrowser: false, isTool: false };
const tool: Client = { isBrowser: false, isTool: true };
const known = (kind: ViewKind): Client => ({ kind, isBrowser: false, isTool: false });

const platforms = [
  "Windows NT [\\d.]+(?:; (?:Win64|WOW64|x64|ARM64|rv:[\\d.]+))*",
  "Macintosh; Intel Mac OS X [\\d_.]+(?:; rv:[\\d.]+)?",
  "X11; (?:Ubuntu; |Fedora; )?(?:Linux|CrOS|FreeBSD) [\\w. ]+(?:; rv:[\\d.]+)?",
  "(?:iPhone|iPad|iPod touch); CPU (?:iPhone )?OS [\\d_]+ like Mac OS X",
  // Models of phones have any name.
  "(?:Linux; )?Android [\\d.]+(?!.*(?:bot|crawl|spider|http|compatible|preview))(?:; [^()]*)?",
];
const products = "Chrome|Version|Safari|Mobile|Firefox|Edg|EdgA|EdgiOS|OPR|CriOS|FxiOS|SamsungBrowser";
/** What the browsers of most people write: the long lists need not be searched. */
const usualBrowser = new RegExp(
  `^Mozilla/5\\.0 \\((?:${platforms.join("|")})\\) (?:AppleWebKit|Gecko)/[\\w.]+(?: \\(KHTML, like Gecko\\))?` +
    `(?: (?:${products})/[\\w.]+| Mobile)+$`,
);
/** The browser in an editor, with a person before it; without Chrome it is the editor's agent. */
const editor = /(?:^|\s)(?:Code|Cursor|Trae)\//;
const chrome = /\sChrome\//;

const roleKinds: Readonly<Record<AgentRole, ViewKind>> = { ai: 1, search: 2, training: 3, other: 4 };
const kindsByWord = new Map(agents.map(([word, role]) => [word.toLowerCase(), roleKinds[role]]));
const agentWord = new RegExp(
  `(?<![\\w-])(?:${agents
    .map(([word]) => word)
    .sort((a, b) => b.length - a.length)
    .join("|")})(?![\\w-])`,
  "i",
);
const oneOf = (patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"));
const search = oneOf(crawlers.search);
const otherAi = oneOf(crawlers.otherAi);
const bot = oneOf(crawlers.bot);
const library = oneOf(crawlers.tool);

/** Longer ones are cut, so that no pattern takes long. */
const longest = 500;
const maxKnown = 5000;
const clients = new Map<string, Client>();

/** Remembers the user agents that it has seen last. */
export function clientOf(userAgent: string): Client {
  const cut = userAgent.slice(0, longest);
  const seen = clients.get(cut);
  if (seen) return seen;
  const client = read(cut);
  if (clients.size >= maxKnown) clients.delete(clients.keys().next().value!);
  clients.set(cut, client);
  return client;
}

function read(userAgent: string): Client {
  if (usualBrowser.test(userAgent) || (editor.test(userAgent) && chrome.test(userAgent))) return browser;
  const word = agentWord.exec(userAgent)?.[0].toLowerCase();
  if (word !== undefined) return known(kindsByWord.get(word)!);
  if (search.test(userAgent)) return known(2);
  if (otherAi.test(userAgent)) return known(4);
  if (bot.test(userAgent)) return known(5);
  if (userAgent.trim() === "" || library.test(userAgent) || isbot(userAgent)) return tool;
  return userAgent.startsWith("Mozilla/") ? browser : unknown;
}
