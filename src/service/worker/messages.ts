import type { AnalyticsOptions, AssistantOptions, Deployment, PagePart, Shard } from "../../export/index.js";
import type { BytesOutcome } from "../../lib/fetch/index.js";
import { type Fields, fieldsOf } from "../../lib/json/index.js";
import type { Lost } from "../../lib/sandbox/index.js";
import type { MarkdownKind, parseToFile } from "../../page/content/index.js";
import type { WorkerReply } from "../../page/diagrams/index.js";
import {
  type CompiledModule,
  isModuleSources,
  isRenderJob,
  type ModuleSource,
  type RenderJob,
  type RenderReply,
} from "../../page/islands/index.js";
import { type AgentWork, endings, flagTexts, type ModelAnswer, type ModelTask, type Review } from "../agent/index.js";
import type { Findings } from "./findings.js";

/** JSON messages between the worker and its child process. */
export type ToChild =
  | { readonly type: "export"; readonly task: ExportTask }
  | { readonly type: "agent"; readonly task: AgentTask }
  | { readonly type: "review"; readonly task: ReviewTask }
  | { readonly type: "answer"; readonly id: number; readonly answer: CallAnswer };

export type FromChild =
  /** The engine is loaded. */
  | { readonly type: "ready" }
  | ({ readonly type: "progress" } & ExportStep)
  | { readonly type: "call"; readonly id: number; readonly call: Call | TaskCall }
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
  readonly audience?: readonly string[];
  readonly assistant?: AssistantOptions;
  readonly analytics?: AnalyticsOptions;
  readonly cacheFolder: string;
  readonly cacheName?: string;
  /** Resident memory at which the process gives up, in MiB. */
  readonly maxMemoryMb: number;
  /** Pages rendered at once; undefined: one per core. */
  readonly concurrency?: number;
  /** Whether other workers may make some of the pages. */
  readonly splits?: boolean;
  /** Only make the pages of this part, and then of others that the worker names. */
  readonly shard?: Shard;
}

export interface ExportStep {
  /** 0 to 100. */
  readonly progress: number;
  readonly pageCount: number;
}

/** What the process cannot do itself, because it has neither a network nor children. */
export type Call =
  | { readonly kind: "fetch text"; readonly url: string }
  | { readonly kind: "fetch bytes"; readonly url: string; readonly maxBytes: number; readonly timeoutMs: number }
  | { readonly kind: "draw"; readonly source: string }
  /** One at a time. */
  | { readonly kind: "parse"; readonly syntax: MarkdownKind; readonly source: string }
  | { readonly kind: "compile islands"; readonly sources: readonly ModuleSource[] }
  | { readonly kind: "render islands"; readonly job: RenderJob };

/** Of an export that other workers help with, or of a worker that helps. */
export type PartCall =
  /** About `missing` of the pages are to be made: is it worth it to split them? */
  { readonly kind: "split"; readonly missing: number; readonly pages: number } | { readonly kind: "next part" };

/**
 * `file` has what was fetched. `drawn` is the reply of the diagram worker; `compiled` and `rendered` are those of the island
 * worker. The file of `parsed` has the tree until the next text is parsed; null if no process could be started.
 */
export type CallAnswer =
  | { readonly file: string; readonly url: string }
  | { readonly refused: Exclude<BytesOutcome, { ok: true }> }
  | { readonly drawn: WorkerReply | Lost }
  | { readonly compiled: readonly CompiledModule[] }
  | { readonly rendered: RenderReply | Lost }
  | { readonly parsed: NonNullable<Awaited<ReturnType<typeof parseToFile>>> | null }
  | TaskAnswer;

/** What only the task's own code in the worker can answer. */
export type TaskCall = PartCall | AgentCall;
type TaskAnswer = PartAnswer | AgentAnswer;

/** Null: none. */
export type PartAnswer = { readonly parts: number | null } | { readonly part: PagePart | null };

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
  /** The changes of an agent job are judged. */
  | ReviewOutcome
  /** The parts are made. */
  | { readonly kind: "filled"; readonly pageMs: readonly number[] }
  /** The site has errors; `faults` is shown to API clients. */
  | { readonly kind: "refused"; readonly faults: string; readonly findings: Findings }
  /** `code` of a system error, such as `ENOSPC`; undefined: a bug. */
  | { readonly kind: "broken"; readonly code?: string; readonly message: string; readonly stack: string };

/** The process runs untrusted content, so the shape of its messages is checked. */
export function isFromChild(message: unknown): message is FromChild {
  const { type, id, call, outcome, ...step } = fieldsOf(message);
  if (type === "ready") return true;
  if (type === "progress") return isCount(step["progress"]) && isCount(step["pageCount"]);
  if (type === "call") return Number.isSafeInteger(id) && isCall(fieldsOf(call));
  return type === "ended" && isOutcome(fieldsOf(outcome));
}

export const isPartCall = (call: Call | TaskCall): call is PartCall =>
  call.kind === "split" || call.kind === "next part";

