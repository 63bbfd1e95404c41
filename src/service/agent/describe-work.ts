import type { AgentRun } from "../jobs/index.js";
import type { AgentWork, FaultCounts } from "./agent-work.js";
import type { Ending } from "./model/model-task.js";
import { type Flag, flagTexts } from "./review/flag.js";

const maxProposals = 20;
/** Forges refuse a text of more than 65,000 characters. */
const maxSuspicions = 60;
const maxWords = 3000;
const maxPrompt = 1500;

/** Title and text of the commit and of the pull request. */
export function describeWork({ job, prompt }: AgentRun, work: AgentWork, suspicions: readonly string[]) {
  const mended = Object.values(work.mended).reduce((sum, count) => sum + count, 0);
  const title = job.mode === "repair" ? `docs: mend ${plural(mended, "fault")}` : `docs: ${firstLine(prompt)}`;
  const parts = [
    ...(suspicions.length > 0 ? ["**Look at this first:**", list(shortened(suspicions))] : []),
    ...(job.mode === "repair" ? [] : ["Asked for:", quote(prompt.slice(0, maxPrompt))]),
    ...(work.words ? ["In the words of the model:", quote(work.words.slice(0, maxWords))] : []),
    ...(work.ended ? [`The work ended early: ${endingTexts[work.ended]}. What is here passes the check.`] : []),
    ...(work.undone
      ? ["Taken back, since new faults came with it:", list(work.undone.slice(0, maxProposals).map(inCode))]
      : []),
    ...(mended > 0
      ? ["Mended, each by an edit that took its fault away and brought no other:", list(byCode(work.mended))]
      : []),
    ...(work.proposals.length > 0 ? ["Left to a person:", list(proposalLines(work))] : []),
    `Check before: ${counted(work.before)}. After: ${counted(work.after)}.`,
    `Made by Offprint${job.mode === "repair" ? "" : ` with ${inCode(job.model)}`}, agent job ${job.agentJobId}.`,
  ];
  return { title, body: parts.join("\n\n") };
}

/** For the list of what a person must look at. */
export const flagText = ({ kind, path, line, text }: Flag): string =>
  `${inCode(`${path}:${line}`)} ${flagTexts[kind]}: ${inCode(text)}`;

/** Subject of a commit with the repairs of a run that has carried out a prompt as well. */
export const repairSubject = ({ mended }: AgentWork): string =>
  `repair: mend ${plural(
    Object.values(mended).reduce((sum, count) => sum + count, 0),
    "fault",
  )} in the changed files`;

const endingTexts: Readonly<Record<Ending, string>> = {
  requests: "all requests to the model that a run may make were made",
  tokens: "all tokens that a run may use were used",
  time: "the time of a run was over",
  length: "the conversation became longer than the model accepts",
  files: "a run may not change more files",
  lines: "a run may not change more lines",
  bytes: "a run may not change more text",
  calls: "the model used its tools too often",
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
        `At least ${lines.length - maxSuspicions} more such changes: look at every file.`,
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
