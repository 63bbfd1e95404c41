import type { CountOutcome, ImportSummary } from "../service/analytics/index.js";

const labels: Readonly<Record<CountOutcome, string>> = {
  human: "people",
  ai: "AI agents",
  search: "search engines",
  training: "training crawlers",
  otherAi: "other bots of AI firms",
  bot: "other bots",
  missing: "addresses without a page",
  "no-page": "other files",
  "other-way": "counted by another way",
  method: "other methods",
  status: "other statuses",
  prefetch: "prefetches and previews",
};
const counted: readonly CountOutcome[] = ["human", "ai", "search", "training", "otherAi", "bot"];

/** Sums up what one import or several brought. It names no address and no user agent. */
export function createImportReport() {
  const outcomes = new Map<CountOutcome, number>();
  let lines = 0;
  let unreadable: ImportSummary["unreadable"] = { count: 0, examples: [] };
  let unchanged: readonly string[] = [];
  const listed = (names: readonly CountOutcome[]): string =>
    names
      .filter((name) => outcomes.has(name))
      .map((name) => `  ${String(outcomes.get(name)).padStart(9)}  ${labels[name]}\n`)
      .join("");
  return {
    add(summary: ImportSummary): void {
      lines += summary.lines;
      for (const [name, count] of summary.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + count);
      const examples = [...unreadable.examples, ...summary.unreadable.examples].slice(0, 5);
      unreadable = { count: unreadable.count + summary.unreadable.count, examples };
      ({ unchanged } = summary);
    },
    unreadable: unreadableText,
    text(): string {
      const rest = (Object.keys(labels) as CountOutcome[]).filter((name) => !counted.includes(name));
      const sections = [`New lines: ${lines}\n`];
      if (listed(counted)) sections.push(`Views:\n${listed(counted)}`);
      if (listed(rest)) sections.push(`Not counted as views:\n${listed(rest)}`);
      if (unchanged.length > 0) sections.push(`Nothing new in: ${unchanged.join(", ")}\n`);
      if (unreadable.count > 0)
        sections.push(`Lines that cannot be read: ${unreadable.count}\n${unreadableText(unreadable)}`);
      return sections.join("");
    },
    json: (): string => `${JSON.stringify({ lines, outcomes: Object.fromEntries(outcomes), unreadable, unchanged })}\n`,
  };
}

const unreadableText = ({ count, examples }: ImportSummary["unreadable"]): string =>
  [
    ...examples.map(({ file, line }) => `  ${file}, line ${line} of the new ones\n`),
    ...(count > examples.length ? ["  …\n"] : []),
  ].join("");
