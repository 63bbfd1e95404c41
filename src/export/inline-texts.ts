import type { ElementContent } from "hast";
import type { Location } from "../lib/diagnostic/index.js";
import { raw } from "../lib/jsx/raw.js";
import type { RenderedPage, Renderer } from "../page/render/index.js";
import type { PagePlan } from "../site/site.js";

export interface InlineText {
  readonly markdown: string | undefined;
  /** Called only for a text with markup. */
  readonly location: () => Location;
}

/** What all texts together need and report. */
export type PreparedTexts = Pick<RenderedPage, "uses" | "external" | "stylesheets" | "diagnostics">;

/** Renders the short Markdown of settings and front matter in advance, since the theme asks for it synchronously. */
export function createInlineTexts(renderer: Pick<Renderer, "renderInline">) {
  const prepared = new Map<string, string>();
  return {
    /**
     * Renders texts as parts of the page `plan`. `root` is put before relative addresses, for a page that servers show at
     * any address.
     */
    async prepare(plan: PagePlan, texts: readonly InlineText[], root = ""): Promise<PreparedTexts> {
      prepared.clear();
      const rendered = [];
      for (const [i, { markdown, location }] of texts.entries()) {
        if (markdown === undefined || !/[^\p{L}\p{N}\s.,;:'"()-]/u.test(markdown)) continue;
        const text = await renderer.renderInline(plan, markdown, location(), `text${i + 1}-`);
        prepared.set(markdown, withRoot(root, text.html));
        rendered.push(text);
      }
      return {
        uses: rendered.flatMap(({ uses }) => uses),
        external: rendered.flatMap(({ external }) => external),
        stylesheets: rendered.flatMap(({ stylesheets }) => stylesheets),
        diagnostics: rendered.flatMap(({ diagnostics }) => diagnostics),
      };
    },
    /** The HTML of a text; of one without markup, the text. */
    render(markdown: string): ElementContent[] {
      const html = prepared.get(markdown);
      return html === undefined ? [{ type: "text", value: markdown }] : [raw(html)];
    },
  };
}

const withRoot = (root: string, html: string): string =>
  root === ""
    ? html
    : html.replace(/ (href|src)="(?![a-z][a-z0-9+.-]*:|[/#])/gi, (_, name: string) => ` ${name}="${root}`);
