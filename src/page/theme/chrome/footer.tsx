import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Footer } from "../../../site/config/index.js";
import { socialIcon, socialName } from "../icons.js";
import type { ChromeContext } from "./chrome-context.js";
import { frameLink, outside } from "./menus.js";

/** Columns of links, and social links. Without columns it is inside the text, so not a landmark and without a name. */
export function footerOf(footer: Footer, context: ChromeContext): JsxNode {
  const { icons, messages } = context;
  const advanced = footer.links.length > 0;
  return (
    <footer
      id="footer"
      class={advanced ? "footer advanced-footer" : "footer"}
      aria-label={advanced ? messages.footer : undefined}
    >
      {advanced && (
        <div class="footer-columns">
          {footer.links.map((column) => (
            <div class="footer-column">
              {column.header && <p class="footer-header">{column.header}</p>}
              <ul>
                {column.items.map((item) => (
                  <li>
                    {item.icon === undefined ? (
                      <a {...outside(context, item.href)}>{item.label}</a>
                    ) : (
                      frameLink(context, item)
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
      {footer.socials.length > 0 && (
        <ul class="footer-socials" aria-label={advanced ? undefined : messages.footer}>
          {footer.socials.map(({ type, href }) => {
            const icon = icons.of(socialIcon(type));
            return (
              <li>
                <a class="icon-button" aria-label={socialName(type)} {...outside(context, href)}>
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
