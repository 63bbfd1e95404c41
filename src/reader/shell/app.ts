/** Conveniences on every page. Pages are complete without scripts. */
import { wireCopy } from "../copy.js";
import { onClick } from "../dom.js";
import { wireOffPaper } from "../off-paper.js";
import { wirePlayground } from "../playground/entry.js";
import { wireSearch } from "../search/entry.js";
import { remember } from "../storage.js";
import { wireWrap } from "./code-blocks.js";
import { wireDiagrams } from "./diagrams.js";
import { wireEmbeds } from "./embeds.js";
import { wireFragments, wireUpdates } from "./fragments.js";
import { wireMissingImages, wireZoom } from "./images.js";
import { wireOutline } from "./outline.js";
import { wireMenus, wirePageMenu } from "./page-menu.js";
import { wirePrefetch } from "./prefetch.js";
import { wireDrawer, wireSidebar } from "./sidebar.js";
import { wireTabs, wireViews } from "./tabs.js";
import { wireTheme } from "./theme.js";
import { wireTooltips } from "./tooltips.js";
import { wireTrees } from "./trees.js";

// Functions that change the height of the page run before those that measure it.
for (const wire of [
  wireTheme,
  wireMissingImages,
  wireTabs,
  wireViews,
  wireUpdates,
  wireFragments,
  wireHeader,
  wireSidebar,
  wireOutline,
  wireMenus,
  wireDrawer,
  wireCopy,
  wireWrap,
  wirePageMenu,
  wireTooltips,
  wireTrees,
  wireZoom,
  wireDiagrams,
  wireEmbeds,
  wireBanner,
  wireSearch,
  wirePlayground,
  wirePrefetch,
  wireOffPaper,
])
  wire();

/** Blurs content that scrolls under the header. Not at the top of the page, where the blur would only delay the first paint. */
function wireHeader(): void {
  const header = document.querySelector(".site-header");
  addEventListener("scroll", () => header?.toggleAttribute("data-over", scrollY > 0), { passive: true });
}

/** A dismissed banner stays hidden until its content changes. On later pages the script in the head hides it. */
function wireBanner(): void {
  onClick(".banner-dismiss", () => {
    const root = document.documentElement;
    root.classList.add("banner-closed");
    remember("banner", root.dataset.bannerKey ?? "");
  });
}
