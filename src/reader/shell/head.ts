/**
 * Runs in the head before the first paint: marks that scripts run, sets the colour mode, hides a dismissed banner and
 * restores the sidebar.
 */
import { recall } from "../storage.js";
import { restoreGroups, restoreScroll } from "./sidebar.js";
import { applyMode } from "./theme.js";

const root = document.documentElement;
root.classList.add("js");
applyMode();
if (recall("banner") === root.dataset.bannerKey) root.classList.add("banner-closed");

// The sidebar precedes the content area, so it is complete once the content area exists.
new MutationObserver((_, observer) => {
  if (!document.querySelector(".content-area")) return;
  observer.disconnect();
  restoreGroups();
  requestAnimationFrame(restoreScroll);
}).observe(root, { childList: true, subtree: true });
