import type { AgentRun } from "../jobs/index.js";
import type { Ending } from "./model/model-calls.js";
import { type Flag, flagTexts } from "./review/flag.js";

/** What was changed in the files of a site, and what the checks before and after it found. */
export interface AgentWork {
  readonly changes: readonly FileChange[];
  readonly before: FaultCounts;
  readonly after: FaultCounts;
  /** Faults that are gone, by code. */
  readonly mended: Readonly<Record<string, number>>;
  /** Faults that a person must decide about. */
  readonly proposals: readonly WorkProposal[];
  /** The model's own account of its work; Markdown that nobody has checked. */
  readonly words?: string;
  /** The budget that was used up. */
  readonly ended?: Ending;
  /** Files whose changes were reverted because they would have caused new faults. */
  readonly undone?: readonly string[];
}

export interface FileChange {
  /** The changes of the prompt come first, and those of the repair start from them. Each is a commit of its own. */
  readonly by: "prompt" | "repair";
  /** Relative to the site, with `/`. */
  readonly path: string;
  /** Undefined if the file is removed. */
  readonly content: Uint8Array | undefined;
}

export interface FaultCounts {
  readonly errors: number;
  readonly warnings: number;
}

export interface WorkProposal {
  readonly code: string;
  /** File and line. */
  readonly at: string;
  readonly what: string;
  readonly why: string;
}

const maxProposals = 20;

/** Forges refuse a text of more than 65,000 characters. */
const maxSuspicions = 60;
const maxWords = 3000;
const maxPrompt = 1500;

/** Title and text of the commit and of the pull request. */
export function describeWork({ job, prompt }: AgentRun, work: AgentWork, suspicions: readonly string[]) {
  const fixed = fixedFaults(work);
  const title = job.mode === "repair" ? `docs: repair ${fixed}, no prompt carried out` : `docs: ${firstLine(prompt)}`;
  const parts = [
    ...(suspicions.length > 0 ? ["**Look at this first:**", list(shortened(suspicions))] : []),
    job.mode === "repair" ? `${repairNotice} The prompt was:` : "Asked for:",
    quote(prompt.slice(0, maxPrompt)),
    ...(work.words ? ["In the words of the model:", quote(work.words.slice(0, maxWords))] : []),
    ...(work.ended ? [`The run ended early: ${endingTexts[work.ended]}. These changes pass the check.`] : []),
    ...(work.undone
      ? ["Reverted because it caused new faults:", list(work.undone.slice(0, maxProposals).map(inCode))]
      : []),
    ...(Object.keys(work.mended).length > 0
      ? ["Fixed, each by an edit that removes the fault and causes no other:", list(byCode(work.mended))]
      : []),
    ...(work.proposals.length > 0 ? ["Needs a person:", list(proposalLines(work))] : []),
    `Check before: ${counted(work.before)}. After: ${counted(work.after)}.`,
    `Made by Offprint${job.mode === "repair" ? "" : ` with ${inCode(job.model)}`}, agent job ${job.agentJobId}.`,
  ];
  return { title, body: parts.join("\n\n") };
}

/** What a client that sent a prompt must know. */
export const repairNotice = "This job repairs faults without a language model, so it does not carry out its prompt.";

/** For the list of what a person must look at. */
export const flagText = ({ kind, path, line, text }: Flag): string =>
  `${inCode(`${path}:${line}`)} ${flagTexts[kind]}: ${inCode(text)}`;

/** Subject of a commit with the repairs of a run that has carried out a prompt as well. */
export const repairSubject = (work: AgentWork): string => `repair: fix ${fixedFaults(work)} in the changed files`;

const fixedFaults = ({ mended }: AgentWork): string =>
  plural(
    Object.values(mended).reduce((sum, count) => sum + count, 0),
    "fault",
  );

