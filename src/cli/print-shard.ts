import { styleText } from "node:util";
import type { ShardResult } from "../index.js";
import type { Environment } from "./environment.js";
import type { ExportArguments } from "./export-arguments.js";
import { printDiagnostics } from "./print-diagnostics.js";

/** Prints what `offprint export --shard` has done. The mistakes of its pages are reported by the export of the site. */
export function printShard(
  result: ShardResult,
  args: ExportArguments,
  elapsedMs: number,
  environment: Environment,
): void {
  const { stdout } = environment;
  printDiagnostics(result, args, environment);
  if (args.display === "json") {
    const { diagnostics: _, ...rest } = result;
    stdout.write(`${JSON.stringify({ type: "result", shard: args.shard, ...rest, elapsedMs })}\n`);
    return;
  }
  if (args.display === "quiet") return;
  const out = args.format === "sarif" ? environment.stderr : stdout;
  const { shardPages, pageCount, made, siteName } = result;
  const [n, all, now] = [shardPages, pageCount, made].map((count) => count.toLocaleString("en-US"));
  const { index, count } = args.shard!;
  out.write(
    result.ok
      ? `${styleText("green", `Shard ${index} of ${count}`)} of "${siteName}": ${n} of ${all} pages, ${now} made now, in ${(elapsedMs / 1000).toFixed(1)} s\n`
      : `${styleText("red", "Nothing could be made.")}\n`,
  );
}
