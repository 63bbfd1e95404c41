import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const colorRules = ["color-contrast", "link-in-text-block"];
const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

export interface AxeOptions {
  /** Check only this element; absent: the whole page. */
  readonly within?: string;
  /** Also check best practices beyond WCAG: a single first-level heading, everything in a landmark … */
  readonly bestPractice?: boolean;
  /** Check only the rules about colours, for a page that has passed the others in other colours. */
  readonly onlyColors?: boolean;
  /** Leave the rules about colours out, which take most of the time, where colours are checked in another way. */
  readonly withoutColors?: boolean;
}

/** Every violation on the page, one line each: rule, element, problem. */
export async function violationsOf(
  page: Page,
  { within, bestPractice = true, onlyColors = false, withoutColors = false }: AxeOptions = {},
): Promise<string[]> {
  // It is half a megabyte of script, so it is injected only when needed.
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axeSource);
  const tags = { type: "tag" as const, values: bestPractice ? [...wcag, "best-practice"] : wcag };
  const runOnly = onlyColors ? { type: "rule" as const, values: colorRules } : tags;
  const rules = Object.fromEntries(colorRules.map((rule) => [rule, { enabled: !withoutColors }]));
  return page.evaluate(
    async ([selector, runOnly, rules]) => {
      const { axe: engine } = window as unknown as { axe: typeof axe };
      const { violations } = await engine.run(selector, {
        runOnly,
        ...(runOnly.type === "tag" && { rules }),
        resultTypes: ["violations"],
        iframes: false,
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary, html }) => {
          const reason = failureSummary?.split("\n")[1]?.trim() ?? "";
          return `${id} | ${target.join(" ")} | ${reason} | ${html.slice(0, 160)}`;
        }),
      );
    },
    [within ?? "html", runOnly, rules] as const,
  );
}
