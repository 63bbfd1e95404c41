import type { JsxNode } from "../../lib/jsx/jsx-runtime.js";
import type { Footer as FooterConfig } from "../../site/config/index.js";
import type { ChromeContext } from "./chrome-context.js";
import { socialIcon, socialName } from "./icons.js";

/** Link columns and social links. */
export function Footer({
  footer,
  context,
}: {
  readonly footer: FooterConfig;
  readonly context: ChromeContext;
}): JsxNode {
  const { links, prefix, icons, messages } = context;
  const advanced = footer.links.length > 0;
  const link = (href: string) => {
    const out = links.written(prefix, href);
    return out.external ? { href: out.href, target: "_blank", rel: "noreferrer" } : { href: out.href };
  };
  return (
    <footer id="footer" class={advanced ? "footer advanced-footer" : "footer"} aria-label={messages.footer}>
      {advanced && (
        <div class="footer-columns">
          {footer.links.map((column) => (
            <div class="footer-column">
              {column.header && <p class="footer-header">{column.header}</p>}
              <ul>
                {column.items.map((item) => (
                  <li>
                    <a {...link(item.href)}>{item.label}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
      {footer.socials.length > 0 && (
        <ul class="footer-socials">
          {footer.socials.map(({ type, href }) => {
            const icon = icons.of(socialIcon(type));
            return (
              <li>
                <a class="icon-button" aria-label={socialName(type)} {...link(href)}>
                  {icon ?? socialName(type)}
                </a>
              </li>
            );
          })}
        </ul>
      )}
    </footer>
  );
}
