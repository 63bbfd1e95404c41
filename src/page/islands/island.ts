import { languageTag, type Messages, messagesFor } from "../../lib/language/index.js";
import { englishWords } from "./runtime/names.js";

/** The islands of one page. */
export interface IslandRequest {
  /**
   * Modules of pages, by the site path of the MDX file: JavaScript with JSX, from the imports and exports of the file
   * and from the roots: `export const __i0 = () => (<Quiz a={1}><__Slot n={0} /></Quiz>);`
   */
  readonly pageModules: Readonly<Record<string, string>>;
  /** The answers have the same order. */
  readonly roots: readonly IslandRoot[];
  /** Texts of our components, if the page is not in English. */
  readonly words?: IslandWords | undefined;
}

export interface IslandRoot {
  readonly module: string;
  /** An export of the module of a page. */
  readonly name: string;
  /** The slot that contains it. The root receives the contexts of that place. */
  readonly around?: SlotOfRoot | undefined;
}

export interface SlotOfRoot {
  /** Index in the list of roots. */
  readonly root: number;
  readonly slot: number;
}

/** Plain data, which can be posted between threads. */
export interface IslandReply {
  /** In the order of the roots. */
  readonly answers: readonly IslandAnswer[];
  /** Classic scripts that the live roots need, dependencies first. Empty if no root is live. */
  readonly scripts: readonly IslandScript[];
  readonly faults: readonly IslandFault[];
}

export interface IslandScript {
  /** `_offprint/i/0123456789ab.js`. */
  readonly outputPath: string;
  readonly text: string;
}

export type IslandAnswer =
  | {
      /** Untrusted. Slots are `<x-slot data-n="0">`. In static roots, our own components are `<x-use>`. */
      readonly html: string;
      readonly live: boolean;
      /** Value of `data-island` if the root is live: `0123456789ab#__i0`. */
      readonly island?: string;
      /** Numbers of the slots in `html`. */
      readonly slots: readonly number[];
      /** Whether it needs the script with our own components. */
      readonly ui: boolean;
    }
  | {
      /** Why only the reader's browser can render it, as the part of a sentence after "because". */
      readonly clientOnly: string;
      readonly island: string;
      readonly ui: boolean;
    }
  | { readonly failed: IslandFailure; readonly message: string };

export type IslandFailure = "deadline" | "memory" | "stack" | "size" | "count" | "syntax" | "missing" | "process";

export interface IslandFault {
  readonly code:
    | "MODULE_SYNTAX"
    | "ISLAND_LIMIT"
    | "IMPORT_PACKAGE"
    | "IMPORT_NOT_FOUND"
    | "IMPORT_OUTSIDE"
    | "ISLAND_COMPONENT"
    | "ISLAND_NETWORK"
    | "UNDEFINED_NAME"
    | "ELEMENT_NOT_RETURNED";
  /** Site path of the file. */
  readonly module: string;
  /** Index in the request's roots, for a fault of a single root. */
  readonly root?: number;
  /** From 1, in the module's text. */
  readonly line?: number;
  readonly column?: number;
  /** Depending on the code: the reason, or the name of the package, file, component, network API, variable, or the start of the element. */
  readonly what: string;
}

export interface IslandRenderer {
  /** Rejects if the renderer is closed before it has finished. */
  render(request: IslandRequest): Promise<IslandReply>;
  close(): Promise<void>;
}

export type IslandWords = Readonly<Record<string, string>>;

/** The texts of our components in live islands; undefined for English, their default. */
export function islandWords(language: string | undefined): IslandWords | undefined {
  const messages: Messages = messagesFor(languageTag(language));
  const names = Object.keys(englishWords) as (keyof typeof englishWords)[];
  if (names.every((name) => messages[name] === englishWords[name])) return undefined;
  return Object.fromEntries(names.map((name) => [name, messages[name]]));
}
