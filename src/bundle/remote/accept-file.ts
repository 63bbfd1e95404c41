import { transform } from "lightningcss";
import { isSvgText, type MediaType, mediaTypeOf, svgType } from "../../lib/media-type.js";
import { isLoadedAs, type LoadedKind } from "../../site/links/index.js";
import { createImports } from "../assets/import-rule.js";
import { decodeSvg, sanitizeSvg } from "../assets/svg.js";

/** A fetched file, by its bytes: neither the header nor the name of the file counts. */
export type Accepted =
  | {
      readonly kind: "file";
      readonly type: MediaType;
      readonly bytes: Uint8Array;
      /** Parts of a drawing that could run code. */
      readonly removed: readonly string[];
    }
  | { readonly kind: "style"; readonly text: string; readonly loads: readonly StyleLoad[] }
  | { readonly kind: "refused"; readonly reason: string };

/** A larger style sheet is not read. */
const maxStyleBytes = 2 * 1024 * 1024;

/** @param kinds how the pages use the file. @param base where its bytes come from. */
export function acceptFile(bytes: Uint8Array, kinds: ReadonlySet<LoadedKind>, base: string): Accepted {
  const isAccepted = (type: MediaType): boolean => [...kinds].some((kind) => isLoadedAs(kind, type));
  const type = mediaTypeOf(bytes);
  if (type && isAccepted(type)) return { kind: "file", type, bytes, removed: [] };
  if (!type && isAccepted(svgType)) {
    const { text } = decodeSvg(bytes);
    if (isSvgText(text)) {
      const safe = sanitizeSvg(text);
      return { kind: "file", type: svgType, bytes: Buffer.from(safe.text), removed: safe.removed };
    }
  }
  if (!type && kinds.has("style") && bytes.length <= maxStyleBytes) {
    const text = Buffer.from(bytes).toString("utf8");
    const loads = styleLoads(text, base);
    if (loads) return { kind: "style", text, loads };
  }
  return { kind: "refused", reason: wrongType(kinds) };
}

/** Completes a sentence that ends with "because". */
export function wrongType(kinds: ReadonlySet<LoadedKind>): string {
  if (kinds.has("style")) return "its content is neither a style sheet nor a font";
  return kinds.has("media")
    ? "its content is not a video, an audio file or captions that browsers play"
    : "its content is not an image or a font that browsers show";
}

interface StyleLoad {
  readonly kind: LoadedKind;
  /** Absolute. */
  readonly url: string;
}

/** The new address of something that a style sheet loads; undefined removes the import. */
type NewAddress = (load: StyleLoad) => string | undefined;

/**
 * A style sheet of another host. Its addresses become absolute before `newAddress` sees them.
 *
 * @param base where the style sheet comes from
 * @returns undefined for a text without a rule that a browser reads
 */
export function rewriteStyle(text: string, base: string, newAddress: NewAddress): Uint8Array | undefined {
  const load = (kind: LoadedKind, written: string): StyleLoad | undefined => {
    const url = URL.parse(written, base)?.href ?? "";
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

/** The addresses that a style sheet loads, each once; undefined if the text is not a style sheet. */
function styleLoads(text: string, base: string): readonly StyleLoad[] | undefined {
  // HTML and JSON have parts that look like rules.
  if (/^[\s\ufeff]*(?:<(?!!--)|[{[])/.test(text)) return undefined;
  const loads = new Map<string, StyleLoad>();
  const code = rewriteStyle(text, base, (load) => {
    loads.set(`${load.kind} ${load.url}`, load);
    return load.url;
  });
  return code && [...loads.values()];
}
