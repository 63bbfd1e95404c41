import { isbot } from "isbot";
import type { ViewKind } from "../jobs/index.js";
import crawlers from "./crawlers.json" with { type: "json" };

/** What an agent reads for: someone who asks now, a search, training, or something else. */
type AgentRole = "ai" | "search" | "training" | "other";

/**
 * Agents of AI firms by a word of their user agents. A word is a whole one: `GPTBot` of `GPTBot/1.2`, not of `MyGPTBot`.
 * Words of robots.txt alone, such as `Google-Extended`, are in no user agent.
 */
export const agents: readonly (readonly [word: string, role: AgentRole, operator: string])[] = [
  ["ChatGPT-User", "ai", "OpenAI"],
  ["codex", "ai", "OpenAI"],
  ["codex_cli_rs", "ai", "OpenAI"],
  ["codex_exec", "ai", "OpenAI"],
  ["codex_vscode", "ai", "OpenAI"],
  ["codex-cli", "ai", "OpenAI"],
  ["codex-tui", "ai", "OpenAI"],
  ["OAI-SearchBot", "search", "OpenAI"],
  ["OAI-AdsBot", "other", "OpenAI"],
  ["GPTBot", "training", "OpenAI"],
  ["Claude-User", "ai", "Anthropic"],
  ["Claude-Code", "ai", "Anthropic"],
  ["claude-cli", "ai", "Anthropic"],
  ["Claude-Web", "ai", "Anthropic"],
  ["Claude-SearchBot", "search", "Anthropic"],
  ["ClaudeBot", "training", "Anthropic"],
  ["anthropic-ai", "training", "Anthropic"],
  ["Perplexity-User", "ai", "Perplexity"],
  ["PerplexityUser", "ai", "Perplexity"],
  ["PerplexityBot", "search", "Perplexity"],
  ["Gemini-Deep-Research", "ai", "Google"],
  ["Gemini-CLI", "ai", "Google"],
  ["GeminiCLI", "ai", "Google"],
  ["Google-Gemini-CLI", "ai", "Google"],
  ["Google-GeminiNotebook", "ai", "Google"],
  ["Google-NotebookLM", "ai", "Google"],
  ["Google-Agent", "ai", "Google"],
  ["GoogleAgent-Mariner", "ai", "Google"],
  ["GoogleAgent-Search", "ai", "Google"],
  ["GoogleAgent-Shopping", "ai", "Google"],
  ["GoogleAgent-URLContext", "ai", "Google"],
  ["Google-CloudVertexBot", "other", "Google"],
  ["GoogleOther", "other", "Google"],
  ["Cursor", "ai", "Anysphere"],
  ["GitHubCopilotChat", "ai", "GitHub"],
  ["GitHubCopilotCLI", "ai", "GitHub"],
  ["GitHub-Copilot", "ai", "GitHub"],
  ["copilot-cli", "ai", "GitHub"],
  ["AzureAI-SearchBot", "search", "Microsoft"],
  ["opencode", "ai", "SST"],
  ["opencode-smartfetch", "ai", "SST"],
  ["Windsurf", "ai", "Cognition"],
  ["Devin", "ai", "Cognition"],
  ["Antigravity", "ai", "Google"],
  ["Aider", "ai", "Aider"],
  ["Cline", "ai", "Cline"],
  ["Roo-Code", "ai", "Roo"],
  ["RooCode", "ai", "Roo"],
  ["Kilo-Code", "ai", "Kilo"],
  ["Trae", "ai", "ByteDance"],
  ["qwen-code", "ai", "Alibaba"],
  ["QwenCode", "ai", "Alibaba"],
  ["iFlow-CLI", "ai", "Alibaba"],
  ["KimiCLI", "ai", "Moonshot"],
  ["Kimi-User", "ai", "Moonshot"],
  ["openclaw", "ai", "OpenClaw"],
  ["Goose", "ai", "Block"],
  ["Crush", "ai", "Charm"],
  ["OpenHands", "ai", "OpenHands"],
  ["Junie", "ai", "JetBrains"],
  ["amazon-q", "ai", "Amazon"],
  ["Amzn-User", "ai", "Amazon"],
  ["AmazonBuyForMe", "ai", "Amazon"],
  ["Amazon-Bedrock-AgentCore-Browser", "ai", "Amazon"],
  ["Amzn-SearchBot", "search", "Amazon"],
  ["Amazonbot", "training", "Amazon"],
  ["bedrockbot", "other", "Amazon"],
  ["MistralAI-User", "ai", "Mistral"],
  ["MistralAI-Index", "search", "Mistral"],
  ["meta-externalfetcher", "ai", "Meta"],
  ["meta-webindexer", "search", "Meta"],
  ["meta-externalagent", "training", "Meta"],
  ["FacebookBot", "training", "Meta"],
  ["DuckAssistBot", "ai", "DuckDuckGo"],
  ["kagi-fetcher", "ai", "Kagi"],
  ["Manus-User", "ai", "Manus"],
  ["TwinAgent", "ai", "Twin"],
  ["Anchor Browser", "ai", "Anchor"],
  ["browser-use", "ai", "Browser Use"],
  ["Skyvern", "ai", "Skyvern"],
  ["cohere-ai", "ai", "Cohere"],
  ["cohere-training-data-crawler", "training", "Cohere"],
  ["GrokBot", "ai", "xAI"],
  ["Grok-DeepSearch", "ai", "xAI"],
  ["xAI-Grok", "ai", "xAI"],
  ["xAI-SearchBot", "search", "xAI"],
  ["PhindBot", "ai", "Phind"],
  ["LinerBot", "ai", "Liner"],
  ["LinkupBot", "ai", "Linkup"],
  ["TavilyBot", "ai", "Tavily"],
  ["YouBot", "search", "You.com"],
  ["iAskBot", "search", "iAsk"],
  ["iaskspider", "search", "iAsk"],
  ["Andibot", "search", "Andi"],
  ["ExaBot", "search", "Exa"],
  ["kagibot", "search", "Kagi"],
  ["Bravebot", "search", "Brave"],
  ["Applebot", "search", "Apple"],
  ["PetalBot", "search", "Huawei"],
  ["AISearchBot", "search", "AI Search"],
  ["Aranet-SearchBot", "search", "Aranet"],
  ["WRTNBot", "search", "Wrtn"],
  ["ModelContextProtocol", "ai", "Model Context Protocol"],
  ["mcp-fetch", "ai", "Model Context Protocol"],
  ["context7", "ai", "Upstash"],
  ["JinaReader", "ai", "Jina"],
  ["Jina-Reader", "ai", "Jina"],
  ["OpenWebUI", "ai", "Open WebUI"],
  ["Open-WebUI", "ai", "Open WebUI"],
  ["AnythingLLM", "ai", "Mintplex"],
  ["LibreChat", "ai", "LibreChat"],
  ["NotionAI", "ai", "Notion"],
  ["AI2Bot-DeepResearchEval", "ai", "Ai2"],
  ["AI2Bot", "training", "Ai2"],
  ["Ai2Bot-Dolma", "training", "Ai2"],
  ["CCBot", "training", "Common Crawl"],
  ["Bytespider", "training", "ByteDance"],
  ["TikTokSpider", "training", "ByteDance"],
  ["DeepSeekBot", "training", "DeepSeek"],
  ["ChatGLM-Spider", "training", "Zhipu"],
  ["PanguBot", "training", "Huawei"],
  ["Diffbot", "training", "Diffbot"],
  ["omgili", "training", "Webz.io"],
  ["omgilibot", "training", "Webz.io"],
  ["Webzio", "training", "Webz.io"],
  ["ImagesiftBot", "training", "ImageSift"],
  ["img2dataset", "training", "img2dataset"],
  ["laion-huggingface-processor", "training", "LAION"],
  ["Timpibot", "training", "Timpi"],
  ["Kangaroo Bot", "training", "Kangaroo LLM"],
  ["ICC-Crawler", "training", "NICT"],
  ["SBIntuitionsBot", "training", "SB Intuitions"],
  ["FriendlyCrawler", "training", "FriendlyCrawler"],
  ["Cotoyogi", "training", "ROIS"],
  ["Spawning-AI", "training", "Spawning"],
  ["VelenPublicWebCrawler", "other", "Hunter"],
  ["Cloudflare-AutoRAG", "other", "Cloudflare"],
  ["FirecrawlAgent", "other", "Firecrawl"],
  ["Crawl4AI", "other", "Crawl4AI"],
  ["ApifyBot", "other", "Apify"],
  ["ApifyWebsiteContentCrawler", "other", "Apify"],
  ["Brightbot", "other", "Bright Data"],
  ["atlassian-bot", "other", "Atlassian"],
  ["Poggio-Citations", "other", "Poggio"],
  ["QuillBot", "other", "QuillBot"],
  ["KlaviyoAIBot", "other", "Klaviyo"],
  ["SemrushBot-OCOB", "other", "Semrush"],
  ["SemrushBot-SWA", "other", "Semrush"],
];

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
const oneOf = (patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"));
const search = oneOf(crawlers.search);

const roleKinds: Readonly<Record<AgentRole, ViewKind>> = { ai: 1, search: 2, training: 3, other: 4 };
const kindsByWord = new Map(agents.map(([word, role]) => [word.toLowerCase(), roleKinds[role]]));
const agentWord = new RegExp(
  `(?<![\\w-])(?:${agents
    .map(([word]) => word)
    .sort((a, b) => b.length - a.length)
    .join("|")})(?![\\w-])`,
  "i",
);
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
