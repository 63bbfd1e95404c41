/** The type of a file according to its bytes. */
export interface MediaType {
  /** `image/png`. */
  readonly type: string;
  /** Without a dot. */
  readonly extension: string;
  /** `text` is captions of a video. */
  readonly group: "image" | "font" | "video" | "audio" | "text";
}

/** The type of an image, font, video or audio file by its first bytes. For SVG use `isSvgText`. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  const head = Buffer.from(bytes.subarray(0, headBytes));
  // The bytes as hex, then the format name of MP4 and related formats as text.
  const text = `${head.toString("hex")} ${head.toString("latin1", 4, 12)}`;
  return signatures.find(([signature]) => signature.test(text))?.[1];
}

const headBytes = 48;

const signatures = (
  [
    [/^89504e470d0a1a0a/, "image/png", "png"],
    [/^ffd8ff/, "image/jpeg", "jpg"],
    [/^474946383[79]61/, "image/gif", "gif"],
    [/^52494646.{8}57454250/, "image/webp", "webp"],
    [/ ftypavi[fs]$/, "image/avif", "avif"],
    [/^424d.{8}0{8}/, "image/bmp", "bmp"],
    [/^00000100/, "image/x-icon", "ico"],
    [/^774f4632/, "font/woff2", "woff2"],
    [/^774f4646/, "font/woff", "woff"],
    [/^4f54544f/, "font/otf", "otf"],
    [/^(?:00010000|74727565)/, "font/ttf", "ttf"],
    [/^.{16}0[0-2]000[12]00.{44}4c50/, "font/eot", "eot"],
    [/ ftypqt {2}$/, "video/quicktime", "mov"],
    [/ ftypM4[AB] $/, "audio/mp4", "m4a"],
    [/ ftyp(?:isom|iso\d|mp4.|avc1|M4V.|dash|mmp4|MSNV|f4v.)$/, "video/mp4", "mp4"],
    [/^1a45dfa3/, "video/webm", "webm"],
    [/^4f676753/, "video/ogg", "ogv"],
    [/^(?:494433|fff[23ab])/, "audio/mpeg", "mp3"],
    [/^52494646.{8}57415645/, "audio/wav", "wav"],
    [/^664c6143/, "audio/flac", "flac"],
    [/^(?:efbbbf)?574542565454/, "text/vtt", "vtt"],
  ] as const
).map(
  ([signature, type, extension]) =>
    [signature, { type, extension, group: type.slice(0, type.indexOf("/")) as MediaType["group"] }] as const,
);

export const svgType: MediaType = { type: "image/svg+xml", extension: "svg", group: "image" };

/** Whether the first element of a text is `svg`. HTML that contains an SVG drawing is not SVG. */
export function isSvgText(text: string): boolean {
  let at = 0;
  for (;;) {
    at = skipBlank(text, at);
    const end = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? "?>" : undefined;
    if (end !== undefined) at = after(text, end, at);
    else if (/^<!doctype/i.test(text.slice(at, at + 9))) at = afterDoctype(text, at);
    else return /^<(?:[a-z][\w.-]{0,20}:)?svg[\s/>]/i.test(text.slice(at, at + 30));
  }
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s\ufeff]/.test(text[at]!)) at++;
  return at;
}

/** The end of a doctype, after its declarations in brackets. */
function afterDoctype(text: string, from: number): number {
  const close = after(text, ">", from);
  const open = text.indexOf("[", from);
  return open < 0 || open > close ? close : after(text, ">", after(text, "]", open));
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** A larger drawing stays a file, since a style sheet that contains it would be slow to read. */
const maxUrlLength = 64 * 1024;

/** An SVG drawing as a `data:` URL, since pages from disk load no masks from files; undefined if it is large. */
export const svgUrl = (svg: string): string | undefined =>
  svg.length > maxUrlLength ? undefined : `data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}`;
