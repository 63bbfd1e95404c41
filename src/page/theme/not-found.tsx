import type { ElementContent } from "hast";
import type { Messages } from "../../lib/language/index.js";
import type { Site } from "../../site/site.js";
import { htmlOf } from "./html.js";
import type { Links } from "./links.js";

interface NotFoundProps {
  readonly site: Site;
  readonly links: Links;
  readonly prefix: string;
  readonly messages: Messages;
  readonly title: string;
  readonly description?: string;
  readonly renderInline: (markdown: string) => ElementContent[];
}

/** The content of the 404 page, with a link to the home page. */
export function notFoundBody(props: NotFoundProps): string {
  const { site, links, prefix, messages } = props;
  const home = site.homePage === undefined ? `${prefix}index.html` : links.page(prefix, site.homePage);
  return htmlOf(
    <div class="not-found-container">
      <p class="not-found-status-code">404</p>
      <h1 class="not-found-title" id="page-title">
        {props.title}
      </h1>
      <div class="not-found-description">
        {props.description === undefined ? messages.notFoundText : props.renderInline(props.description)}
      </div>
      <a class="button-primary not-found-home" href={home}>
        {messages.home}
      </a>
    </div>,
  );
}
