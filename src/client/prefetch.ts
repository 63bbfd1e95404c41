import { pageLinks } from "../lib/page-links.js";
import { closestTo, create } from "./dom.js";

/** How long the pointer or the focus rests on a link before it counts as intent. */
const restMs = 65;

/**
 * Over http, fetches the page behind a link when the reader points at it, so that it opens at once. Each page is fetched
 * once, and none to save data. If the host sends speculation rules, browsers that understand them do it themselves.
 */
export function wirePrefetch(): void {
  const { relList } = document.createElement("link");
  if (!location.protocol.startsWith("http") || !relList.supports?.("prefetch") || savesData() || hasRules()) return;
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
          document.head.append(create("link", { rel: "prefetch", href: path }));
        }, delayMs);
      },
      { passive: true },
    );
  };
  listen("pointerover", restMs);
  listen("focusin", restMs);
  listen("pointerdown", 0);
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
