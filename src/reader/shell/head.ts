/**
 * Runs in the head before the first paint: marks that scripts run, sets the colour mode, hides a dismissed banner, loads
 * the font of the text and restores the sidebar. On a page that has moved, it keeps the anchor, which a refresh drops.
 */
import { recall } from "../storage.js";
import { restoreGroups, restoreScroll } from "./sidebar.js";
import { applyMode } from "./theme.js";

declare global {
  /** Address of the font of the text, relative to this script; the export writes it where it is known. */
  var offprintFont: string | undefined;
}

/** After this time, text is painted in another font. */
const longestWaitMs = 300;
const root = document.documentElement;
root.classList.add("js");
applyMode();
const moved = document.querySelector<HTMLMetaElement>("meta[http-equiv=refresh]")?.content.slice("0; url=".length);
if (moved?.includes("#") === false && location.hash) location.replace(moved + location.hash);
if (recall("banner") === root.dataset.bannerKey) root.classList.add("banner-closed");

// Browsers request a font only when text needs it. It then arrives after the first paint, and lines may break differently.
// From disk, browsers refuse to preload fonts and report an error, so the first paint waits a moment for the font.
if (location.protocol === "file:") {
  root.classList.add("no-font");
  const paint = (): void => root.classList.remove("no-font");
  setTimeout(paint, longestWaitMs);
  const loadFont = (): void => {
    // The style sheets that name the font follow this script.
    if (![...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")].every(({ sheet }) => sheet)) return;
    const { fontFamily } = getComputedStyle(root);
    const fonts = [400, 600].map((weight) => document.fonts.load(`${weight} 1em ${fontFamily}`, `a${document.title}`));
    void Promise.allSettled(fonts).then(paint);
  };
  document.addEventListener("load", ({ target }) => target instanceof HTMLLinkElement && loadFont(), true);
} else if (globalThis.offprintFont !== undefined) {
  const { href } = new URL(offprintFont!, (document.currentScript as HTMLScriptElement).src);
  const link = document.createElement("link");
  document.head.append(Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href }));
}

// The sidebar precedes the content area, so it is complete once the content area exists.
new MutationObserver((_, observer) => {
  if (!document.querySelector(".content-area")) return;
  observer.disconnect();
  restoreGroups();
  requestAnimationFrame(restoreScroll);
}).observe(root, { childList: true, subtree: true });
