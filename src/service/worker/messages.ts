import { z } from "zod";
import type { AnalyticsOptions, AssistantOptions, Deployment, PagePart, Shard } from "../../export/index.js";
import type { BytesOutcome } from "../../lib/fetch/index.js";
import type { Lost } from "../../lib/sandbox/process-client.js";
import type { parseToFile } from "../../page/content/index.js";
import type { WorkerReply } from "../../page/diagrams/worker-process.js";
import { type CompiledModule, isModuleSources, type ModuleSource } from "../../page/islands/compile-module.js";
import { isRenderJob, type RenderJob, type RenderReply } from "../../page/islands/sandbox/protocol.js";
import { endings, type FlagKind, flagTexts, type ModelAnswer, type ModelTask } from "../agent/index.js";
import type { Findings } from "./findings.js";

/** JSON messages between the worker and its child process. */
export type ToChild =
  | { readonly type: "export"; readonly task: ExportTask }
  | { readonly type: "agent"; readonly task: AgentTask }
  | { readonly type: "review"; readonly task: ReviewTask }
  | { readonly type: "answer"; readonly id: number; readonly answer: unknown };

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
  /** Pages rendered at once. Default: one per core. */
  readonly concurrency?: number | "work";
  /** Whether other workers may render some of the pages. */
  readonly splits?: boolean;
  /** Render only the pages of this part, and then of further parts that the worker names. */
  readonly shard?: Shard;
}

export interface ExportStep {
  /** 0 to 100. */
  readonly progress: number;
  readonly pageCount: number;
}

// The process runs untrusted content, so the shape of its messages is checked.
const amount = z.number().nonnegative();
const count = z.int().nonnegative();
const text = z.string().max(5000);
const longText = z.string().max(100_000);
const faultCounts = z.object({ errors: count, warnings: count });
const countsByCode = z
  .record(z.string().regex(/^[A-Z0-9_]{1,80}$/), count)
  .refine((counts) => Object.keys(counts).length <= 500);
const findings = z.object({
  errors: amount,
  warnings: amount,
  diagnostics: z.custom<Findings["diagnostics"]>(Array.isArray),
});
const pageMs = z.array(amount).readonly();

/** Requests of the process to its worker, since it has neither a network nor children. */
const callSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fetch text"), url: z.string() }),
  z.object({ kind: z.literal("fetch bytes"), url: z.string(), maxBytes: amount, timeoutMs: amount }),
  z.object({ kind: z.literal("draw"), source: z.string() }),
  /** One at a time. A page has at most 2 MB, and the parser adds marks of its own. */
  z.object({ kind: z.literal("parse"), syntax: z.enum(["mdx", "markdown"]), source: z.string().max(8_000_000) }),
  z.object({ kind: z.literal("compile islands"), sources: z.custom<readonly ModuleSource[]>(isModuleSources) }),
  z.object({ kind: z.literal("render islands"), job: z.custom<RenderJob>(isRenderJob) }),
  /** About `missing` of the pages must be rendered: is it worth splitting them? */
  z.object({ kind: z.literal("split"), missing: amount, pages: amount }),
  z.object({ kind: z.literal("next part") }),
  z.object({ kind: z.literal("ask model"), body: z.string() }),
  /** An event of an agent job. */
  z.object({ kind: z.literal("used tool"), tool: text, path: text.optional(), isRefused: z.boolean() }),
]);
type CallKind = z.infer<typeof callSchema>["kind"];
export type Call<Kind extends CallKind = CallKind> = Extract<z.infer<typeof callSchema>, { readonly kind: Kind }>;

interface AnswerTypes extends Record<CallKind, unknown> {
  "fetch text": Fetched;
  "fetch bytes": Fetched;
  draw: WorkerReply | Lost;
  /** The file has the tree until the next text is parsed. Undefined if no process could be started. */
  parse: Awaited<ReturnType<typeof parseToFile>>;
  "compile islands": readonly CompiledModule[];
  "render islands": RenderReply | Lost;
  /** The number of parts; undefined if the job is not split. */
  split: number | undefined;
  /** Undefined after the last part. */
  "next part": PagePart | undefined;
  "ask model": ModelAnswer;
  "used tool": undefined;
}
export type Answer<Kind extends CallKind = CallKind> = AnswerTypes[Kind];
export type Answers<Kind extends CallKind = CallKind> = {
  readonly [Each in Kind]: (call: Call<Each>) => Promise<Answer<Each>>;
};

/** `file` contains the response. */
export type Fetched =
  | { readonly ok: true; readonly file: string; readonly url: string }
  | Exclude<BytesOutcome, { ok: true }>;

/** Calls that only the task's own code in the worker can answer. */
export type TaskAnswers = Partial<Answers<"split" | "next part" | "ask model" | "used tool">>;

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
  /** Default: only faults with a certain fix are repaired. */
  readonly model?: ModelTask;
}

/** The review of what another process has changed. */
export interface ReviewTask extends Pick<AgentTask, "source" | "base" | "maxMemoryMb"> {
  /** Absolute paths of the new contents; null if the file of the site is removed. */
  readonly files: readonly { readonly path: string; readonly file: string | null }[];
}

const outcomeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("exported"),
    bytes: amount,
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    pageCount: amount,
    pagesMade: amount,
    pageMs,
    findings,
  }),
  /** An agent job has changed the site. `file` is a name in the folder for changes; null if the file is removed. */
  z.object({
    kind: z.literal("worked"),
    changes: z
      .array(z.object({ by: z.enum(["prompt", "repair"]), path: z.string(), file: count.nullable() }))
      .max(2000)
      .readonly(),
    before: faultCounts,
    after: faultCounts,
    mended: countsByCode,
    proposals: z
      .array(z.object({ code: text, at: text, what: text, why: text }))
      .max(200)
      .readonly(),
    words: text.optional(),
    ended: z.enum(endings).optional(),
    undone: z.array(text).max(200).readonly().optional(),
  }),
  /** The changes of an agent job are reviewed. */
  z.object({
    kind: z.literal("reviewed"),
    refused: z
      .array(z.object({ path: text, why: text }))
      .max(2000)
      .readonly(),
    flags: z
      .array(
        z.object({
          kind: z.enum(Object.keys(flagTexts) as FlagKind[]),
          path: text,
          line: count,
          text,
          host: text.optional(),
        }),
      )
      .max(1000)
      .readonly(),
  }),
  /** The parts are rendered. */
  z.object({ kind: z.literal("filled"), pageMs }),
  /** The site has errors; `faults` is shown to API clients. */
  z.object({ kind: z.literal("refused"), faults: longText, findings }),
  /** `code` is that of a system error, such as `ENOSPC`; undefined for a bug. */
  z.object({ kind: z.literal("broken"), code: longText.optional(), message: longText, stack: longText }),
]);
export type ExportOutcome = z.infer<typeof outcomeSchema>;
export type AgentOutcome = Extract<ExportOutcome, { readonly kind: "worked" }>;

const fromChildSchema = z.discriminatedUnion("type", [
  /** The engine is loaded. */
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("progress"), progress: amount, pageCount: amount }),
  z.object({ type: z.literal("call"), id: z.int(), call: callSchema }),
  z.object({ type: z.literal("ended"), outcome: outcomeSchema }),
]);
export type FromChild = z.infer<typeof fromChildSchema>;

export const isFromChild = (message: unknown): message is FromChild => fromChildSchema.safeParse(message).success;
