/** What a run has pushed. */
export interface PushedWork {
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

const runTrailer = "Offprint-Run: ";
const draftTrailer = "Offprint-Draft: yes";

/** The message of a run's commit. A run that is repeated after a crash reads from it what was pushed. */
export const pushedMessage = ({ title, body, isDraft }: PushedWork, runId: string): string =>
  `${title}\n\n${body}\n\n${isDraft ? `${draftTrailer}\n` : ""}${runTrailer}${runId}\n`;

/** Undefined if the commit is not of that run. */
export function readPushed(message: string, runId: string): PushedWork | undefined {
  const trailer = `\n${runTrailer}${runId}`;
  const text = message.trimEnd();
  if (!text.endsWith(trailer)) return undefined;
  const [title = "", ...lines] = text.slice(0, -trailer.length).split("\n");
  const isDraft = lines.at(-1) === draftTrailer;
  if (isDraft) lines.pop();
  return { title, body: lines.join("\n").trim(), isDraft };
}
