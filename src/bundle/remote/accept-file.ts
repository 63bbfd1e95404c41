import { isSvgText, type MediaType, mediaTypeOf, svgType } from "../../lib/media-type.js";
import { isLoadedAs, type LoadedKind } from "../../site/links/index.js";
import { decodeSvg, sanitizeSvg } from "../assets/index.js";
import { type StyleLoad, styleLoads } from "./remote-style.js";

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
  const isWanted = (type: MediaType): boolean => [...kinds].some((kind) => isLoadedAs(kind, type));
  const type = mediaTypeOf(bytes);
  if (type && isWanted(type)) return { kind: "file", type, bytes, removed: [] };
  if (!type && isWanted(svgType)) {
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
