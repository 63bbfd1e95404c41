import type { AnalyticsOptions, AssistantOptions, Deployment, PagePart, Shard } from "../../export/index.js";
import type { BytesOutcome } from "../../lib/fetch/index.js";
import { fieldsOf } from "../../lib/json/index.js";
import type { Lost } from "../../lib/sandbox/process-client.js";
import type { MarkdownKind, parseToFile } from "../../page/content/index.js";
import type { WorkerReply } from "../../page/diagrams/worker-process.js";
import { type CompiledModule, isModuleSources, type ModuleSource } from "../../page/islands/compile-module.js";
import { isRenderJob, type RenderJob, type RenderReply } from "../../page/islands/sandbox/protocol.js";
import { type AgentWork, endings, flagTexts, type ModelAnswer, type ModelTask, type Review } from "../agent/index.js";
import type { Findings } from "./findings.js";

/** JSON messages between the worker and its child process. */
export type ToChild =
  | { readonly type: "export"; readonly task: ExportTask }
  | { readonly type: "agent"; readonly task: AgentTask }
  | { readonly type: "review"; readonly task: ReviewTask }
  | { readonly type: "answer"; readonly id: number; readonly answer: unknown };

export type FromChild =
  /** The engine is loaded. */
  | { readonly type: "ready" }
  | ({ readonly type: "progress" } & ExportStep)
  | { readonly type: "call"; readonly id: number; readonly call: Call }
  | { readonly type: "ended"; readonly outcome: ExportOutcome };

export interface ExportTask {
  /** Folder of the site. */
  readonly source: string;
  /** File to write, ending in `.tar.gz`. */
  readonly archive: string;
  readonly deployment: Deployment;
  /** Base URL of the site if its settings do not name one. */
  readonly fallbackBaseUrl: string;
  readonly paths?: readonly string[];
  readonly requirePaths?: boolean;
  readonly audience?: readonly string[];
  readonly assistant?: AssistantOptions;
  readonly analytics?: AnalyticsOptions;
  readonly cacheFolder: string;
  readonly cacheName?: string;
  /** Resident memory at which the process gives up, in MiB. */
  readonly maxMemoryMb: number;
  /** Pages rendered at once; undefined: one per core. */
  readonly concurrency?: number | "work";
  /** Whether other workers may make some of the pages. */
  readonly splits?: boolean;
  /** Render only the pages of this part, and then of further parts that the worker names. */
  readonly shard?: Shard;
}

export interface ExportStep {
  /** 0 to 100. */
  readonly progress: number;
  readonly pageCount: number;
}

/** What the process asks its worker for, since it has neither a network nor children; the result is the answer. */
interface Calls {
  "fetch text"(call: { readonly url: string }): Fetched;
  "fetch bytes"(call: { readonly url: string; readonly maxBytes: number; readonly timeoutMs: number }): Fetched;
  draw(call: { readonly source: string }): WorkerReply | Lost;
  /** One at a time. The file has the tree until the next text is parsed; undefined: no process could be started. */
  parse(call: { readonly syntax: MarkdownKind; readonly source: string }): Awaited<ReturnType<typeof parseToFile>>;
  "compile islands"(call: { readonly sources: readonly ModuleSource[] }): readonly CompiledModule[];
  "render islands"(call: { readonly job: RenderJob }): RenderReply | Lost;
  /**
   * About `missing` pages must be rendered: is it worth splitting them? The answer is the number of parts; undefined:
   * it is not.
   */
  split(call: { readonly missing: number; readonly pages: number }): number | undefined;
  /** Undefined: there is none. */
  "next part"(call: object): PagePart | undefined;
  "ask model"(call: { readonly body: string }): ModelAnswer;
  /** An event of an agent job. */
  "used tool"(call: { readonly tool: string; readonly path?: string; readonly isRefused: boolean }): void;
}
type CallKind = keyof Calls;
export type Call<Kind extends CallKind = CallKind> = {
  [Each in Kind]: { readonly kind: Each } & Parameters<Calls[Each]>[0];
}[Kind];
export type Answer<Kind extends CallKind = CallKind> = ReturnType<Calls[Kind]>;
export type Answers<Kind extends CallKind = CallKind> = {
  readonly [Each in Kind]: (call: Call<Each>) => Promise<Answer<Each>>;
};

/** `file` contains the response. */
export type Fetched =
  | { readonly ok: true; readonly file: string; readonly url: string }
  | Exclude<BytesOutcome, { ok: true }>;

/** Calls that only the task's own code in the worker can answer. */
export type TaskAnswers = Partial<Answers<"split" | "next part" | "ask model" | "used tool">>;

export type ExportOutcome =
  | {
      readonly kind: "exported";
      readonly bytes: number;
      readonly sha256: string;
      readonly pageCount: number;
      readonly pagesMade: number;
      readonly pageMs: readonly number[];
      readonly findings: Findings;
    }
  /** The site of an agent job is changed. */
  | AgentOutcome
  /** The changes of an agent job are reviewed. */
  | ReviewOutcome
  /** The parts are made. */
  | { readonly kind: "filled"; readonly pageMs: readonly number[] }
  /** The site has errors; `faults` is shown to API clients. */
  | { readonly kind: "refused"; readonly faults: string; readonly findings: Findings }
  /** `code` of a system error, such as `ENOSPC`; undefined: a bug. */
  | { readonly kind: "broken"; readonly code?: string; readonly message: string; readonly stack: string };