function isCall(call: Fields): boolean {
  const { kind, url, source, syntax, maxBytes, timeoutMs, sources, job, missing, pages } = call;
  if (isAgentCall(call)) return true;
  if (kind === "split") return [missing, pages].every(isCount);
  if (kind === "next part") return true;
  if (kind === "draw") return typeof source === "string";
  if (kind === "compile islands") return isModuleSources(sources);
  if (kind === "render islands") return isRenderJob(job);
  if (kind === "parse")
    return (
      (syntax === "mdx" || syntax === "markdown") && typeof source === "string" && source.length <= maxSourceLength
    );
  if (kind === "fetch bytes") return typeof url === "string" && isCount(maxBytes) && isCount(timeoutMs);
  return kind === "fetch text" && typeof url === "string";
}

function isOutcome(outcome: Fields): boolean {
  const { kind, bytes, sha256, pageCount, pagesMade, pageMs, findings, faults, code, message, stack } = outcome;
  if (kind === "worked") return isAgentOutcome(outcome);
  if (kind === "reviewed") return isReviewOutcome(outcome);
  if (kind === "filled") return Array.isArray(pageMs) && pageMs.every(isCount);
  if (kind !== "broken" && !isFindings(fieldsOf(findings))) return false;
  if (kind === "exported")
    return (
      [bytes, pageCount, pagesMade].every(isCount) &&
      typeof sha256 === "string" &&
      /^[0-9a-f]{64}$/.test(sha256) &&
      Array.isArray(pageMs) &&
      pageMs.every(isCount)
    );
  if (kind === "refused") return typeof faults === "string" && faults.length <= maxTextLength;
  const texts = [message, stack, code ?? ""];
  return kind === "broken" && texts.every((text) => typeof text === "string" && text.length <= maxTextLength);
}

const isFindings = ({ errors, warnings, diagnostics }: Fields): boolean =>
  isCount(errors) && isCount(warnings) && Array.isArray(diagnostics);

const maxTextLength = 100_000;

/** A page has at most 2 MB, to which the parser adds its marks. */
const maxSourceLength = 8_000_000;

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;

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
  /** Undefined: only what is certain is mended. */
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

/** What the process of an agent job asks its worker for: an answer of the model, or an event. */
export type AgentCall =
  | { readonly kind: "ask model"; readonly body: string }
  | { readonly kind: "used tool"; readonly tool: string; readonly path?: string; readonly isRefused: boolean };
export type AgentAnswer = { readonly model: ModelAnswer } | { readonly noted: true };

export function isAgentCall(call: object): call is AgentCall {
  const { kind, body, tool, path, isRefused } = call as Fields;
  if (kind === "ask model") return typeof body === "string";
  return kind === "used tool" && [tool, path ?? ""].every(isText) && typeof isRefused === "boolean";
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

const most = { changes: 2000, flags: 1000, proposals: 200, codes: 500, textLength: 5000, undone: 200 };

/** Whether the fields are an `AgentOutcome`, from a process that is not trusted. */
function isAgentOutcome({ changes, before, after, mended, proposals, words, ended, undone }: Fields): boolean {
  const isChange = ({ by, path, file }: Fields): boolean =>
    (by === "prompt" || by === "repair") &&
    typeof path === "string" &&
    (file === null || (Number.isSafeInteger(file) && (file as number) >= 0));
  const isProposal = ({ code, at, what, why }: Fields): boolean => [code, at, what, why].every(isText);
  const codes = Object.entries(fieldsOf(mended));
  return (
    isListOf(changes, most.changes, isChange) &&
    isListOf(proposals, most.proposals, isProposal) &&
    [before, after]
      .map(fieldsOf)
      .every(({ errors, warnings }) => agentMessagesIsCount(errors) && agentMessagesIsCount(warnings)) &&
    codes.length <= most.codes &&
    codes.every(([code, count]) => /^[A-Z0-9_]{1,80}$/.test(code) && agentMessagesIsCount(count)) &&
    isText(words ?? "") &&
    (ended === undefined || (endings as readonly unknown[]).includes(ended)) &&
    (undone === undefined || (Array.isArray(undone) && undone.length <= most.undone && undone.every(isText)))
  );
}

/** Whether the fields are a `ReviewOutcome`. */
const isReviewOutcome = ({ refused, flags }: Fields): boolean =>
  isListOf(refused, most.changes, ({ path, why }) => isText(path) && isText(why)) &&
  isListOf(
    flags,
    most.flags,
    ({ kind, path, line, text, host }) =>
      typeof kind === "string" &&
      Object.hasOwn(flagTexts, kind) &&
      [path, text, host ?? ""].every(isText) &&
      agentMessagesIsCount(line),
  );

const isListOf = (value: unknown, length: number, isEntry: (fields: Fields) => boolean): boolean =>
  Array.isArray(value) && value.length <= length && value.every((each) => isEntry(fieldsOf(each)));
const isText = (value: unknown): boolean => typeof value === "string" && value.length <= most.textLength;
const agentMessagesIsCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
