/** Stand-ins for fonts that load: system fonts scaled to their metrics, so that lines keep their height. */
import { brotliDecompressSync, inflateSync } from "node:zlib";

/** Lengths in parts of the font size. */
export interface FontMetrics {
  readonly ascent: number;
  readonly descent: number;
  readonly lineGap: number;
  /** Mean width of the characters of English text. */
  readonly width: number;
  readonly isMono: boolean;
}

/** A text whose letters are about as frequent as in 6,000 paragraphs of documentation. */
const sample = [
  ...("The page shows how to install the package, set a key and send a first request; see the list of options below for " +
    "what each of them does and when you need it."),
];
/** Larger than the tables of any text font. A file that unpacks to more is an attack. */
const maxTableBytes = 64 * 1024 * 1024;

/** @returns undefined if the file is damaged, or is not a font for Latin text */
export function readFontMetrics(bytes: Uint8Array): FontMetrics | undefined {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const signature = file.toString("latin1", 0, 4);
    const read = signature === "wOF2" ? tablesOfWoff2(file) : tablesOfSfnt(file, signature === "wOFF");
    const [head, hhea, os2, hmtx] = ["head", "hhea", "OS/2", "hmtx"].map(read);
    const scale = head!.readUInt16BE(18);
    // A bit of the OS/2 table says that its measures apply.
    const typographic = os2 !== undefined && (os2.readUInt16BE(62) & 128) !== 0;
    const [ascent, descent, lineGap] = [0, 2, 4].map((at) =>
      typographic ? os2.readInt16BE(68 + at) : hhea!.readInt16BE(4 + at),
    );
    const glyph = glyphsOf(read("cmap")!);
    const lastWidth = hhea!.readUInt16BE(34) - 1;
    const widthOf = (character: string): number => {
      const at = Math.min(glyph(character.codePointAt(0)!), lastWidth);
      return hmtx!.readUInt16BE(read.isPacked("hmtx") ? 1 + 2 * at : 4 * at) / scale;
    };
    if (glyph(0x65) === 0) return undefined;
    const width = sample.reduce((sum, character) => sum + widthOf(character), 0) / sample.length;
    const metrics = { ascent: ascent! / scale, descent: -descent! / scale, lineGap: lineGap! / scale, width };
    const isSound = width > 0.1 && Object.values(metrics).every((value) => value >= 0 && value < 5);
    return isSound ? { ...metrics, isMono: widthOf("i") === widthOf("m") } : undefined;
  } catch {
    return undefined;
  }
}

interface ReadTable {
  (tag: string): Buffer | undefined;
  /** Whether the table is transformed, as WOFF2 may do. A transformed `hmtx` has its widths one after the other. */
  readonly isPacked: (tag: string) => boolean;
}

/** OpenType, TrueType and the first WOFF, which compresses each table. */
function tablesOfSfnt(file: Buffer, isWoff: boolean): ReadTable {
  const [first, size, field] = isWoff ? [44, 20, 4] : [12, 16, 8];
  const count = file.readUInt16BE(isWoff ? 12 : 4);
  const entries = new Map<string, number>();
  for (let at = first; at < first + count * size; at += size) entries.set(file.toString("latin1", at, at + 4), at);
  const read = (tag: string): Buffer | undefined => {
    const entry = entries.get(tag);
    if (entry === undefined) return undefined;
    const from = file.readUInt32BE(entry + field);
    const stored = file.subarray(from, from + file.readUInt32BE(entry + field + 4));
    const isCompressed = isWoff && stored.length < file.readUInt32BE(entry + 12);
    return isCompressed ? inflateSync(stored, { maxOutputLength: maxTableBytes }) : stored;
  };
  return Object.assign(read, { isPacked: () => false });
}

/** The tags that WOFF2 writes as the numbers 0 to 6. */
const numberedTags = ["cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2"];

