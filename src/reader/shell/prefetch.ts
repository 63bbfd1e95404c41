import { pageLinks } from "../../lib/html/page-links.js";
import { all, closestTo, create } from "../dom.js";

/** How long the pointer or the focus must rest on a link before its page is fetched. */
const restMs = 65;
/** After this time, a browser with speculation rules has requested the page. */
const afterRulesMs = 300;

/**
 * Over HTTP, fetches the page of a link when the reader points at it, so that it opens at once. Each page is fetched once,
 * and none if the reader saves data. If the host sends speculation rules, browsers that support them fetch the page
 * themselves. Then only the style sheets are fetched here, since a page that is not prerendered would wait for them.
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

/** Style sheets of the bundle. Their names contain a hash, so browsers cache them. */
const styles = /<link rel="stylesheet" href="((?:\.\.\/)*_offprint\/[^"&]+)"/g;

/** Reads the page from the cache, and fetches its style sheets that the current page does not use. */
async function prefetchStyles(path: string): Promise<void> {
  const response = await fetch(path, { cache: "force-cache" });
  const [head = ""] = (await response.text()).split("</head>", 1);
  const loaded = new Set(all<HTMLLinkElement>("link").map(({ href }) => href));
  for (const [, written = ""] of head.matchAll(styles)) {
    const { href } = new URL(written, response.url);
    if (!loaded.has(href)) document.head.append(create("link", { rel: "prefetch", as: "style", href }));
  }
}

function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? "");
}

/** Scripts cannot read the header with the rules, so hosts that send it also send a `Server-Timing` entry. */
function hasRules(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isSent = navigation?.serverTiming?.some(({ name }) => name === "speculation-rules");
  return isSent === true && HTMLScriptElement.supports?.("speculationrules") === true;
}