const endingTexts: Readonly<Record<Ending, string>> = {
  requests: "the run reached its limit of model requests",
  tokens: "the run reached its token limit",
  time: "the run reached its time limit",
  length: "the conversation exceeded the model's context",
  files: "the run reached its limit of changed files",
  lines: "the run reached its limit of changed lines",
  bytes: "the run reached its limit of changed text",
  calls: "the run reached its limit of tool calls",
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
const counted = ({ errors, warnings }: FaultCounts): string =>
  `${plural(errors, "error")}, ${plural(warnings, "warning")}`;
const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= maxSuspicions
    ? lines
    : [
        ...lines.slice(0, maxSuspicions),
        `At least ${lines.length - maxSuspicions} more such changes: review every file.`,
      ];

const byCode = (mended: AgentWork["mended"]): string[] =>
  Object.entries(mended).map(([code, count]) => `${inCode(code)}: ${count}`);

function proposalLines({ proposals }: AgentWork): string[] {
  const shown = proposals.slice(0, maxProposals).map(({ code, at, what, why }) => {
    return `${inCode(code)} ${inCode(at)}: ${inCode(what)} ${inCode(why)}`;
  });
  const more = proposals.length - shown.length;
  return more > 0 ? [...shown, `${more} more: see \`offprint check\`.`] : shown;
}

/** Text of a site in a code span, where a forge reads neither names of people nor numbers of issues. */
function inCode(text: string): string {
  const plain = visible(text).replaceAll("`", "'").trim();
  return `\`${plain.length > 200 ? `${plain.slice(0, 199)}…` : plain || " "}\``;
}

/** Indented code: nothing in it can end it. */
const quote = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `    ${visible(line)}`)
    .join("\n");

const firstLine = (prompt: string): string => {
  const line = visible(prompt.trim().split(/[\n\r]/)[0]!)
    .replaceAll(/[`@#]/g, "")
    .trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line || "what was asked for";
};

const visible = (text: string): string => text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");

export interface PushedWork {
  /** Of the pull request. */
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  /** Of a repair: the commit of the base branch to which it is the only change. */
  readonly base?: string;
}

const baseTrailer = "Offprint-Base: ";
const titleTrailer = "Offprint-Title: ";
const runTrailer = "Offprint-Run: ";
const draftTrailer = "Offprint-Draft: yes";

/**
 * The message of a run's last commit. A run that is repeated after a crash reads from it what was pushed.
 *
 * @param subject of the commit, if it is not the title of the pull request.
 */
export const pushedMessage = ({ title, body, isDraft, base }: PushedWork, runId: string, subject = title): string =>
  [
    `${subject}\n\n${body}\n\n`,
    ...(base === undefined ? [] : [`${baseTrailer}${base}\n`]),
    ...(subject === title ? [] : [`${titleTrailer}${title}\n`]),
    ...(isDraft ? [`${draftTrailer}\n`] : []),
    `${runTrailer}${runId}\n`,
  ].join("");

/** What a run has pushed; undefined if the commit belongs to another run. */
export function readPushed(message: string, runId: string): PushedWork | undefined {
  const trailer = `\n${runTrailer}${runId}`;
  const text = message.trimEnd();
  if (!text.endsWith(trailer)) return undefined;
  const [subject = "", ...lines] = text.slice(0, -trailer.length).split("\n");
  const isDraft = lines.at(-1) === draftTrailer;
  if (isDraft) lines.pop();
  const hasTitle = lines.at(-1)?.startsWith(titleTrailer);
  const title = hasTitle ? lines.pop()!.slice(titleTrailer.length) : subject;
  if (lines.at(-1)?.startsWith(baseTrailer)) lines.pop();
  return { title, body: lines.join("\n").trim(), isDraft };
}

/** The base commit that a branch repairs with its only commit. @param commit the last one, as git stores it. */
export function repairedBase(commit: string): string | undefined {
  const [head = ""] = commit.split("\n\n", 1);
  const parents = [...head.matchAll(/^parent ([0-9a-f]{40,64})$/gm)].map(([, parent]) => parent!);
  const [parent] = parents;
  return parents.length === 1 && commit.includes(`\n${baseTrailer}${parent}\n`) ? parent : undefined;
}
