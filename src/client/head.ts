/**
 * Runs in the head before the first paint: marks that scripts run, sets the colour mode, hides a closed banner, loads
 * the font of the text, and restores the sidebar.
 */
import { recall } from "./memory.js";
import { applyMode } from "./mode.js";
import { restoreGroups, restoreScroll } from "./sidebar-state.js";

const root = document.documentElement;
root.classList.add("js");
applyMode();
if (recall("banner") === root.dataset.bannerKey) root.classList.add("banner-closed");

// Browsers would ask for the font after the style sheets. They refuse to preload it from file://, and report an error.
const font = document.currentScript?.dataset["font"];
if (font && location.protocol !== "file:") {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "font", crossOrigin: "", href: font });
  document.head.append(link);
}

// The sidebar precedes the content area, so it is complete once that begins.
new MutationObserver((_, observer) => {
  if (!document.querySelector(".content-area")) return;
  observer.disconnect();
  restoreGroups();
  requestAnimationFrame(restoreScroll);
}).observe(root, { childList: true, subtree: true });
