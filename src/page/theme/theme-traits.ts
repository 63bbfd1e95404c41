import type { ThemeName } from "../../site/config/index.js";

/** In what themes differ beside their style sheet. */
export interface ThemeTraits {
  /** Tabs stand beside the logo where there is room, not in a row of their own. */
  readonly tabsBesideLogo: boolean;
  /** The logo stands over the sidebar and takes its width. */
  readonly logoOverSidebar?: boolean;
  /** What stands above a page's title where docs.json does not say. */
  readonly eyebrows: "section" | "breadcrumbs";
}

const classic: ThemeTraits = { tabsBesideLogo: false, eyebrows: "section" };
const oneRow: ThemeTraits = { tabsBesideLogo: true, eyebrows: "section" };
const large: ThemeTraits = { tabsBesideLogo: true, eyebrows: "breadcrumbs" };

export const themeTraits: Readonly<Record<ThemeName, ThemeTraits>> = {
  mint: classic,
  maple: { ...oneRow, logoOverSidebar: true },
  palm: classic,
  willow: oneRow,
  linden: classic,
  almond: oneRow,
  aspen: large,
  sequoia: large,
  luma: oneRow,
};
