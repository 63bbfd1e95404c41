import variablesOf from "./theme-variables.json" with { type: "json" };

const numbered = (name: string): string[] => Array.from({ length: 12 }, (_, i) => `${name}-${i + 1}`);

/**
 * Mermaid computes with colours and cannot use custom properties. So it draws with one unusual colour for each token,
 * which is replaced by `var(--diagram-…)` afterwards. One diagram then fits light and dark mode.
 */
const tokens = [
  ...(
    "text muted line bg node node-border cluster cluster-border label note " +
    "note-border note-text active active-border done done-border critical critical-border grid on-strong"
  ).split(" "),
  ...numbered("soft"),
  ...numbered("strong"),
];

const first = 0x01fd00;

/** The placeholder colour of a token. */
export function placeholderOf(token: string): string {
  const index = tokens.indexOf(token);
  if (index < 0) throw new Error(`No diagram color is called "${token}".`);
  return `#${(first + index).toString(16).padStart(6, "0")}`;
}

/** The token of a placeholder, given its three parts of 0 to 255. */
export function tokenOf(red: number, green: number, blue: number): string | undefined {
  return red === first >> 16 && green === ((first >> 8) & 255) ? tokens[blue] : undefined;
}

/** The token of a shade of a placeholder, given its hue in degrees. */
export function tokenOfHue(hue: number): string | undefined {
  const [red, green] = [first >> 16, (first >> 8) & 255];
  const blue = ((hue - 120) / 60) * (green - red) + red;
  const isWhole = Math.abs(blue - Math.round(blue)) < 0.001;
  return isWhole ? tokens[Math.round(blue)] : undefined;
}

/** Whether a diagram has a palette of its own: Mermaid's themes then draw it, and it looks the same in both modes. */
export const hasOwnColors = (source: string): boolean => /\bthemeVariables\b/.test(source);

/** All of Mermaid's theme variables, including those it would derive from others. */
export function themeVariables(): Record<string, unknown> {
  const variables: Record<string, unknown> = { useGradient: false, dropShadow: "none", fontSize: "16px" };
  for (const [token, names] of Object.entries(variablesOf))
    for (const name of names) variables[name] = placeholderOf(token);
  for (let i = 0; i < 12; i++) {
    variables[`cScale${i}`] = placeholderOf(`soft-${i + 1}`);
    variables[`cScaleInv${i}`] = placeholderOf(`strong-${i + 1}`);
    variables[`cScalePeer${i}`] = placeholderOf(`strong-${i + 1}`);
    variables[`cScaleLabel${i}`] = placeholderOf("text");
    variables[`pie${i + 1}`] = placeholderOf(`soft-${i + 1}`);
    if (i < 8) {
      variables[`git${i}`] = placeholderOf(`strong-${i + 1}`);
      variables[`gitInv${i}`] = placeholderOf(`soft-${i + 1}`);
      variables[`gitBranchLabel${i}`] = placeholderOf("on-strong");
      variables[`fillType${i}`] = placeholderOf(`soft-${i + 1}`);
      variables[`venn${i + 1}`] = placeholderOf(`strong-${i + 1}`);
    }
    if (i < 5) {
      variables[`surface${i}`] = placeholderOf(`soft-${i + 1}`);
      variables[`surfacePeer${i}`] = placeholderOf(`strong-${i + 1}`);
    }
  }
  const text = placeholderOf("text");
  const line = placeholderOf("line");
  const xyNames = "title dataLabel legendText xAxisTitle xAxisLabel xAxisTick yAxisTitle yAxisLabel yAxisTick".split(
    " ",
  );
  variables["xyChart"] = {
    ...Object.fromEntries(xyNames.map((name) => [`${name}Color`, text])),
    backgroundColor: "transparent",
    xAxisLineColor: line,
    yAxisLineColor: line,
    plotColorPalette: [1, 3, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((i) => placeholderOf(`strong-${i}`)).join(","),
  };
  variables["radar"] = { axisColor: line, graticuleColor: placeholderOf("grid") };
  variables["packet"] = {
    startByteColor: text,
    endByteColor: text,
    labelColor: text,
    titleColor: text,
    blockStrokeColor: placeholderOf("node-border"),
    blockFillColor: placeholderOf("node"),
  };
  return variables;
}
