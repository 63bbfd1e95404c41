import { createHash } from "node:crypto";
import type { ElementContent } from "hast";
import type { Banner as BannerConfig } from "../config/site-config.js";
import type { JsxNode } from "../jsx/jsx-runtime.js";
import { Drawing } from "./drawings.js";
import type { Strings } from "./strings.js";

interface BannerProps {
  readonly banner: BannerConfig;
  readonly words: Strings;
  readonly renderInline: (markdown: string) => ElementContent[];
}

/** The bar above the header. Once dismissed it stays away until its content changes. */
export function Banner({ banner, words, renderInline }: BannerProps): JsxNode {
  const key = createHash("sha256").update(banner.content).digest("hex").slice(0, 8);
  return (
    <div
      id="banner"
      role="region"
      aria-label={words.announcement}
      data-banner-type={banner.type}
      data-banner-color={banner.color ? "" : undefined}
      data-banner-key={banner.dismissible ? key : undefined}
    >
      <div class="banner-content">{renderInline(banner.content)}</div>
      {banner.dismissible && (
        <button type="button" class="banner-dismiss" aria-label={words.dismiss}>
          <Drawing name="close" />
        </button>
      )}
    </div>
  );
}
