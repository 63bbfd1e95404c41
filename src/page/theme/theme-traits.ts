import type { ThemeName } from "../../site/config/index.js";

/** How themes differ apart from their style sheets. */
export interface ThemeTraits {
  /** Tabs are next to the logo if there is room, not in a row of their own. */
  readonly tabsBesideLogo: boolean;
  /** The logo is above the sidebar and takes its width. */
  readonly logoOverSidebar?: boolean;
  /** What is shown above a page's title, unless docs.json decides. */
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