/** The work on one copy of a site, for its own process. */
export interface AgentTask {
  /** Folder of the site. */
  readonly source: string;
  /** Folder of the site as its base branch has it. */
  readonly base: string;
  /** Folder for the changed files. */
  readonly changes: string;
  /** Resident memory at which the process gives up, in MiB. */
  readonly maxMemoryMb: number;
  /** Undefined: only faults with a certain fix are fixed. */
  readonly model?: ModelTask;
}

/** The review of what another process has changed. */
export interface ReviewTask extends Pick<AgentTask, "source" | "base" | "maxMemoryMb"> {
  /** Absolute paths of the new contents; null: the file of the site is removed. */
  readonly files: readonly { readonly path: string; readonly file: string | null }[];
}

interface ReviewOutcome extends Review {
  readonly kind: "reviewed";
}

/** `file` of a change is its number in the folder for changes; null: the file of the site is removed. */
export interface AgentOutcome extends Omit<AgentWork, "changes"> {
  readonly kind: "worked";
  readonly changes: readonly {
    readonly by: "prompt" | "repair";
    readonly path: string;
    readonly file: number | null;
  }[];
}

/** The process runs untrusted content, so the shape of its messages is checked. */
export function isFromChild(message: unknown): message is FromChild {
  const { type, id, call, outcome, ...step } = fieldsOf(message);
  if (type === "ready") return true;
  if (type === "progress") return isAmount(step["progress"]) && isAmount(step["pageCount"]);
  if (type === "call") return Number.isSafeInteger(id) && hasShape(callShapes, call);
  return type === "ended" && hasShape(outcomeShapes, outcome);
}

/** How each field of a message must be, by the message's kind. */
type Shapes = Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>>;

function hasShape(shapes: Shapes, message: unknown): boolean {
  const { kind } = fieldsOf(message);
  return typeof kind === "string" && Object.hasOwn(shapes, kind) && fieldsAre(shapes[kind]!)(message);
}

const fieldsAre =
  (shape: Shapes[string]) =>
  (value: unknown): boolean => {
    const fields = fieldsOf(value);
    return Object.entries(shape).every(([name, isValid]) => isValid(fields[name]));
  };

const isString = (value: unknown): value is string => typeof value === "string";
const isAmount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const upTo =
  (length: number) =>
  (value: unknown): boolean =>
    isString(value) && value.length <= length;
const optional =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isValid(value);
const listOf =
  (length: number, isEntry: (entry: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length <= length && value.every(isEntry);
const oneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

const limits = { changes: 2000, flags: 1000, proposals: 200, codes: 500, undone: 200 };
const isText = upTo(5000);
const isLongText = upTo(100_000);
/** A page has at most 2 MB, and the parser adds marks of its own. */
const isSource = upTo(8_000_000);

const callShapes: { readonly [Kind in CallKind]: Shapes[string] } = {
  "fetch text": { url: isString },
  "fetch bytes": { url: isString, maxBytes: isAmount, timeoutMs: isAmount },
  draw: { source: isString },
  parse: { syntax: oneOf("mdx", "markdown"), source: isSource },
  "compile islands": { sources: isModuleSources },
  "render islands": { job: isRenderJob },
  split: { missing: isAmount, pages: isAmount },
  "next part": {},
  "ask model": { body: isString },
  "used tool": { tool: isText, path: optional(isText), isRefused: oneOf(true, false) },
};

const isFindings = fieldsAre({ errors: isAmount, warnings: isAmount, diagnostics: Array.isArray });
const areTimes = listOf(Number.POSITIVE_INFINITY, isAmount);
const areFaultCounts = fieldsAre({ errors: isCount, warnings: isCount });
const isChange = fieldsAre({
  by: oneOf("prompt", "repair"),
  path: isString,
  file: (file) => file === null || isCount(file),
});
const isProposal = fieldsAre({ code: isText, at: isText, what: isText, why: isText });
const areCountsByCode = (value: unknown): boolean => {
  const counts = Object.entries(fieldsOf(value));
  return (
    counts.length <= limits.codes && counts.every(([code, count]) => /^[A-Z0-9_]{1,80}$/.test(code) && isCount(count))
  );
};
const isRefusal = fieldsAre({ path: isText, why: isText });
const isFlag = fieldsAre({
  kind: oneOf(...Object.keys(flagTexts)),
  path: isText,
  line: isCount,
  text: isText,
  host: optional(isText),
});

const outcomeShapes: { readonly [Kind in ExportOutcome["kind"]]: Shapes[string] } = {
  exported: {
    bytes: isAmount,
    sha256: (value) => isString(value) && /^[0-9a-f]{64}$/.test(value),
    pageCount: isAmount,
    pagesMade: isAmount,
    pageMs: areTimes,
    findings: isFindings,
  },
  worked: {
    changes: listOf(limits.changes, isChange),
    before: areFaultCounts,
    after: areFaultCounts,
    mended: areCountsByCode,
    proposals: listOf(limits.proposals, isProposal),
    words: optional(isText),
    ended: optional(oneOf(...endings)),
    undone: optional(listOf(limits.undone, isText)),
  },
  reviewed: { refused: listOf(limits.changes, isRefusal), flags: listOf(limits.flags, isFlag) },
  filled: { pageMs: areTimes },
  refused: { faults: isLongText, findings: isFindings },
  broken: { code: optional(isLongText), message: isLongText, stack: isLongText },
};
