import { languageTag, type Messages, messagesFor } from "../../lib/language/index.js";
import { englishWords } from "./runtime/names.js";

/** The islands of one page. */
export interface IslandRequest {
  /**
   * Modules that are not files of code, by the site path of their MDX file: JavaScript with JSX, made of the file's imports
   * and exports and of the roots: `export const __i0 = () => (<Quiz a={1}><__Slot n={0} /></Quiz>);`
   */
  readonly pageModules: Readonly<Record<string, string>>;
  /** In the order of the answers. */
  readonly roots: readonly IslandRoot[];
  /** Words of our components, if the page is not in English. */
  readonly words?: IslandWords | undefined;
}

export interface IslandRoot {
  readonly module: string;
  /** An export of a page module. */
  readonly name: string;
  /** The slot that it is in, whose contexts it gets. */
  readonly around?: SlotOfRoot | undefined;
}

export interface SlotOfRoot {
  /** Index in the list of roots. */
  readonly root: number;
  readonly slot: number;
}

/** Plain data that can be posted to a thread. */
export interface IslandReply {
  /** By root. */
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
      /** Untrusted. Static roots mark our own components with `<x-use>`; slots are `<x-slot data-n="0">`. */
      readonly html: string;
      readonly live: boolean;
      /** Value of `data-island` if the root is live: `0123456789ab#__i0`. */
      readonly island?: string;
      /** Numbers of the slots in `html`. */
      readonly slots: readonly number[];
      /** Needs the script with our own components. */
      readonly ui: boolean;
    }
  | {
      /** Why it can only be rendered in the reader's browser: the part of a sentence that follows "because". */
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
    | "UNDEFINED_NAME";
  /** Site path of the file that has it. */
  readonly module: string;
  /** Index in the request's roots, if it is a fault of one root. */
  readonly root?: number;
  /** From 1, in the module's text. */
  readonly line?: number;
  readonly column?: number;
  /** The name of the package, of the file, of the component, of what reaches the network, or that is not defined; or the reason. */
  readonly what: string;
}

export interface IslandRenderer {
  /** Stops: `close` rejects what is not rendered yet. */
  render(request: IslandRequest): Promise<IslandReply>;
  close(): Promise<void>;
}

export type IslandWords = Readonly<Record<string, string>>;

/** What our components in live islands say in a language; undefined for English, which they speak without it. */
export function islandWords(language: string | undefined): IslandWords | undefined {
  const messages: Messages = messagesFor(languageTag(language));
  const names = Object.keys(englishWords) as (keyof typeof englishWords)[];
  if (names.every((name) => messages[name] === englishWords[name])) return undefined;
  return Object.fromEntries(names.map((name) => [name, messages[name]]));
}
