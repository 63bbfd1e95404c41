import type { LightDark } from "../../site/config/index.js";

/** Names a pair of colours in the site's own style sheet, for `data-tint`: `ff0000-cc0000`. */
export const tintOf = (color: LightDark | undefined): string | undefined =>
  color && `${color.light.slice(1)}-${color.dark.slice(1)}`;
