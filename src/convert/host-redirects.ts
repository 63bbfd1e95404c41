/** Redirects in the settings of the old site's host: `_redirects`, netlify.toml and vercel.json. */
import { folderOf, joinPath, nameOf } from "../lib/url/index.js";
import type { SiteFiles } from "../site/source/index.js";
import { asData, asList, asText, valueAt } from "./data.js";
import type { AddNote, Project } from "./project.js";
import { dataFile } from "./tools/shared.js";

type Redirect = NonNullable<Project["redirects"]>[number];

interface HostRule {
  readonly from: string;
  readonly to: string | undefined;
  /** Only 301, 302, 303, 307 and 308 redirect; with any other status, the host serves another page at the same address. */
  readonly status: string;
  /** The rule applies only to some requests: by country, language, query or header. */
  readonly hasConditions: boolean;
  readonly line?: number;
}

const maxRules = 5000;

/** @param folders that may contain the settings: the folder of the tool's settings, and those of static files */
export function hostRedirects(
  files: SiteFiles,
  folders: readonly string[],
  basePath: string,
  note: AddNote,
  nextRules: unknown,
): readonly Redirect[] {
  const redirects: Redirect[] = [];
  const read = (path: string, rules: readonly HostRule[]): void => {
    for (const rule of rules.slice(0, maxRules)) {
      // Skip rules that serve another page without a redirect, and rules for other hosts.
      if (rule.to === undefined || !/^30[12378]$/.test(rule.status) || !rule.from.startsWith("/")) continue;
      const redirect = docsJsonRedirect(rule, basePath);
      if (redirect !== undefined) redirects.push(redirect);
      else
        note(
          path,
          "redirect",
          rule.to === ""
            ? `The redirect from "${rule.from}" leads to a value of the environment; write it to redirects in docs.json.`
            : `The redirect from "${rule.from}" to "${rule.to}" uses a condition or pattern that docs.json does not support; write one redirect per path.`,
          rule.line,
        );
    }
  };
  for (const folder of new Set(["", ...folders]))
    for (const [name, rulesOf] of Object.entries(readers)) {
      const path = joinPath(folder, name);
      if (files.has(path)) read(path, rulesOf(files, path));
    }
  const isNext = (path: string): boolean => folders.includes(folderOf(path)) && nameOf(path).startsWith("next.config.");
  if (nextRules !== undefined) read(files.paths.find(isNext) ?? ".", vercelRules(nextRules));
  return redirects;
}

const readers: Readonly<Record<string, (files: SiteFiles, path: string) => readonly HostRule[]>> = {
  _redirects: (files, path) =>
    files
      .readText(path)
      .split(/\r?\n/)
      .flatMap((text, i): HostRule[] => {
        const words = text
          .slice(0, 5000)
          .replace(/(?:^|\s)#.*$/, "")
          .trim()
          .split(/\s+/);
        const at = words.findIndex((word, n) => n > 0 && /^(?:\/|https?:)/.test(word));
        if (at < 0) return [];
        const [status = "301", ...conditions] = words.slice(at + 1);
        const hasConditions = at > 1 || conditions.length > 0 || status.includes("=");
        return [{ from: words[0]!, to: words[at], status: status.replace("!", ""), hasConditions, line: i + 1 }];
      }),
  "netlify.toml": (files, path) =>
    asList(dataFile(files, path)["redirects"]).map((rule) => ({
      from: asText(valueAt(rule, "from")) ?? "",
      to: asText(valueAt(rule, "to")),
      status: asText(valueAt(rule, "status")) ?? "301",
      hasConditions: ["conditions", "query"].some((name) => Object.keys(asData(valueAt(rule, name))).length > 0),
    })),
  "vercel.json": (files, path) => vercelRules(dataFile(files, path)["redirects"]),
};

/** Redirects of Vercel and of Next.js. */
const vercelRules = (list: unknown): HostRule[] =>
  asList(list).map((rule) => ({
    from: asText(valueAt(rule, "source")) ?? "",
    to: asText(valueAt(rule, "destination")) ?? "",
    status: asText(valueAt(rule, "statusCode")) ?? "308",
    hasConditions: asList(valueAt(rule, "has")).length + asList(valueAt(rule, "missing")).length > 0,
  }));

/** The rule in the form of docs.json; undefined if docs.json cannot express it. */
function docsJsonRedirect({ from, to = "", hasConditions }: HostRule, basePath: string): Redirect | undefined {
  // `/old/*` and `/old-*` with `:splat` of Netlify, `/old/:path*` of Vercel.
  const splat = from.endsWith("/*") ? ":splat*" : "*";
  const source = withoutBase(from, basePath)
    .replace(/\/\*$/, "/:splat*")
    .replace(/(?<=.)\/$/, "");
  const destination = withoutBase(to, basePath)
    .replace(/:splat(?!\*)/, splat)
    .replace(/(?<=.)\/$/, "");
  const plain = source.replace(/\/:\w+\*?(?=\/|$)/g, "").replace(/(?<=[\w-])\*$/, "");
  // A host redirects once, and only where no page is; here, the new address would be redirected again.
  const goesOn = source.endsWith("*") && destination.startsWith(source.replace(/(?::\w+)?\*$/, ""));
  if (hasConditions || goesOn || /[*?#()[\]{}\\:]/.test(plain)) return undefined;
  return /^(?:\/|https?:\/\/)/.test(destination) ? { source, destination } : undefined;
}

const withoutBase = (path: string, basePath: string): string =>
  basePath !== "" && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
