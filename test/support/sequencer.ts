import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** These start hundreds of programs. To start one takes 1 ms of processor time in a new process, and 12 ms at 700 MB. */
const startPrograms = /^test\/service\/(?:git\/|agent\/|worker\/agent-|store\/through-service)/;

/** Files that start many programs come first, while the test processes are small; then those that take longest. */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = JSON.parse(readFileSync(`${root}test/cost.json`, "utf8")) as Readonly<Record<string, number>>;
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const path = relative(root, moduleId);
      return (seconds[path] ?? 0) + (startPrograms.test(path) ? 1000 : 0);
    };
    return files.toSorted((a, b) => rankOf(b) - rankOf(a));
  }
}
