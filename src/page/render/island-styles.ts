import { createHash } from "node:crypto";

/** The style sheet of a page's live components: the `style` attributes as classes, and what `style` elements hold. */
export class IslandStyles {
  private readonly rules = new Map<string, string>();

  /** The class that has these declarations. An id in the selector, which no page has, lets it win as an attribute would. */
  classOf(declarations: string): string {
    const name = `style-${hashOf(declarations)}`;
    this.rules.set(name, `.${name}:not(#\\_):not(#\\_){${declarations.replace(/[{}]/g, "")}}`);
    return name;
  }

  add(css: string): void {
    this.rules.set(css, css);
  }

  /** Absent if there is no rule. */
  file(): { readonly outputPath: string; readonly bytes: Uint8Array } | undefined {
    if (this.rules.size === 0) return undefined;
    const css = [...this.rules.values()].join("\n");
    return { outputPath: `_offprint/i/${hashOf(css)}.css`, bytes: Buffer.from(`${css}\n`) };
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 12);
