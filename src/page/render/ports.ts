/** The interfaces that render uses for code, formulas, diagrams and icons. */
import type { ElementContent } from "hast";
import type { Code } from "mdast";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { IconLibrary } from "../../site/config/index.js";

interface BlockContext {
  readonly location: Location;
  /** In the page's language. */
  readonly messages: Messages;
  readonly icon: (name: string) => ElementContent | undefined;
}

export interface CodePort {
  /** Begins a page. @param name unique among all pages. */
  beginPage(name: string): void;
  /** Loads the grammars of these code blocks; the other functions are synchronous. */
  prepare(blocks: readonly Pick<Code, "value" | "lang" | "meta">[]): Promise<void>;
  /** Renders a code block with frame, header and lines. @param meta the info string after the language. */
  block(
    code: string,
    language: string | undefined,
    meta: string | undefined,
    page: BlockContext,
  ): {
    node: ElementContent;
    info: { title?: string; language?: string; icon?: ElementContent };
    diagnostics: readonly Diagnostic[];
  };
  /** Ends the page. @returns the milliseconds that highlighting its code took. */
  endPage(): number;
}

export interface MathPort {
  prepare(): Promise<void>;
  render(
    tex: string,
    display: boolean,
    location: Location,
  ): { node: ElementContent; diagnostics: readonly Diagnostic[] };
}

export interface DiagramPort {
  /** Renders all sources; the results are in the order of the sources. */
  draw(
    sources: readonly { source: string; meta?: string; caption?: string | undefined; location: Location }[],
    messages: Messages,
    signal?: AbortSignal,
  ): Promise<
    readonly {
      node: ElementContent;
      stylesheet?: { outputPath: string; bytes: Uint8Array };
      diagnostics: readonly Diagnostic[];
    }[]
  >;
}

export interface IconChoice {
  readonly name: string;
  readonly style?: string;
  /** Default: the library of the site. */
  readonly library?: IconLibrary;
}

export interface IconPort {
  icon(choice: IconChoice, location?: Location): { node?: ElementContent; diagnostics: readonly Diagnostic[] };
}
