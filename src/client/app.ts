/** What makes a page comfortable. Everything can be read and reached without it. */
import { wireBanner } from "./banner.ts";
import { wireCopy } from "./copy.ts";
import { wireDiagrams } from "./diagrams.ts";
import { wireDrawer } from "./drawer.ts";
import { wireFragments } from "./fragments.ts";
import { wireMenus } from "./menus.ts";
import { wireOutline } from "./outline.ts";
import { wirePageMenu } from "./page-menu.ts";
import { wirePlayground } from "./playground.ts";
import { wireSearch } from "./search.ts";
import { wireSidebar } from "./sidebar.ts";
import { wireTabs } from "./tabs.ts";
import { wireTheme } from "./theme.ts";
import { wireTooltips } from "./tooltips.ts";
import { wireTrees } from "./trees.ts";
import { wireUpdates } from "./updates.ts";
import { wireViews } from "./views.ts";
import { wireWrap } from "./wrap.ts";
import { wireZoom } from "./zoom.ts";

// What changes the page's height comes before what looks at it.
for (const wire of [
  wireTheme,
  wireTabs,
  wireViews,
  wireUpdates,
  wireFragments,
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
])
  wire();
