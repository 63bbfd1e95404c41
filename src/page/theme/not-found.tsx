import { htmlOf } from "./html.js";
import type { PageContext } from "./page.js";

/** The content of the 404 page, with a link to the home page. */
export function notFoundBody(
  { site, links, prefix, messages, renderInline }: Omit<PageContext, "plan" | "icons">,
  title: string,
  description: string | undefined,
): string {
  const home = site.homePage === undefined ? `${prefix}index.html` : links.page(prefix, site.homePage);
  return htmlOf(
    <div class="not-found-container">
      <p class="not-found-status-code">404</p>
      <h1 class="not-found-title" id="page-title">
        {title}
      </h1>
      <div class="not-found-description">
        {description === undefined ? messages.notFoundText : renderInline(description)}
      </div>
      <a class="button-primary not-found-home" href={home}>
        {messages.home}
      </a>
    </div>,
  );
}
