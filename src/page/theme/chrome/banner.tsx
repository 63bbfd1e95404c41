import { createHash } from "node:crypto";
import type { ElementContent } from "hast";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Messages } from "../../../lib/language/index.js";
import type { Banner } from "../../../site/config/index.js";
import { Glyph, tintOf } from "../icons.js";

/** The key by which a browser remembers a closed banner; new content gives a new key. */
export const bannerKey = ({ dismissible, content }: Banner): string | undefined =>
  dismissible ? createHash("sha256").update(content).digest("hex").slice(0, 8) : undefined;

/** The bar above the header. */
export function bannerOf(
  banner: Banner,
  messages: Messages,
  renderInline: (markdown: string) => ElementContent[],
): JsxNode {
  return (
    <div
      id="banner"
      class="site-banner"
      role="region"
      aria-label={messages.announcement}
      data-banner-type={banner.type}
      data-tint={tintOf(banner.color)}
    >
      <div class="banner-content">{renderInline(banner.content)}</div>
      {banner.dismissible && (
        <button type="button" class="banner-dismiss" aria-label={messages.dismiss}>
          <Glyph name="close" />
        </button>
      )}
    </div>
  );
}