/** All tables are one stream, in the order of the directory. */
function tablesOfWoff2(file: Buffer): ReadTable {
  let at = 48;
  /** Seven bits a byte; the highest bit of a byte says that more follow. */
  const readLength = (): number => {
    for (let value = 0; ; ) {
      const byte = file.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  const tables = new Map<string, { from: number; to: number; isPacked: boolean }>();
  let from = 0;
  for (let left = file.readUInt16BE(12); left > 0; left--) {
    const flags = file.readUInt8(at++);
    const number = flags & 63;
    const tag = number === 63 ? file.toString("latin1", at, at + 4) : (numberedTags[number] ?? String(number));
    if (number === 63) at += 4;
    // Outlines (10 and 11) are transformed unless their version is 3, all other tables unless it is 0.
    const isPacked = number === 10 || number === 11 ? flags >> 6 !== 3 : flags >> 6 !== 0;
    const written = readLength();
    const to = from + (isPacked ? readLength() : written);
    tables.set(tag, { from, to, isPacked });
    from = to;
  }
  const stream = brotliDecompressSync(file.subarray(at, at + file.readUInt32BE(20)), {
    maxOutputLength: maxTableBytes,
  });
  const read = (tag: string): Buffer | undefined => {
    const table = tables.get(tag);
    return table && stream.subarray(table.from, table.to);
  };
  return Object.assign(read, { isPacked: (tag: string) => tables.get(tag)?.isPacked === true });
}

/** Returns a function that gives the glyph number of a code point; 0 if the font has no glyph for it. */
function glyphsOf(cmap: Buffer): (codePoint: number) => number {
  for (let record = 4 + (cmap.readUInt16BE(2) - 1) * 8; record >= 4; record -= 8) {
    const table = cmap.subarray(cmap.readUInt32BE(record + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) return (codePoint) => glyphInSegments(table, codePoint);
    if (format === 12) return (codePoint) => glyphInGroups(table, codePoint);
  }
  return () => 0;
}

function glyphInSegments(table: Buffer, codePoint: number): number {
  const size = table.readUInt16BE(6);
  let at = 14;
  while (table.readUInt16BE(at) < codePoint) at += 2;
  const start = table.readUInt16BE(at + size + 2);
  if (start > codePoint) return 0;
  const delta = table.readUInt16BE(at + 2 * size + 2);
  const place = at + 3 * size + 2;
  const offset = table.readUInt16BE(place);
  const glyph = offset === 0 ? codePoint : table.readUInt16BE(place + offset + 2 * (codePoint - start));
  return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
}

function glyphInGroups(table: Buffer, codePoint: number): number {
  const end = 16 + table.readUInt32BE(12) * 12;
  for (let at = 16; at < end; at += 12) {
    const start = table.readUInt32BE(at);
    if (codePoint >= start && codePoint <= table.readUInt32BE(at + 4))
      return table.readUInt32BE(at + 8) + codePoint - start;
  }
  return 0;
}

/** If a system has several of these faces for a weight, browsers use the last one. */
const systemFaces = [
  { names: ["DejaVu Sans"], isBold: false, width: 0.5058 },
  { names: ["DejaVu Sans Bold"], isBold: true, width: 0.571 },
  { names: ["Roboto Bold"], isBold: true, width: 0.4479 },
  { names: ["Arial", "Liberation Sans", "Roboto"], isBold: false, width: 0.4437 },
  { names: ["Arial Bold", "Liberation Sans Bold"], isBold: true, width: 0.4764 },
];
const monoFace = { names: ["Menlo", "DejaVu Sans Mono", "Liberation Mono", "Cousine", "Courier New"], width: 0.602 };

/** Bold text of a variable font is this much wider than its regular text, which the metrics describe. */
const widening = 1.03;

export interface StandIn {
  /** Fonts of the system; browsers use the first that is installed. */
  readonly names: readonly string[];
  /** The lightest and the heaviest weight that it stands in for. */
  readonly weights: readonly [number, number];
  /** `size-adjust`, `ascent-override` and further descriptors of its face, as fractions. */
  readonly adjust: Readonly<Record<string, number>>;
}

/** The stand-ins for a font file with the weights `from` to `to`, in the order in which they must be declared. */
export function standIns(metrics: FontMetrics, [from, to]: readonly [number, number]): StandIn[] {
  const faces = metrics.isMono ? [{ ...monoFace, isBold: from >= 550 }] : systemFaces;
  return faces.flatMap(({ names, isBold, width }) => {
    const weights = metrics.isMono ? ([from, to] as const) : clipped([from, to], isBold);
    if (weights[0] > weights[1]) return [];
    const wide = isBold && from < 550 && !metrics.isMono ? widening : 1;
    const size = (metrics.width * wide) / width;
    const adjust = {
      "size-adjust": size,
      "ascent-override": metrics.ascent / size,
      "descent-override": metrics.descent / size,
      "line-gap-override": metrics.lineGap / size,
    };
    return [{ names, weights, adjust }];
  });
}

const clipped = ([from, to]: readonly [number, number], isBold: boolean): readonly [number, number] =>
  isBold ? [Math.max(from, 550), to] : [from, Math.min(to, 549)];
