import { sharedFolder } from "./counterparts.js";
import { htmlOf } from "./html.js";
import type { PageContext } from "./page.js";
import { divisionsIn } from "./sections.js";
import type { ThemeOptions } from "./theme-options.js";

type NotFoundContext = Omit<PageContext, "plan" | "icons"> & Pick<ThemeOptions, "searchIndexes">;

/**
 * The content of the 404 page, with a link to the home page. The client adds the pages whose addresses are most similar
 * to the requested one, and shows their list.
 */
export function notFoundBody(context: NotFoundContext, title: string, description: string | undefined): string {
  const { site, links, prefix, messages, renderInline } = context;
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
      <nav
        class="not-found-near"
        data-scopes={JSON.stringify([...scopesOf(context)])}
        aria-label={messages.similarPages}
        hidden
      />
    </div>,
  );
}

/** The search indexes of languages and versions, by their folders. Those without a folder are left out. */
function scopesOf({ site, searchIndexes }: NotFoundContext): Map<string, readonly string[]> {
  const scopes = new Map<string, readonly string[]>();
  for (const section of site.sections) {
    const divisions = section.kind === "language" || section.kind === "version" ? divisionsIn(site, section) : [];
    const indexes = divisions[0] ? (searchIndexes?.(divisions[0]) ?? []) : [];
    const folder = sharedFolder(divisions.flatMap(({ order }) => order).map((index) => site.pages[index]!));
    if (indexes.length > 0 && folder !== "") scopes.set(`${folder.slice(1)}/`, indexes);
  }
  return scopes;
}
