import { pageLinks } from "../../lib/page-links.js";
import { all, closestTo, create } from "../dom.js";

/** How long the pointer or the focus rests on a link before it counts as intent. */
const restMs = 65;
/** By then, a browser with speculation rules has asked for the page. */
const afterRulesMs = 300;

/**
 * Over http, fetches the page behind a link when the reader points at it, so that it opens at once. Each page is fetched
 * once, and none to save data. If the host sends speculation rules, browsers that understand them do it themselves; only
 * the style sheets are fetched here, because a browser that does not prerender the page would wait for them.
 */
export function wirePrefetch(): void {
  const { relList } = document.createElement("link");
  if (!location.protocol.startsWith("http") || !relList.supports?.("prefetch") || savesData()) return;
  const byRules = hasRules();
  const fetched = new Set([location.pathname]);
  const listen = (type: string, delayMs: number): void => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    document.addEventListener(
      type,
      (event) => {
        clearTimeout(timer);
        const path = closestTo<HTMLAnchorElement>(event, pageLinks)?.pathname;
        if (path === undefined || fetched.has(path)) return;
        timer = setTimeout(() => {
          fetched.add(path);
          if (byRules) void prefetchStyles(path);
          else document.head.append(create("link", { rel: "prefetch", href: path }));
        }, delayMs);
      },
      { passive: true },
    );
  };
  listen("pointerover", byRules ? afterRulesMs : restMs);
  listen("focusin", byRules ? afterRulesMs : restMs);
  if (!byRules) listen("pointerdown", 0);
}

/** Their names have a hash, so the cache may keep them. */
const styles = /<link rel="stylesheet" href="((?:\.\.\/)*_offprint\/[^"&]+)"/g;

/** Reads the page from the cache, and fetches the style sheets that this page does not use. */
async function prefetchStyles(path: string): Promise<void> {
  const response = await fetch(path, { cache: "force-cache" });
  const [head = ""] = (await response.text()).split("</head>", 1);
  const known = new Set(all<HTMLLinkElement>("link").map(({ href }) => href));
  for (const [, written = ""] of head.matchAll(styles)) {
    const { href } = new URL(written, response.url);
    if (!known.has(href)) document.head.append(create("link", { rel: "prefetch", as: "style", href }));
  }
}

/** The reader asks for little data, or the connection is slow. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? "");
}

/** Scripts cannot read the header with the rules, so hosts that send it also send a `Server-Timing` of this name. */
function hasRules(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const sent = navigation?.serverTiming?.some(({ name }) => name === "speculation-rules");
  return sent === true && HTMLScriptElement.supports?.("speculationrules") === true;
}
