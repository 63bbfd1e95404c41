import type { LightDark } from "../../site/config/index.js";

/** Names a pair of colours that the site's own style sheet holds: `ff0000-cc0000`, for `data-tint`. */
export const tintOf = (color: LightDark | undefined): string | undefined =>
  color && `${color.light.slice(1)}-${color.dark.slice(1)}`;
