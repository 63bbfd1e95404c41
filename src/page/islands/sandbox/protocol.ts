/** Messages between the main process and the process that renders islands: plain JSON. */
import { fieldsOf } from "../../../lib/json/index.js";

/** One page. */
export interface RenderJob {
  /** Dependencies first; members of a cycle in any order. */
  readonly modules: readonly JobModule[];
  readonly roots: readonly JobRoot[];
}

interface JobRoot {
  readonly module: string;
  readonly name: string;
  /** The slot of another root that contains it. */
  readonly around?: { readonly root: number; readonly slot: number };
}

export interface JobModule {
  readonly id: string;
  /** A call of `offprintIslands.define`. */
  readonly text: string;
  /** Ids of the modules that it imports. */
  readonly deps: readonly string[];
  /** A file of the site, which other pages may import too. */
  readonly isShared?: boolean;
}

/** A module in a message. The process stores texts that it will need again. */
export type SentModule = Omit<JobModule, "text" | "isShared"> & {
  /** Absent if the process has stored it. */
  readonly text?: string;
  /** Where the process stores it. */
  readonly slot?: number;
};

export interface RenderMessage {
  readonly job: { readonly modules: readonly SentModule[]; readonly roots: RenderJob["roots"] };
  /** Processor time for the page. */
  readonly pageMs: number;
}

/** As untrusted as the site's code. */
export type RenderedRoot =
  | {
      readonly html: string;
      readonly live: boolean;
      readonly unstable?: Instability;
      /** Names of our components that were used. */
      readonly used: readonly string[];
    }
  | {
      readonly error: "deadline" | "memory" | "stack" | "threw" | "size";
      readonly message: string;
      readonly unstable?: Instability;
      /** The browser global that was read last. */
      readonly touched?: string;
    };

export interface RenderReply {
  /** In the order of the job's roots. */
  readonly roots: readonly RenderedRoot[];
  /** Set if the process uses too much memory and should be replaced. */
  readonly spent?: true;
}

export const limits = {
  memoryBytes: 32 * 1024 * 1024,
  stackBytes: 256 * 1024,
  /** Processor time for one page. */
  pageMs: 1_000,
  /** The process is killed after this multiple of `pageMs`: built-in functions check no time. */
  killTimes: 3,
  /** Characters of HTML of all islands of a page. */
  outputLength: 1024 * 1024,
  rootCount: 200,
  pagesPerProcess: 500,
  processBytes: 200 * 1024 * 1024,
  moduleCount: 500,
  /** Characters of a module: esbuild's output for the largest source. */
  moduleLength: 8 * 1024 * 1024,
  /** Characters of an error message, a name or a path. */
  messageLength: 1_000,
  /** Our components used in an island. */
  listLength: 1_000,
  /** Texts that a process stores. */
  slotCount: 200,
  /** Characters of each. */
  slotTextLength: 100_000,
} as const;

/** Checks a job from an export, whose process may be untrusted. */
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

/** Checks a reply, which comes from a process that runs code of the site. */
export const isRenderReply = ({ roots, spent }: Readonly<Record<string, unknown>>): boolean =>
  isList(roots, limits.rootCount, isRoot) && (spent === undefined || spent === true);

function isRoot(root: unknown): boolean {
  const { html, live, unstable, used, error, message, touched } = fieldsOf(root);
  if (unstable !== undefined && !isUnstable(unstable)) return false;
  if (error !== undefined) return errors.has(error) && isText(message) && (touched === undefined || isText(touched));
  return (
    isText(html, limits.outputLength) &&
    typeof live === "boolean" &&
    isList(used, limits.listLength, (name) => isText(name))
  );
}

/** Why a result may differ in the browser. */
export type Instability = "clock" | "random" | "locale";
export const isUnstable = (value: unknown): value is Instability =>
  value === "clock" || value === "random" || value === "locale";
const errors = new Set<unknown>(["deadline", "memory", "stack", "threw", "size"]);

const isList = (value: unknown, maxLength: number, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length <= maxLength && value.every((item) => isItem(item));

const isSlot = (around: unknown): boolean => {
  const { root, slot } = fieldsOf(around);
  return Number.isSafeInteger(root) && Number.isSafeInteger(slot);
};

const isText = (value: unknown, maxLength: number = limits.messageLength): boolean =>
  typeof value === "string" && value.length <= maxLength;
