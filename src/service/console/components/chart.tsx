import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";

/** One stacked bar. */
export interface Bar {
  /** Below the axis, and in the bar's tooltip. */
  readonly label: string;
  /** From the bottom up, one for each series. */
  readonly values: readonly number[];
}

interface ChartProps {
  /** What the chart shows, for readers who cannot see it. The page also has the figures in a table. */
  readonly title: string;
  /** Names of the series; at most two. */
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  readonly locale: string;
}

/** The area of the bars, in per cent of the height. The labels of the axis have the rest. */
const plot = { top: 4, height: 84 } as const;
/** The width of a bar as a fraction of its slot. */
const fill = 0.72;
const labelCount = 5;

/** A bar chart as SVG. Lengths are per cent, since the strict policy allows no style attributes. */
export function Chart({ title, series, bars, locale }: ChartProps): JsxNode {
  const top = topOf(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const format = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: "compact" });
  const slot = 100 / Math.max(1, bars.length);
  const yOf = (value: number): number => plot.top + plot.height * (1 - value / top);
  return (
    <figure class="chart">
      <ul class="chart-legend">
        {series.map((name, index) => (
          <li class={`chart-series-${index}`}>{name}</li>
        ))}
      </ul>
      <div class="chart-area">
        <svg class="chart-scale" aria-hidden="true">
          {[0, 0.5, 1].map((part) => (
            <text x="100%" y={percent(yOf(top * part))} dy="0.32em" text-anchor="end">
              {short.format(top * part)}
            </text>
          ))}
        </svg>
        <svg class="chart-plot" role="img" aria-label={title}>
          {[0, 0.5, 1].map((part) => (
            <line class="chart-line" x1="0" x2="100%" y1={percent(yOf(top * part))} y2={percent(yOf(top * part))} />
          ))}
          {bars.map(({ label, values }, index) => (
            <g class="chart-bar">
              <title>
                {[label, ...series.map((name, at) => `${name}: ${format.format(values[at] ?? 0)}`)].join("\n")}
              </title>
              <rect class="chart-slot" x={percent(index * slot)} width={percent(slot)} y="0" height="100%" />
              {values.map((value, at) =>
                value === 0 ? undefined : (
                  <rect
                    class={`chart-series-${at}`}
                    x={percent((index + (1 - fill) / 2) * slot)}
                    width={percent(slot * fill)}
                    y={percent(yOf(sum(values.slice(0, at + 1))))}
                    height={percent((plot.height * value) / top)}
                    rx="2"
                  />
                ),
              )}
            </g>
          ))}
          {labelled(bars.length).map((index) => (
            <text
              class="chart-label"
              x={percent((index + 0.5) * slot)}
              y="98%"
              text-anchor={anchorOf(index, bars.length)}
            >
              {bars[index]!.label}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const percent = (part: number): string => `${Math.round(part * 1000) / 1000}%`;

/** The smallest of 2, 4, 6, 8, 10, 20, 40, … that is at least `value`. Half of it is a whole number, too. */
function topOf(value: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [2, 4, 6, 8, 10]) if (step * power >= value) return step * power;
}

/** The bars that have a label: few and evenly spaced, so that the labels fit a phone. */
function labelled(count: number): readonly number[] {
  const step = Math.max(1, Math.ceil((count - 1) / (labelCount - 1)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % step === 0);
}

/** Keeps the labels at the edges within the chart. */
function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (count <= labelCount) return "middle";
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}
