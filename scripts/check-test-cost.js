// Compares the processor time of each test file, and of each program that test files share, with its record, test/cost.json.
// The machine of the record may be faster or slower, so the median of all files is taken as the speed of this one. Prints each
// that costs a fifth more, and exits with 1. With --write, the report becomes the record.
//
//   check-test-cost.js <report> [--write]
import { readFileSync, writeFileSync } from "node:fs";

const allowed = 1.2;
/** Seconds by which a file may differ by chance. */
const slack = 1;
/** A file without a record is reported above this number of seconds. Shared programs, named in parentheses, are not. */
const maxUnrecorded = 10;

const [reportPath, ...flags] = process.argv.slice(2);
const recordPath = process.env["OFFPRINT_COST_RECORD"] ?? new URL("../test/cost.json", import.meta.url);
if (reportPath === undefined) throw new Error("usage: check-test-cost.js <report> [--write]");
const report = readFileSync(reportPath, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  .toSorted((a, b) => (a.file < b.file ? -1 : 1));

if (flags.includes("--write")) {
  const record = Object.fromEntries(report.map(({ file, seconds }) => [file, Math.round(seconds * 10) / 10]));
  writeFileSync(recordPath, `${JSON.stringify(record, null, 2)}\n`);
} else check(JSON.parse(readFileSync(recordPath, "utf8")));

function check(record) {
  const ratios = report
    .filter(({ file }) => record[file] >= slack)
    .map(({ file, seconds }) => seconds / record[file])
    .toSorted((a, b) => a - b);
  const speed = ratios[Math.floor(ratios.length / 2)] ?? 1;
  const faults = report.flatMap(({ file, seconds }) => {
    const known = record[file];
    if (known === undefined)
      return seconds > maxUnrecorded * speed && !file.startsWith("(")
        ? [`${file} has no record and takes ${seconds.toFixed(1)} s.`]
        : [];
    const limit = (known * allowed + slack) * speed;
    return seconds > limit
      ? [`${file} takes ${seconds.toFixed(1)} s of processor time; its record allows ${limit.toFixed(1)} s here.`]
      : [];
  });
  const sum = report.reduce((total, { seconds }) => total + seconds, 0);
  const shared = report.filter(({ file }) => file.startsWith("("));
  console.log(
    `${report.length - shared.length} files, ${sum.toFixed(0)} s of processor time; this machine takes ${speed.toFixed(2)} of the record's.`,
  );
  for (const { file, seconds } of shared) console.log(`${file} takes ${seconds.toFixed(0)} s of them.`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
