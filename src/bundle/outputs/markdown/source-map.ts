import type { Nodes } from "mdast";

/** A source file of the page. */
export class SourceText {
  /** Offsets of every `{` and of every `<` that may begin a tag, ascending: everything but Markdown begins with these. */
  readonly #marks: number[] = [];

  constructor(readonly text: string) {
    for (const { index } of text.matchAll(/\{|<(?=[A-Za-z!/>])/g)) this.#marks.push(index);
  }

  /** Whether an expression, a tag or a comment may begin at or after `start` and before `end`. */
  hasMark(start: number, end: number): boolean {
    let low = 0;
    let high = this.#marks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#marks[middle]! < start) low = middle + 1;
      else high = middle;
    }
    return low < this.#marks.length && this.#marks[low]! < end;
  }

  /** The text before `offset` on its line. */
  linePrefix(offset: number): string {
    return this.text.slice(this.text.lastIndexOf("\n", offset - 1) + 1, offset);
  }
}

/** Text of the page and of the files that it includes, read on demand. */
export class PageSources {
  readonly #files = new Map<string, SourceText | undefined>();

  constructor(
    readonly sourcePath: string,
    source: string,
    private readonly readSource: (sourcePath: string) => string | undefined,
  ) {
    this.#files.set(sourcePath, new SourceText(source));
  }

  pathOf(node: Nodes): string {
    return node.data?.sourcePath ?? this.sourcePath;
  }

  get(sourcePath: string): SourceText | undefined {
    if (this.#files.has(sourcePath)) return this.#files.get(sourcePath);
    const text = this.readSource(sourcePath);
    const file = text === undefined ? undefined : new SourceText(text);
    this.#files.set(sourcePath, file);
    return file;
  }

  /** The source text of a node; undefined for a node without a position. */
  slice(node: Nodes): string | undefined {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return undefined;
    return this.get(this.pathOf(node))?.text.slice(start, end);
  }
}
