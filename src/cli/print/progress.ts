import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { ExportPhase, ExportProgress } from "../../index.js";
import type { Environment } from "../environment.js";

export interface ProgressDisplay {
  readonly show: (progress: ExportProgress) => void;
  /** Clears the bar; later progress is not shown. */
  readonly close: () => void;
}

const phaseTexts: Readonly<Record<ExportPhase, string>> = {
  read: "Reading the site",
  assets: "Preparing assets",
  pages: "Rendering pages",
  embed: "Downloading files from other hosts",
  outputs: "Writing indexes",
  archive: "Finishing",
};
const redrawMs = 80;

/** `live` is a bar on a terminal with control codes, and plain lines elsewhere. */
export function createProgressDisplay(
  display: "live" | "json" | "quiet",
  { stderr: out, env }: Pick<Environment, "stderr" | "env">,
): ProgressDisplay {
  if (display === "quiet") return { show: () => {}, close: () => {} };
  if (display === "json")
    return eachChange(
      ({ progress }) => String(Math.floor(progress)),
      (progress) => out.write(`${JSON.stringify({ type: "progress", ...progress })}\n`),
    );
  return out.isTTY && env["TERM"] !== "dumb"
    ? liveBar(out)
    : eachChange(phaseAndTenth, (progress) => out.write(`${describe(progress)}\n`));
}

function eachChange(
  markOf: (progress: ExportProgress) => string,
  write: (progress: ExportProgress) => void,
): ProgressDisplay {
  let last = "";
  return {
    show(progress) {
      const mark = markOf(progress);
      if (mark !== last) write(progress);
      last = mark;
    },
    close: () => {},
  };
}

const phaseAndTenth = ({ phase, done, total }: ExportProgress): string =>
  phase === "pages" || phase === "embed" ? `${phase} ${Math.floor((done / Math.max(1, total)) * 10)}` : phase;

function liveBar(out: WriteStream): ProgressDisplay {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  return {
    show(progress) {
      const now = performance.now();
      if (closed || (now - drawnAt < redrawMs && progress.progress < 100)) return;
      drawnAt = now;
      const width = 24;
      const filled = Math.round((progress.progress / 100) * width);
      const bar = styleText("cyan", "█".repeat(filled)) + styleText("dim", "░".repeat(width - filled));
      out.write(`\r\x1b[2K${bar} ${String(Math.floor(progress.progress)).padStart(3)} %  ${describe(progress)}`);
    },
    close() {
      closed = true;
      out.write("\r\x1b[2K");
    },
  };
}

function describe({ phase, done, total }: ExportProgress): string {
  return total > 1 ? `${phaseTexts[phase]}: ${done} of ${total}` : phaseTexts[phase];
}
