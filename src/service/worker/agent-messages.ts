import { type Fields, fieldsOf } from "../../lib/json/index.js";
import { type AgentWork, endings, flagTexts, type ModelAnswer, type ModelTask, type Review } from "../agent/index.js";

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

export interface ReviewOutcome extends Review {
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
export function isAgentOutcome({ changes, before, after, mended, proposals, words, ended, undone }: Fields): boolean {
  const isChange = ({ by, path, file }: Fields): boolean =>
    (by === "prompt" || by === "repair") &&
    typeof path === "string" &&
    (file === null || (Number.isSafeInteger(file) && (file as number) >= 0));
  const isProposal = ({ code, at, what, why }: Fields): boolean => [code, at, what, why].every(isText);
  const codes = Object.entries(fieldsOf(mended));
  return (
    isListOf(changes, most.changes, isChange) &&
    isListOf(proposals, most.proposals, isProposal) &&
    [before, after].map(fieldsOf).every(({ errors, warnings }) => isCount(errors) && isCount(warnings)) &&
    codes.length <= most.codes &&
    codes.every(([code, count]) => /^[A-Z0-9_]{1,80}$/.test(code) && isCount(count)) &&
    isText(words ?? "") &&
    (ended === undefined || (endings as readonly unknown[]).includes(ended)) &&
    (undone === undefined || (Array.isArray(undone) && undone.length <= most.undone && undone.every(isText)))
  );
}

/** Whether the fields are a `ReviewOutcome`. */
export const isReviewOutcome = ({ refused, flags }: Fields): boolean =>
  isListOf(refused, most.changes, ({ path, why }) => isText(path) && isText(why)) &&
  isListOf(
    flags,
    most.flags,
    ({ kind, path, line, text, host }) =>
      typeof kind === "string" &&
      Object.hasOwn(flagTexts, kind) &&
      [path, text, host ?? ""].every(isText) &&
      isCount(line),
  );

const isListOf = (value: unknown, length: number, isEntry: (fields: Fields) => boolean): boolean =>
  Array.isArray(value) && value.length <= length && value.every((each) => isEntry(fieldsOf(each)));
const isText = (value: unknown): boolean => typeof value === "string" && value.length <= most.textLength;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
