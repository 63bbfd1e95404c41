import { transform } from "lightningcss";
import type { LoadedKind } from "../../site/links/index.js";
import { createImports } from "../assets/index.js";

export interface StyleLoad {
  readonly kind: LoadedKind;
  /** Absolute. */
  readonly url: string;
}

/** The new address of something that a style sheet loads; undefined removes the import. */
export type NewAddress = (load: StyleLoad) => string | undefined;

/**
 * A style sheet of another host. Its addresses become absolute before `newAddress` sees them.
 *
 * @param base where the style sheet comes from
 * @returns undefined for a text without a rule that a browser reads
 */
export function rewriteStyle(text: string, base: string, newAddress: NewAddress): Uint8Array | undefined {
  const load = (kind: LoadedKind, written: string): StyleLoad | undefined => {
    const url = URL.canParse(written, base) ? new URL(written, base).href : "";
    return !written.startsWith("#") && /^https?:/i.test(url) ? { kind, url } : undefined;
  };
  const imports = createImports(text);
  try {
    const { code } = transform({
      filename: "remote.css",
      code: new TextEncoder().encode(text),
      minify: true,
      errorRecovery: true,
      visitor: {
        Rule: {
          import({ value }) {
            const imported = load("style", value.url);
            const url = imported && newAddress(imported);
            return url === undefined ? [] : imports.importOf(value, url);
          },
        },
        Url(url) {
          const loaded = load("image", url.url);
          return loaded ? { ...url, url: newAddress(loaded) ?? loaded.url } : url;
        },
      },
    });
    return code.length > 0 ? imports.finish(code) : undefined;
  } catch {
    return undefined;
  }
}

/** What a style sheet loads, each once; undefined for a text that is none. */
export function styleLoads(text: string, base: string): readonly StyleLoad[] | undefined {
  // HTML and JSON have parts that look like rules.
  if (/^[\s\ufeff]*(?:<(?!!--)|[{[])/.test(text)) return undefined;
  const loads = new Map<string, StyleLoad>();
  const code = rewriteStyle(text, base, (load) => {
    loads.set(`${load.kind} ${load.url}`, load);
    return load.url;
  });
  return code && [...loads.values()];
}
