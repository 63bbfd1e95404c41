import type { ElementContent } from "hast";
import type { Diagnostic } from "./diagnostic/diagnostic.js";
import type { PagePlan } from "./discover/site.js";
import { raw } from "./jsx/raw.js";
import type { Renderer } from "./render/index.js";

/** Short Markdown of settings and front matter, rendered before the document around a page asks for it. */
export interface InlineTexts {
  /**
   * Renders these for links from `plan`; texts without marks need nothing. `root` is put before relative addresses, for a
   * page that is shown at any address.
   */
  prepare(plan: PagePlan, texts: readonly (string | undefined)[], root?: string): Promise<PreparedTexts>;
  /** What `prepare` was given last for this text. */
  render(markdown: string): ElementContent[];
}

export interface PreparedTexts {
  readonly diagnostics: readonly Diagnostic[];
  /** Output paths of the style sheets that these texts need beside the common one. */
  readonly stylesheets: readonly string[];
}

export function createInlineTexts(renderer: Pick<Renderer, "renderInline">): InlineTexts {
  const prepared = new Map<string, string>();
  return {
    async prepare(plan, texts, root = "") {
      prepared.clear();
      const diagnostics: Diagnostic[] = [];
      const stylesheets: string[] = [];
      for (const text of texts) {
        if (text === undefined || !/[^\p{L}\p{N}\s.,;:'"()-]/u.test(text)) continue;
        const rendered = await renderer.renderInline(plan, text);
        prepared.set(text, below(root, rendered.html));
        diagnostics.push(...rendered.diagnostics);
        stylesheets.push(...rendered.stylesheets);
      }
      return { diagnostics, stylesheets };
    },
    render(markdown) {
      const html = prepared.get(markdown);
      return html === undefined ? [{ type: "text", value: markdown }] : [raw(html)];
    },
  };
}

const below = (root: string, html: string): string =>
  root === ""
    ? html
    : html.replace(/ (href|src)="(?![a-z][a-z0-9+.-]*:|[/#])/gi, (_, name: string) => ` ${name}="${root}`);
