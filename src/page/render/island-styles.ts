import { createHash } from "node:crypto";
import { posix } from "node:path";

/**
 * The style sheet of what the code of a page shows: the `style` attributes as classes, and what `style` elements of live
 * components hold.
 */
export class IslandStyles {
  /** How often something has used the style sheet. */
  useCount = 0;
  private readonly rules = new Map<string, string>();

  /** The class that has these declarations. An id in the selector, which no page has, lets it win as an attribute would. */
  classOf(declarations: string, pagePath: string): string {
    this.useCount++;
    const name = `style-${hashOf(declarations)}`;
    const own = fromSheet(declarations.replace(/[{}]/g, ""), pagePath);
    this.rules.set(name, `.${name}:not(#\\_):not(#\\_){${own}}`);
    return name;
  }

  add(css: string, pagePath: string): void {
    this.useCount++;
    this.rules.set(css, fromSheet(css, pagePath));
  }

  /** Absent if there is no rule. */
  file(): { readonly outputPath: string; readonly bytes: Uint8Array } | undefined {
    if (this.rules.size === 0) return undefined;
    const css = [...this.rules.values()].join("\n");
    return { outputPath: `_offprint/i/${hashOf(css)}.css`, bytes: Buffer.from(`${css}\n`) };
  }
}

/** Addresses of the page, which are written in this form, as the style sheet has them. */
const fromSheet = (css: string, pagePath: string): string =>
  css.replace(/(url\(|@import )"(?![a-z][a-z\d+.-]*:|[/#])([^"]+)"/gi, (_, kind: string, path: string) => {
    const address = posix.join("../..", posix.dirname(pagePath), path);
    return `${kind}"${address}"`;
  });

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);
