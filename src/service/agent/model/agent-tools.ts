import { jsonSchema, type ToolSet, tool } from "ai7";
import { type Diagnostic, formatDiagnostic } from "../../../lib/diagnostic/index.js";
import { systemErrorCode } from "../../../lib/system-error.js";
import { matchGlob } from "./match-glob.js";
import { movePage } from "./move-page.js";
import { Refused, type SiteFiles } from "./site-files.js";

export interface ToolDeps {
  readonly files: SiteFiles;
  /** The faults of the site as it is now, new ones first. */
  check(): Promise<{ readonly faults: readonly Diagnostic[]; readonly newCount: number }>;
  /** What a tool was used for. */
  note(use: ToolUse): Promise<void>;
}

/** For the events of the job: without contents. */
export interface ToolUse {
  readonly tool: string;
  readonly path?: string;
  readonly isRefused: boolean;
}

type Input = Readonly<Record<string, string | number | undefined>>;
interface ToolShape {
  readonly description: string;
  readonly texts: readonly string[];
  readonly numbers?: readonly string[];
  run(input: Input, deps: ToolDeps): Promise<string>;
}

const most = { resultLength: 20_000, lines: 400, lineLength: 2000, paths: 500, hits: 50, hitLength: 200, faults: 40 };

const shapes: Readonly<Record<string, ToolShape>> = {
  list_files: {
    description: "Lists the site's files whose paths fit a glob, such as guides/**/*.mdx.",
    texts: ["glob"],
    async run({ glob }, { files }) {
      const found = files.list().filter((path) => matchGlob(String(glob).slice(0, 500), path));
      const more = found.length - most.paths;
      return [...found.slice(0, most.paths), ...(more > 0 ? [`… and ${more} more`] : [])].join("\n") || "No file fits.";
    },
  },
  read_file: {
    description: `Reads lines of a text file. Lines count from 1; at most ${most.lines} are given.`,
    texts: ["path"],
    numbers: ["from", "to"],
    async run({ path, from = 1, to = Number.POSITIVE_INFINITY }, { files }) {
      const lines = (await files.read(String(path))).split("\n");
      const first = Math.max(1, Number(from));
      const shown = lines.slice(first - 1, Math.min(Number(to), first + most.lines - 1));
      const last = first + shown.length - 1;
      const rest = last < lines.length ? `\n(${lines.length - last} more lines)` : "";
      return shown.map((line) => cut(line, most.lineLength)).join("\n") + rest;
    },
  },
  search: {
    description: "Finds the lines of all text files that contain a text, letter by letter.",
    texts: ["text"],
    async run({ text }, { files }) {
      const hits: string[] = [];
      for (const path of files.list()) {
        const content = await files.read(path).catch(() => "");
        if (!content.includes(String(text))) continue;
        for (const [index, line] of content.split("\n").entries())
          if (line.includes(String(text)) && hits.length <= most.hits)
            hits.push(`${path}:${index + 1}: ${cut(line, most.hitLength)}`);
        if (hits.length > most.hits) return [...hits.slice(0, most.hits), "… and more"].join("\n");
      }
      return hits.join("\n") || "No file contains it.";
    },
  },
  edit_file: {
    description: "Replaces a text of a file. The old text must occur exactly once.",
    texts: ["path", "old", "new"],
    async run(input, { files }) {
      const [path, old, replacement] = [input["path"], input["old"], input["new"]].map(String) as [
        string,
        string,
        string,
      ];
      const parts = (await files.read(path)).split(old);
      if (old === "" || parts.length !== 2)
        throw new Refused(`The old text occurs ${old === "" ? 0 : parts.length - 1} times. Give one that occurs once.`);
      await files.change({ [path]: parts.join(replacement) });
      return "Changed.";
    },
  },
  write_file: {
    description: "Writes a whole file: a new one, or all of the text of one that there is.",
    texts: ["path", "content"],
    async run({ path, content }, { files }) {
      await files.change({ [String(path)]: String(content) });
      return "Written.";
    },
  },
  move_page: {
    description:
      "Moves a page, with its entries in the navigation, the links to it, and a redirect from its old address.",
    texts: ["from", "to"],
    run: ({ from, to }, { files }) => movePage(files, String(from), String(to)),
  },
  check: {
    description: "Checks the whole site and gives its faults, those that your changes brought first.",
    texts: [],
    async run(_, deps) {
      const { faults, newCount } = await deps.check();
      return `${newCount} faults are new, ${faults.length - newCount} were there before.\n${faultsText(faults)}`;
    },
  },
};
export const toolNames: readonly string[] = Object.keys(shapes);

/** The first faults, as the terminal shows them. */
export function faultsText(faults: readonly Diagnostic[]): string {
  const more = faults.length - most.faults;
  const lines = faults.slice(0, most.faults).map((fault) => formatDiagnostic(fault));
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

/** All that a model can do: none of the tools takes an address, starts a program, or leaves the site's folder. */
export function createTools(deps: ToolDeps): ToolSet {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, { description, texts, numbers = [], run }]) => {
      const properties = Object.fromEntries([
        ...texts.map((each) => [each, { type: "string" as const }]),
        ...numbers.map((each) => [each, { type: "integer" as const }]),
      ]);
      const inputSchema = jsonSchema<Input>(
        { type: "object", properties, required: [...texts], additionalProperties: false },
        { validate: (value) => validated(value, texts, numbers) },
      );
      const execute = async (input: Input): Promise<string> => {
        const result = await run(input, deps).catch(refusalOf);
        const path = input["path"] ?? input["from"];
        const isRefused = typeof result !== "string";
        await deps.note({ tool: name, isRefused, ...(typeof path === "string" && { path: path.slice(0, 200) }) });
        return cut(isRefused ? `Refused. ${result.message}` : result, most.resultLength);
      };
      return [name, tool({ description, inputSchema, execute })];
    }),
  );
}

function validated(value: unknown, texts: readonly string[], numbers: readonly string[]) {
  const input = (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as Input;
  const wrong =
    texts.find((name) => typeof input[name] !== "string") ??
    numbers.find((name) => input[name] !== undefined && !Number.isSafeInteger(input[name]));
  if (wrong === undefined) return { success: true as const, value: input };
  return { success: false as const, error: new Error(`"${wrong}" is missing, or is of another type.`) };
}

function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  return new Refused(`The tool has failed (${systemErrorCode(error) ?? "unexpectedly"}).`);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} … (cut: ${text.length - length} more characters)` : text;
