import { type CodeEntry, codes, explanation, findCode, withoutLinks } from "../codes.js";
import { command, type Input } from "../command.js";
import type { Environment } from "../environment.js";
import { formatTable, jsonLines } from "../print/terminal.js";
import type texts from "./texts/explain.json";

export const commands = { explain: command(parse, run) };

/** Without a code, all are listed. @throws {UsageError} for a code that does not exist. */
function parse({ argument, values }: Input<typeof texts, "explain">) {
  return { entry: argument === "" ? undefined : findCode(argument), json: values.json ?? false };
}

async function run({ entry, json }: ReturnType<typeof parse>, { stdout }: Environment): Promise<number> {
  stdout.write(json ? jsonLines(entry ? [entry] : codes) : entry ? explanation(entry) : list());
  return 0;
}

function list(): string {
  const row = ({ code, kind, meaning }: CodeEntry): string[] => [`  ${code}`, kind, withoutLinks(meaning)];
  const sections = [...Map.groupBy(codes, ({ section }) => section)];
  const tables = sections.map(([section, entries]) => `${section}\n${formatTable(entries.map(row))}`);
  return `${tables.join("\n")}\n"offprint explain <code>" explains one of them.\n`;
}
