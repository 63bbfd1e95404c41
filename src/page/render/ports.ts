/** What render needs from the parts that draw: code, formulas, diagrams, icons. */
import type { ElementContent } from "hast";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import type { Messages } from "../../lib/language/index.js";
import type { IconLibrary } from "../../site/config/index.js";

/** What a block needs of the page it stands on. */
export interface BlockContext {
  readonly location: Location;
  /** In the page's language. */
  readonly messages: Messages;
  /** Draws the icon of the block's header. */
  readonly icon: (name: string) => ElementContent | undefined;
}

export interface CodePort {
  /** A page begins. @param name tells it from all others. */
  beginPage(name: string): void;
  /** Loads the grammars of these languages; the rest of the port is synchronous. */
  prepare(languages: readonly string[]): Promise<void>;
  /**
   * A complete code block (frame, header, copy button, lines).
   * @param meta the fence's info string after the language.
   */
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
  /** The page is done: gives the milliseconds that its code has taken. */
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
  /** Draws all at once, by source; the answers stand in the order of the sources. */
  draw(
    sources: readonly { source: string; meta?: string; location: Location }[],
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
  /** The library of the site where none is given. */
  readonly library?: IconLibrary;
}

export interface IconPort {
  prepare(icons: readonly IconChoice[]): Promise<void>;
  icon(choice: IconChoice, location?: Location): { node?: ElementContent; diagnostics: readonly Diagnostic[] };
}
