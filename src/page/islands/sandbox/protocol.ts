/** Messages between the main process and the process that renders islands: plain JSON. */
import { fieldsOf } from "../../../lib/json/index.js";

/** One page. */
export interface RenderJob {
  /** Dependencies first; members of a cycle in any order. */
  readonly modules: readonly JobModule[];
  readonly roots: readonly JobRoot[];
}

export interface JobRoot {
  readonly module: string;
  readonly name: string;
  /** The slot of another root that it is in. */
  readonly around?: { readonly root: number; readonly slot: number };
}

export interface JobModule {
  readonly id: string;
  /** A call of `offprintIslands.define`. */
  readonly text: string;
  /** Ids of the modules that it imports. */
  readonly deps: readonly string[];
  /** A file of the site, which other pages may import, too. */
  readonly isShared?: boolean;
}

/** A module as it is sent: a process keeps the texts of those that occur again. */
export type SentModule = Omit<JobModule, "text" | "isShared"> & {
  /** Absent: the process has it. */
  readonly text?: string;
  /** Where the process keeps it. */
  readonly slot?: number;
};

export interface RenderMessage {
  readonly job: { readonly modules: readonly SentModule[]; readonly roots: RenderJob["roots"] };
  /** Processor time for the page. */
  readonly pageMs: number;
}

/** Everything in it is as untrusted as the site's code. */
export type RenderedRoot =
  | {
      readonly html: string;
      readonly live: boolean;
      readonly unstable?: "clock" | "random" | "locale";
      /** Components of ours that were used, by name. */
      readonly used: readonly string[];
    }
  | {
      readonly error: "deadline" | "memory" | "stack" | "threw" | "size";
      readonly message: string;
      readonly unstable?: "clock" | "random" | "locale";
      /** The global of browsers that was read last. */
      readonly touched?: string;
    };

export interface RenderReply {
  /** By root. */
  readonly roots: readonly RenderedRoot[];
  /** The process has grown and should be replaced. */
  readonly spent?: true;
}

export const limits = {
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** Processor time for one page. */
  pageMs: 1_000,
  /** After that many times as much, the process is killed: code of the interpreter itself does not look at the clock. */
  killTimes: 3,
  /** Characters of all HTML of a page. */
  outputLength: 1024 * 1024,
  rootCount: 200,
  pagesPerProcess: 500,
  processBytes: 200 * 1024 * 1024,
  moduleCount: 500,
  /** Characters of the text of a module: what esbuild makes of the largest source that it is given. */
  moduleLength: 8 * 1024 * 1024,
  /** Longest error message, name, path of a file, in characters. */
  messageLength: 1_000,
  /** Components of an island. */
  listLength: 1_000,
  /** Texts that a process keeps. */
  keptCount: 200,
  /** Characters of each. */
  keptLength: 100_000,
} as const;

/** An export may be in a process that is not trusted. */
export function isRenderJob(job: unknown): job is RenderJob {
  const { modules, roots } = fieldsOf(job);
  return (
    isList(modules, limits.moduleCount, (module) => {
      const { id, text, deps } = fieldsOf(module);
      return isText(id) && isText(text, limits.moduleLength) && isList(deps, limits.moduleCount, (dep) => isText(dep));
    }) &&
    isList(roots, limits.rootCount, (root) => {
      const { module, name, around } = fieldsOf(root);
      return isText(module) && isText(name) && (around === undefined || isSlot(around));
    })
  );
}

/** The reply comes from a process that runs code of the site. */
export const isRenderReply = ({ roots, spent }: Readonly<Record<string, unknown>>): boolean =>
  isList(roots, limits.rootCount, isRoot) && (spent === undefined || spent === true);

function isRoot(root: unknown): boolean {
  const { html, live, unstable, used, error, message, touched } = fieldsOf(root);
  if (unstable !== undefined && !unstables.has(unstable)) return false;
  if (error !== undefined) return errors.has(error) && isText(message) && (touched === undefined || isText(touched));
  return (
    isText(html, limits.outputLength) &&
    typeof live === "boolean" &&
    isList(used, limits.listLength, (name) => isText(name))
  );
}

const unstables = new Set<unknown>(["clock", "random", "locale"]);
const errors = new Set<unknown>(["deadline", "memory", "stack", "threw", "size"]);

const isList = (value: unknown, most: number, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= most && value.every((item) => isItem(item));

const isSlot = (around: unknown): boolean => {
  const { root, slot } = fieldsOf(around);
  return Number.isSafeInteger(root) && Number.isSafeInteger(slot);
};

const isText = (value: unknown, longest: number = limits.messageLength): boolean =>
  typeof value === "string" && value.length <= longest;
