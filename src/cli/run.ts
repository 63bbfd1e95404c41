import { OutputNotOursError } from "../archive/index.js";
import { engineVersion } from "../version.js";
import { parseArguments, UsageError } from "./arguments.js";
import { runExport } from "./export-command.js";
import { help } from "./help.js";

/** What a command needs of the process it runs in. */
export type Surroundings = Pick<NodeJS.Process, "stdout" | "stderr" | "env" | "platform" | "on" | "off">;

/** Runs one command line (without `node` and the script). Resolves with the exit code; see `help`. */
export async function run(words: readonly string[], process: Surroundings): Promise<number> {
  try {
    const args = parseArguments(words);
    if (args.command === "help") process.stdout.write(help);
    else if (args.command === "version") process.stdout.write(`offprint ${engineVersion()}\n`);
    else return await runExport(args, process);
    return 0;
  } catch (error) {
    process.stderr.write(`offprint: ${explain(error)}\n`);
    return error instanceof UsageError || error instanceof OutputNotOursError ? 2 : 3;
  }
}

const fixes: Readonly<Record<string, string>> = {
  EACCES: "You may not write there; choose another folder or change its permissions.",
  EPERM: "You may not write there; choose another folder or change its permissions.",
  EROFS: "That disk is read-only; choose another folder.",
  ENOSPC: "The disk is full; free some space, or choose a folder on another disk. The previous output is untouched.",
  EDQUOT: "Your quota is used up; free some space. The previous output is untouched.",
  EMFILE: "Too many files are open; raise the limit (ulimit -n).",
};

function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof OutputNotOursError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  if (code !== undefined) return `${error.message}${fixes[code] ? `\n${fixes[code]}` : ""}`;
  return `this is a bug of Offprint; please report it with what follows.\n${error.stack ?? error.message}\n${error.cause ?? ""}`;
}

/** The system's error code, which an error from a worker thread only carries in its text. */
function codeOf(error: Error): string | undefined {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return code;
  return /^(E[A-Z]{3,}):/.exec(error.message)?.[1];
}
