import { type CodeEntry, codes } from "../codes.js";
import type { Environment } from "../environment.js";
import { formatTable } from "../print/terminal.js";

export interface ExplainArguments {
  /** Absent: list all. */
  readonly entry?: CodeEntry | undefined;
  readonly json: boolean;
}

/** `offprint explain`: what a code of a diagnostic means, with a wrong and a right text. */
export async function run({ entry, json }: ExplainArguments, { stdout }: Environment): Promise<number> {
  if (json) stdout.write((entry ? [entry] : codes).map((each) => `${JSON.stringify(each)}\n`).join(""));
  else stdout.write(entry ? explanation(entry) : list());
  return 0;
}

function list(): string {
  const sections = Map.groupBy(codes, ({ section }) => section);
  const parts = [...sections].map(
    ([section, entries]) =>
      `${section}\n${formatTable(entries.map(({ code, kind, meaning }) => [`  ${code}`, kind, plain(meaning)]))}`,
  );
  return `${parts.join("\n")}\n"offprint explain <code>" says more about one of them.\n`;
}

/** What `offprint explain` prints of one code. */
export function explanation({ code, kind, meaning, example, withoutExample }: CodeEntry): string {
  const head = `${kind} ${code}\n\n${plain(meaning)}\n`;
  if (!example) return `${head}\n${withoutExample}\n`;
  const shown = (title: string, text: string): string => `\n${title} (${example.in})\n\n${indented(text)}\n`;
  return head + shown("Wrong", example.wrong) + shown("Right", example.right);
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, "    ");

/** Without the marks of links. */
export const plain = (text: string): string => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
