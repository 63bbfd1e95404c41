/** Reads the pages of a site one at a time and synchronously. Shared files are kept between pages. */
import type { Root, RootContent } from "mdast";
import type { SiteSettings } from "../../site/config/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { Expander } from "./expander.js";
import type { ExpansionOptions } from "./expansion.js";
import { createExpressionReader } from "./expression-reader.js";
import { readForeignMarkdown } from "./foreign-markdown.js";
import { assignHeadingIds } from "./headings.js";
import { islandSources } from "./island-sources.js";
import { loadParsers, MarkdownSyntaxError, type ParserName } from "./markdown-parsers.js";
import { createModules } from "./modules.js";
import type { ParseApart } from "./native-parser.js";
import { createNearestFile } from "./nearest-file.js";
import type { PageContent } from "./page-content.js";
import { createPageState } from "./page-state.js";
import { ParserLimitError } from "./parser-limits.js";

export interface ContentOptions {
  readonly files: SiteFiles;
  readonly config: Pick<SiteSettings, "variables" | "styling">;
  /** `remark`: the reference parsers, fifty times slower. */
  readonly parser?: ParserName;
  /** Parses what could take long. Default: starts a process. */
  readonly parseApart?: ParseApart | undefined;
  /** Called with the processor time of each parse by another process, in milliseconds. */
  readonly spend?: ((ms: number) => void) | undefined;
  /** Names of the built-in components. */
  readonly markdownComponents: ReadonlySet<string>;
  /** The properties that a built-in component reads; undefined if that is not known. Default: nothing is known. */
  readonly propsOf?: (component: string) => Readonly<Record<string, unknown>> | undefined;
}

export interface ContentReader {
  /**
   * One page, ready to render. `generated.text` is read instead of the file.
   *
   * Out:   see `PageContent`. `snippets` are the other files it is made of.
   * Fails: a mistake in the page is never thrown; a page that does not parse has `ok: false` and says why.
   *
   * @throws {Error} naming the file if it or a snippet cannot be read.
   */
  read(page: { readonly sourcePath: string; readonly generated?: { readonly text: string } }): PageContent;
  /** A short text (a caption, a banner) as a tree without positions or anchors. Invalid MDX is read as Markdown. */
  readInline(markdown: string): Root;
  /** Untrusted Markdown as blocks without positions: see `foreign-markdown.ts`. */
  readForeign(markdown: string): RootContent[];
}

/** Loads the parsers. One reader serves one thread. */
export async function createContentReader(options: ContentOptions): Promise<ContentReader> {
  const { files, config } = options;
  const parsers = await loadParsers(options.parser ?? "satteri", options.parseApart, options.spend);
  const latex = config.styling.latex !== false;
  const shared: ExpansionOptions = {
    files,
    nearestFile: createNearestFile(files),
    modules: createModules(files, parsers, latex),
    builtIns: options.markdownComponents,
    propsOf: options.propsOf,
    readExpression: createExpressionReader(),
    variables: config.variables,
    latex,
    parseTag(source) {
      try {
        return parsers.parseMdx(source).children;
      } catch (error) {
        if (error instanceof MarkdownSyntaxError || error instanceof ParserLimitError)
          return [{ type: "text", value: source }];
        throw error;
      }
    },
  };
  const expand = (sourcePath: string, source?: string) => {
    const page = createPageState(sourcePath);
    const module = shared.modules.readPage(sourcePath, source);
    const tree = new Expander(page, shared).expandPage(module);
    return { page, tree, ok: module.parsed.ok };
  };
  return {
    read({ sourcePath, generated }) {
      const { page, tree, ok } = expand(sourcePath, generated?.text);
      assignHeadingIds(tree);
      const islands = page.islands.length === 0 ? {} : { islands: islandSources(page, shared) };
      return { tree, ok, snippets: [...page.snippets].sort(), diagnostics: page.diagnostics, ...islands };
    },
    readInline(markdown) {
      const { tree, ok } = expand("inline.md", markdown);
      return ok
        ? { type: "root", children: withoutPlaces(tree.children) }
        : { type: "root", children: [{ type: "text", value: markdown }] };
    },
    readForeign: (markdown) => readForeignMarkdown(parsers, markdown),
  };
}

/** Positions within a property would be taken for positions in the page. */
function withoutPlaces(nodes: readonly RootContent[]): RootContent[] {
  return nodes.map((node) => {
    const { position: _, ...copy } = node;
    if ("children" in copy) (copy as { children: unknown }).children = withoutPlaces(copy.children as RootContent[]);
    return copy as RootContent;
  });
}
