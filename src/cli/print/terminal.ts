import { styleText } from "node:util";

type Color = "red" | "yellow" | "green";

/** Colours texts for a terminal, or for any stream with FORCE_COLOR. NO_COLOR and TERM=dumb are heeded. */
export function painter(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): (text: string, color: Color) => string {
  const isForced = !["", "0", "false"].includes(env["FORCE_COLOR"] ?? "");
  const isColored = isForced || (stream.isTTY && !env["NO_COLOR"] && stream.getColorDepth(env) > 2);
  return (text, color) => (isColored ? styleText(color, text, { validateStream: false }) : text);
}

/** Aligns the columns of `rows`; the first row is the heading. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
