import type { MediaType } from "../../lib/media-type.js";
import type { FoundTarget } from "./target.js";

/** What a page loads: `media` is video and audio, `style` a style sheet or a font, `embed` another page. */
export type LoadedKind = "image" | "media" | "embed" | "script" | "style";

/** The copy of a file of another host. */
export interface EmbeddedFile {
  readonly outputPath: string;
  readonly group: MediaType["group"] | "style";
  readonly size?: FoundTarget["size"];
}

/** By `embeddedKey`. */
export type EmbeddedFiles = ReadonlyMap<string, EmbeddedFile>;

/** A URL without its fragment, which servers do not see. */
export const embeddedKey = (url: string): string => url.replace(/#.*$/s, "");

/** What each kind of use accepts. An address in a style sheet counts as an image, and may be a font. */
const groups: Readonly<Record<LoadedKind, readonly EmbeddedFile["group"][]>> = {
  image: ["image", "font"],
  media: ["video", "audio", "image", "text"],
  style: ["style", "font"],
  embed: [],
  script: [],
};

export const isLoadedAs = (kind: LoadedKind, { group }: Pick<EmbeddedFile, "group">): boolean =>
  groups[kind].includes(group);

export function embeddedTarget(files: EmbeddedFiles, url: string, kind: LoadedKind): FoundTarget | undefined {
  const key = embeddedKey(url);
  const file = files.get(key);
  if (file === undefined || !isLoadedAs(kind, file)) return undefined;
  const { outputPath, size } = file;
  return { kind: "file", outputPath, suffix: url.slice(key.length), ...(size ? { size } : {}) };
}
