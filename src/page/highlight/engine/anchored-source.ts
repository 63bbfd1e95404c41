/** A pattern of a grammar whose `\A` and `\G` mean something at the start of a block and after a match alone. */
export class AnchoredSource {
  readonly hasAnchors: boolean;
  /** Numbers of `\1` and the like, which in an end stand for groups of the beginning. */
  readonly references: readonly number[];
  private readonly source: string;

  constructor(written: string) {
    this.source = written.includes("\\z") ? replaceEscapes(written, { z: "$(?!\\n)(?<!\\n)" }) : written;
    this.hasAnchors = /\\[AG]/.test(written);
    this.references = Array.from(written.matchAll(/\\(\d+)/g), ([, index]) => Number(index));
  }

  /** @param closing takes the place of the pattern: itself with its references written in. */
  at(atFirst: boolean, atAnchor: boolean, closing: string | undefined): string {
    const source = closing ?? this.source;
    if (!this.hasAnchors || (atFirst && atAnchor)) return source;
    return replaceEscapes(source, { ...(atFirst ? {} : { A: "\\\uffff" }), ...(atAnchor ? {} : { G: "\\\uffff" }) });
  }

  /** @param texts of the groups. */
  withReferences(texts: readonly string[]): string {
    return this.source.replace(/\\(\d+)/g, (_, index: string) =>
      (texts[Number(index)] ?? "").replace(/[-\\{}*+?|^$.,[\]()#\s]/g, "\\$&"),
    );
  }
}

/** An escape that nothing in code can be: U+FFFF. */
const replaceEscapes = (source: string, by: Readonly<Record<string, string>>): string =>
  source.replace(/\\(.)/gs, (whole, char: string) => by[char] ?? whole);
