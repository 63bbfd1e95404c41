import { expect, test } from "vitest";
import { writeHtml } from "../../../src/lib/html/write-html.js";
import { Chart } from "../../../src/service/console/components/chart.js";
import { viewBars } from "../../../src/service/console/views/view-range.js";

const dayOf = (date: string): number => Date.parse(date) / 86_400_000;
const viewsOn = (date: string, human: number, ai = 0) => ({ day: dayOf(date), human, ai, others: 9 });

test("each day of the range has a bar, with or without views", () => {
  const views = [viewsOn("2026-06-02", 3, 1), viewsOn("2026-06-04", 5)];
  expect(viewBars(views, dayOf("2026-06-01"), dayOf("2026-06-04"), "en")).toEqual([
    { label: "Jun 1", values: [0, 0] },
    { label: "Jun 2", values: [3, 1] },
    { label: "Jun 3", values: [0, 0] },
    { label: "Jun 4", values: [5, 0] },
  ]);
});

test.each([
  ["three months", "2026-03-01", "2026-05-31", 92, "Mar 1"],
  ["a year", "2025-06-01", "2026-05-31", 53, "Jun 1"],
  ["three years", "2023-06-15", "2026-05-31", 36, "Jun 2023"],
])("%s are shown by day, week or month, and no view is lost", (_, from, to, count, label) => {
  const [first, last] = [dayOf(from), dayOf(to)];
  const views = Array.from({ length: last - first + 1 }, (_, index) => ({
    day: first + index,
    human: 2,
    ai: 1,
    others: 0,
  }));
  const bars = viewBars(views, first, last, "en");
  expect([bars.length, bars[0]!.label]).toEqual([count, label]);
  const total = (at: number) => bars.reduce((sum, { values }) => sum + values[at]!, 0);
  expect([total(0), total(1)]).toEqual([2 * views.length, views.length]);
});

const chart = (values: readonly (readonly [number, number])[]): string =>
  writeHtml(
    Chart({
      title: "Views",
      series: ["People", "AI agents"],
      bars: values.map((each, index) => ({ label: `Jun ${index + 1}`, values: each })),
      locale: "en",
    }),
  );

test("bars are stacked to scale, and each has its figures as a tooltip", () => {
  const svg = chart([
    [1000, 500],
    [0, 0],
  ]);
  const rect = (series: number) =>
    new RegExp(`<rect class="chart-series-${series}" x="[\\d.]+%" width="[\\d.]+%" y="([\\d.]+)%" height="([\\d.]+)%"`)
      .exec(svg)!
      .slice(1)
      .map(Number);
  const [human, ai] = [rect(0), rect(1)];
  // 1,500 views on a scale to 2,000; the axis is at 88 %.
  expect(human[0]! + human[1]!).toBeCloseTo(88);
  expect(ai[0]! + ai[1]!).toBeCloseTo(human[0]!);
  expect((human[1]! + ai[1]!) / 84).toBeCloseTo(0.75);
  expect(human[1]).toBeCloseTo(2 * ai[1]!);
  expect(svg).toContain("<title>Jun 1\nPeople: 1,000\nAI agents: 500</title>");
  // A day without views has a tooltip and no bar.
  expect(svg).toContain("<title>Jun 2\nPeople: 0\nAI agents: 0</title>");
  expect(svg.match(/class="chart-series-\d" x=/g)).toHaveLength(2);
  expect(svg).toMatch(/>2K<.*>1K<|>0<.*>1K<.*>2K</s);
});

test("a chart without views, and one of many bars, are whole", () => {
  expect(chart([])).toContain(">2<");
  expect(chart([[0, 0]])).not.toContain("NaN");
  const labels = [
    ...chart(Array.from({ length: 92 }, () => [1, 1] as const)).matchAll(/text-anchor="(\w+)">Jun \d+</g),
  ];
  expect(labels.length).toBeGreaterThan(3);
  expect(labels.length).toBeLessThan(6);
});
