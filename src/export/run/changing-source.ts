import { compareDiagnostics, type Diagnostic, warningOf } from "../../lib/diagnostic/index.js";
import { EnvironmentError } from "../../lib/system-error.js";
import { type SourceChange, SourceChangedError } from "../store/source-files.js";

/** How often a run starts again because files of the site change. */
const maxRestarts = 3;

/** `code` of the error. The process that exports for a worker passes it to the worker. */
export const keepsChangingCode = "ECHANGING";

/**
 * Runs `attempt` again while it ends with a `SourceChangedError`, so that its result is that of one state of the site, and
 * adds a diagnostic for each file that has changed.
 *
 * @throws {EnvironmentError} if the files never stop changing.
 */
export async function retryWhileChanging<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
  attempt: () => Promise<Result>,
): Promise<Result> {
  const changed = new Map<string, Diagnostic>();
  for (let restarts = 0; ; restarts++)
    try {
      const result = await attempt();
      if (changed.size === 0) return result;
      return { ...result, diagnostics: [...result.diagnostics, ...changed.values()].sort(compareDiagnostics) };
    } catch (error) {
      if (!(error instanceof SourceChangedError)) throw error;
      if (restarts === maxRestarts) throw keepsChanging(error);
      for (const change of error.changes) changed.set(change.sourcePath, sourceChanged(change));
    }
}

const sourceChanged = ({ sourcePath, isRemoved }: SourceChange): Diagnostic => ({
  ...warningOf("SOURCE_CHANGED"),
  what: isRemoved
    ? `The file ${sourcePath} was deleted while the export was reading the site, so the export started again without it.`
    : `The file ${sourcePath} changed while the export was reading the site, so the export started again with the new content.`,
  location: { sourcePath },
  fix: "if another program is still writing to the site, export again later.",
});

function keepsChanging({ root, changes }: SourceChangedError): EnvironmentError {
  const paths = changes.map(({ sourcePath }) => sourcePath);
  const more = paths.length > 3 ? ` and ${paths.length - 3} other files` : "";
  const error = new EnvironmentError(
    `The site ${root} keeps changing: ${paths.slice(0, 3).join(", ")}${more} changed during each of ${maxRestarts + 1} attempts to read it. Stop the program that writes there, or list what it writes in .mintignore. The previous output is unchanged.`,
  );
  return Object.assign(error, { code: keepsChangingCode });
}
