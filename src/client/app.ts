/** Conveniences of every page. Without scripts a page can still be read in full. */
import { wireBanner } from "./banner.js";
import { wireCopy } from "./copy.js";
import { wireDiagrams } from "./diagrams.js";
import { wireDrawer } from "./drawer.js";
import { wireFragments } from "./fragments.js";
import { wireHeader } from "./header.js";
import { wireMenus } from "./menus.js";
import { wireMissingImages } from "./missing-images.js";
import { wireOutline } from "./outline.js";
import { wirePageMenu } from "./page-menu.js";
import { wirePlayground } from "./playground.js";
import { wirePrefetch } from "./prefetch.js";
import { wireSearch } from "./search.js";
import { wireSidebar } from "./sidebar.js";
import { wireTabs } from "./tabs.js";
import { wireTheme } from "./theme.js";
import { wireTooltips } from "./tooltips.js";
import { wireTrees } from "./trees.js";
import { wireUpdates } from "./updates.js";
import { wireViews } from "./views.js";
import { wireWrap } from "./wrap.js";
import { wireZoom } from "./zoom.js";

// Parts that change the height of the page come before parts that measure it.
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
  wireBanner,
  wireSearch,
  wirePlayground,
  wirePrefetch,
])
  wire();
