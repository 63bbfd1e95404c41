/** The parsers for unified: Sätteri (native, fast), or the reference parsers in JavaScript. */
import type { Root } from "mdast";
import type { Plugin, Processor } from "unified";
import { createNativeParser, type ParseApart } from "./native-parser.js";
import { ParserLimitError, parserLimits } from "./parser-limits.js";

export type ParserName = "satteri" | "remark";
/** A syntax error; line and column count from 1. */
export interface SyntaxFault {
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}
export interface MarkdownParsers {
  readonly name: ParserName;
  /** @throws {MarkdownSyntaxError} or {ParserLimitError}. */
  parseMdx(source: string): Root;
  /** Plain Markdown has no syntax errors. @throws {ParserLimitError} */
  parseMarkdown(source: string): Root;
}

export class MarkdownSyntaxError extends Error {
  constructor(readonly fault: SyntaxFault) {
    super(fault.reason);
  }
}

/** Loads the parsers. `parseApart` and `spend` are for `createNativeParser`. Where `satteri` has no native build for the machine, the reference parsers take its place. */
export async function loadParsers(
  name: ParserName,
  parseApart?: ParseApart,
  spend?: (ms: number) => void,
): Promise<MarkdownParsers> {
  const [mdx, markdown] = (name === "satteri" ? await loadSatteri(parseApart, spend) : await loadRemark()).map(
    parserOf,
  ) as [Parse, Parse];
  return {
    name,
    parseMdx(source) {
      try {
        return mdx(source);
      } catch (error) {
        throw error instanceof ParserLimitError ? error : new MarkdownSyntaxError(faultOf(error));
      }
    },
    parseMarkdown: (source) => markdown(source),
  };
}

type MarkdownProcessor = Processor<Root>;
type Parse = (source: string) => Root;

/** `processor.parse` creates a virtual file for every text, which none of these parsers reads. */
const parserOf = (processor: MarkdownProcessor): Parse => processor.parser as Parse;

async function loadSatteri(
  parseApart?: ParseApart,
  spend?: (ms: number) => void,
): Promise<[MarkdownProcessor, MarkdownProcessor]> {
  const [satteri, { unified }] = await Promise.all([import("satteri").catch(() => undefined), import("unified")]);
  if (satteri === undefined) return loadRemark();
  const parse = createNativeParser(satteri, parserLimits, parseApart, spend);
  const mdx: Plugin<[], string, Root> = function () {
    this.parser = (source) => parse("mdx", source);
  };
  const markdown: Plugin<[], string, Root> = function () {
    this.parser = (source) => parse("markdown", source);
  };
  return [unified().use(mdx).freeze(), unified().use(markdown).freeze()];
}

async function loadRemark(): Promise<[MarkdownProcessor, MarkdownProcessor]> {
  const [{ unified }, { default: parse }, { default: mdx }, { default: gfm }] = await Promise.all([
    import("unified"),
    import("remark-parse"),
    import("remark-mdx"),
    import("remark-gfm"),
  ]);
  return [unified().use(parse).use(mdx).use(gfm).freeze(), unified().use(parse).use(gfm).freeze()];
}

/** Sätteri writes `line:column: reason (rule)`; the reference throws a VFileMessage. */
function faultOf(error: unknown): SyntaxFault {
  const { message, line, column, reason } = error as Error & { line?: number; column?: number; reason?: string };
  // The reference reports an unclosed tag where its parent ends.
  const opened = /^Expected a closing tag for `<[^`]*>` \((\d+):(\d+)/.exec(reason ?? "");
  if (opened !== null) return { line: Number(opened[1]), column: Number(opened[2]), reason: reason! };
  if (line !== undefined && reason !== undefined) return { line, column: column ?? 1, reason };
  const match = /^(\d+):(\d+): ([\s\S]*?)(?: \([\w-]+:[\w-]+\))?$/.exec(message);
  if (match === null) return { line: 1, column: 1, reason: message };
  return { line: Number(match[1]), column: Number(match[2]), reason: match[3]! };
}
