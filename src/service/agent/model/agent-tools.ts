import { posix } from "node:path";
import { jsonSchema, type ToolSet, tool } from "ai7";
import { applyEdits, type Edit, type Node as JsonNode, modify, parseTree } from "jsonc-parser";
import { type Diagnostic, formatDiagnostic } from "../../../lib/diagnostic/index.js";
import { isRecord } from "../../../lib/json/index.js";
import { matchGlob } from "../../../lib/regexp/match-glob.js";
import { systemErrorCode } from "../../../lib/system-error.js";
import { Refused, type SiteFiles } from "./site-files.js";

interface ToolDeps {
  readonly files: SiteFiles;
  /** The faults of the site as it is now, new ones first. */
  check(): Promise<{ readonly faults: readonly Diagnostic[]; readonly newCount: number }>;
  /** Whether a limit is reached, so that tools do nothing more. */
  isOver(): boolean;
  /** Records what a tool was used for. */
  note(use: ToolUse): Promise<void>;
}

/** For the events of the job: no contents of files. */
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

const limits = { resultLength: 20_000, lines: 400, lineLength: 2000, paths: 500, hits: 50, hitLength: 200, faults: 40 };

const shapes: Readonly<Record<string, ToolShape>> = {
  list_files: {
    description: "Lists the site's files whose paths match a glob, such as guides/**/*.mdx.",
    texts: ["glob"],
    async run({ glob }, { files }) {
      const paths = files.list().filter((path) => matchGlob(String(glob).slice(0, 500), path));
      const more = paths.length - limits.paths;
      return (
        [...paths.slice(0, limits.paths), ...(more > 0 ? [`… and ${more} more`] : [])].join("\n") || "No file matches."
      );
    },
  },
  read_file: {
    description: `Reads lines of a text file. Lines count from 1; at most ${limits.lines} are returned.`,
    texts: ["path"],
    numbers: ["from", "to"],
    async run({ path, from = 1, to = Number.POSITIVE_INFINITY }, { files }) {
      const lines = (await files.read(String(path))).split("\n");
      const first = Math.max(1, Number(from));
      const shown = lines.slice(first - 1, Math.min(Number(to), first + limits.lines - 1));
      const last = first + shown.length - 1;
      const rest = last < lines.length ? `\n(${lines.length - last} more lines)` : "";
      return shown.map((line) => cut(line, limits.lineLength)).join("\n") + rest;
    },
  },
  search: {
    description: "Finds the lines of all text files that contain a text exactly.",
    texts: ["text"],
    async run({ text }, { files }) {
      const hits: string[] = [];
      for (const path of files.list()) {
        const content = await files.read(path).catch(() => "");
        if (!content.includes(String(text))) continue;
        for (const [index, line] of content.split("\n").entries())
          if (line.includes(String(text)) && hits.length <= limits.hits)
            hits.push(`${path}:${index + 1}: ${cut(line, limits.hitLength)}`);
        if (hits.length > limits.hits) return [...hits.slice(0, limits.hits), "… and more"].join("\n");
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
    description: "Writes a whole file: creates it, or replaces all of its text.",
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
    description: "Checks the whole site and lists its faults, those that your changes caused first.",
    texts: [],
    async run(_, deps) {
      const { faults, newCount } = await deps.check();
      return `${newCount} faults are new, ${faults.length - newCount} were there before.\n${faultsText(faults)}`;
    },
  },
};

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} … (cut: ${text.length - length} more characters)` : text;

const page = /\.mdx?$/;

const urlOf = (path: string): string => `/${path.replace(page, "").replace(/(^|\/)index$/, "")}`;

const withAbsoluteLinks = (text: string, from: string): string =>
  text.replaceAll(relativeLink, (_, before: string, url: string) => {
    return before + posix.join("/", posix.dirname(from), url);
  });
const relativeLink = /(\]\(|\b(?:href|src)=["']|\bfrom\s+["'])(\.{1,2}\/[^\s)"']*)/g;

const absoluteLink = /(\]\(|\bhref=["'])(\/[^\s)"'#?]*)/g;
/** The first faults, as the terminal shows them. */
export function faultsText(faults: readonly Diagnostic[]): string {
  const more = faults.length - limits.faults;
  const lines = faults.slice(0, limits.faults).map((fault) => formatDiagnostic(fault));
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
        if (deps.isOver()) return "Refused. The run has reached a limit. Finish now.";
        const result = await run(input, deps).catch(refusalOf);
        const path = input["path"] ?? input["from"];
        const isRefused = typeof result !== "string";
        await deps.note({ tool: name, isRefused, ...(typeof path === "string" && { path: path.slice(0, 200) }) });
        return cut(isRefused ? `Refused. ${result.message}` : result, limits.resultLength);
      };
      return [name, tool({ description, inputSchema, execute })];
    }),
  );
}

function validated(value: unknown, texts: readonly string[], numbers: readonly string[]) {
  const input = (isRecord(value) ? value : {}) as Input;
  const wrong =
    texts.find((name) => typeof input[name] !== "string") ??
    numbers.find((name) => input[name] !== undefined && !Number.isSafeInteger(input[name]));
  if (wrong === undefined) return { success: true as const, value: input };
  return { success: false as const, error: new Error(`"${wrong}" is missing, or is of another type.`) };
}

function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  return new Refused(`The tool failed (${systemErrorCode(error) ?? "unexpectedly"}).`);
}

/** Moves a page with its place in the navigation, all links, and a redirect. Returns a report for the model. */
async function movePage(files: SiteFiles, from: string, to: string): Promise<string> {
  if (!page.test(from) || !page.test(to)) throw new Refused("Only pages can be moved: their names end in .mdx or .md.");
  const paths = files.list();
  if (paths.includes(to)) throw new Refused(`The file ${to} already exists.`);
  const [oldUrl, newUrl] = [urlOf(from), urlOf(to)];
  const texts: Record<string, string | undefined> = {
    [to]: withAbsoluteLinks(await files.read(from), from),
    [from]: undefined,
  };
  const settings = ["docs.json", "mint.json"].find((name) => paths.includes(name));
  const moved = settings === undefined ? undefined : withMove(await files.read(settings), from, to);
  if (settings !== undefined && moved) texts[settings] = moved.text;
  let links = 0;
  for (const path of paths.filter((each) => page.test(each) && each !== from)) {
    const text = await files.read(path).catch(() => "");
    const linked = text.replaceAll(absoluteLink, (link, before: string, url: string) => {
      if (url !== oldUrl) return link;
      links++;
      return before + newUrl;
    });
    if (linked !== text) texts[path] = linked;
  }
  await files.change(texts, { from, to });
  const counts = `Entries of the navigation: ${moved?.entries ?? 0}. Links: ${links}.`;
  return `Moved. ${counts} A redirect leads from ${oldUrl} to ${newUrl}. Run check.`;
}

/** Undefined if the settings cannot be read. */
function withMove(text: string, from: string, to: string): { text: string; entries: number } | undefined {
  const root = parseTree(text);
  if (root?.type !== "object") return undefined;
  const member = (name: string): JsonNode | undefined =>
    root.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
  const edits: Edit[] = [];
  const rename = (node: JsonNode | undefined): void => {
    const value: unknown = node?.type === "string" ? node.value : undefined;
    if (typeof value === "string" && value.replace(/^\//, "").replace(page, "") === from.replace(page, ""))
      edits.push({ offset: node!.offset, length: node!.length, content: JSON.stringify(to.replace(page, "")) });
    for (const child of node?.children ?? []) rename(child);
  };
  rename(member("navigation"));
  const redirect = { source: urlOf(from), destination: urlOf(to) };
  const redirects = member("redirects");
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: /^ {4}"/m.test(text) ? 4 : 2 };
  const added =
    redirects === undefined
      ? modify(text, ["redirects"], [redirect], { formattingOptions })
      : redirects.type === "array"
        ? modify(text, ["redirects", -1], redirect, { formattingOptions, isArrayInsertion: true })
        : [];
  return { text: applyEdits(text, [...edits, ...added]), entries: edits.length };
}
