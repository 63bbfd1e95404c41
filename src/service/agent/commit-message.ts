/** What a run has pushed. */
export interface PushedWork {
  /** Of the pull request. */
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
}

const titleTrailer = "Offprint-Title: ";
const runTrailer = "Offprint-Run: ";
const draftTrailer = "Offprint-Draft: yes";

/**
 * The message of a run's last commit. A run that is repeated after a crash reads from it what was pushed.
 *
 * @param subject of the commit, if it is not the title of the pull request.
 */
export const pushedMessage = ({ title, body, isDraft }: PushedWork, runId: string, subject = title): string =>
  [
    `${subject}\n\n${body}\n\n`,
    ...(subject === title ? [] : [`${titleTrailer}${title}\n`]),
    ...(isDraft ? [`${draftTrailer}\n`] : []),
    `${runTrailer}${runId}\n`,
  ].join("");

/** Undefined if the commit is not of that run. */
export function readPushed(message: string, runId: string): PushedWork | undefined {
  const trailer = `\n${runTrailer}${runId}`;
  const text = message.trimEnd();
  if (!text.endsWith(trailer)) return undefined;
  const [subject = "", ...lines] = text.slice(0, -trailer.length).split("\n");
  const isDraft = lines.at(-1) === draftTrailer;
  if (isDraft) lines.pop();
  const hasTitle = lines.at(-1)?.startsWith(titleTrailer);
  const title = hasTitle ? lines.pop()!.slice(titleTrailer.length) : subject;
  return { title, body: lines.join("\n").trim(), isDraft };
}
