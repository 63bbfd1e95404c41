/**
 * Runs in the head before the first paint: says that scripts work, sets the colour mode, hides a banner that the reader
 * has closed, and puts the sidebar back as he left it. The mode is the reader's choice if he made one, else what the site asks for, else the system's.
 */
import { recall } from "./memory.js";
import { restoreGroups, restoreScroll } from "./sidebar-state.js";

const root = document.documentElement;
root.classList.add("js");
const { appearance, appearanceStrict, bannerKey } = root.dataset;
const chosen = appearanceStrict === undefined ? recall("mode") : undefined;
const wanted = chosen ?? appearance ?? "system";
const dark = wanted === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : wanted === "dark";
root.classList.toggle("dark", dark);
if (bannerKey !== undefined && recall("banner") === bannerKey) root.classList.add("banner-closed");

// The sidebar comes before the page, so once the page begins it is whole.
new MutationObserver((_, observer) => {
  if (!document.querySelector(".content-area")) return;
  observer.disconnect();
  restoreGroups();
  requestAnimationFrame(restoreScroll);
}).observe(root, { childList: true, subtree: true });
