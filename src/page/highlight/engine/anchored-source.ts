/** A pattern of a grammar. Its `\A` and `\G` match only at the start of a block or right after a match. */
export class AnchoredSource {
  readonly hasAnchors: boolean;
  /** Numbers of `\1` and the like, which in an `end` refer to groups of the `begin`. */
  readonly references: readonly number[];
  private readonly source: string;

  constructor(written: string) {
    this.source = written.includes("\\z") ? replaceEscapes(written, { z: "$(?!\\n)(?<!\\n)" }) : written;
    this.hasAnchors = /\\[AG]/.test(written);
    this.references = Array.from(written.matchAll(/\\(\d+)/g), ([, index]) => Number(index));
  }

  /** @param closing replaces the pattern: the pattern with its references filled in. */
  at(atFirst: boolean, atAnchor: boolean, closing: string | undefined): string {
    const source = closing ?? this.source;
    if (!this.hasAnchors || (atFirst && atAnchor)) return source;
    return replaceEscapes(source, { ...(atFirst ? {} : { A: "\\\uffff" }), ...(atAnchor ? {} : { G: "\\\uffff" }) });
  }

  /** Fills in the references. @param texts of the groups of the `begin`. */
  withReferences(texts: readonly string[]): string {
    return this.source.replace(/\\(\d+)/g, (_, index: string) =>
      (texts[Number(index)] ?? "").replace(/[-\\{}*+?|^$.,[\]()#\s]/g, "\\$&"),
    );
  }
}

/** U+FFFF never occurs in the text, so the anchor cannot match. */
const replaceEscapes = (source: string, by: Readonly<Record<string, string>>): string =>
  source.replace(/\\(.)/gs, (whole, char: string) => by[char] ?? whole);
