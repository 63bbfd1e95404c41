import { compareDiagnostics, type Diagnostic } from "../../lib/diagnostic/index.js";
import { EnvironmentError } from "../../lib/system-error.js";
import { sourceStates, stateOf } from "../store/source-files.js";

/** Runs that begin again because files of the site change. */
const mostRestarts = 3;

interface SourceChange {
  readonly sourcePath: string;
  readonly isRemoved: boolean;
}

/** Another program has changed or removed files of the site since the run began to read it. */
class SourceChangedError extends Error {
  override readonly name = "SourceChangedError";
  constructor(
    readonly changes: readonly SourceChange[],
    options?: ErrorOptions,
  ) {
    super("Files of the site have changed while it was read.", options);
  }
}

/** `code` as an error of the system has one: the process that makes exports of a worker passes it on. */
export const keepsChangingCode = "ECHANGING";

/** Notes the states of the files of a site before they are read. */
export function watchSource(root: string, paths: readonly string[]) {
  const states = sourceStates(root);
  for (const path of paths) states(path);
  return {
    states,
    /** @throws {SourceChangedError} if one of these files has another state now, or vanished. */
    requireUnchanged(read: readonly string[], cause?: unknown): void {
      const changes = read.flatMap((sourcePath) => {
        const { text } = stateOf(`${root}/${sourcePath}`);
        return text === "" || text !== states(sourcePath).text ? { sourcePath, isRemoved: text === "" } : [];
      });
      if (changes.length > 0) throw new SourceChangedError(changes, { cause });
    },
  };
}

/**
 * Runs `attempt` again as long as `requireUnchanged` ends it, so that its result is that of one state of the site, and adds
 * a diagnostic for each file that has changed.
 *
 * @throws {EnvironmentError} if the files never stop changing.
 */
export async function withSteadySource<Result extends { readonly diagnostics: readonly Diagnostic[] }>(
  source: string,
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
      if (restarts === mostRestarts) throw keepsChanging(source, error.changes);
      for (const change of error.changes) changed.set(change.sourcePath, sourceChanged(change));
    }
}

const sourceChanged = ({ sourcePath, isRemoved }: SourceChange): Diagnostic => ({
  code: "SOURCE_CHANGED",
  severity: "warning",
  what: isRemoved
    ? `The file ${sourcePath} was removed while the export read the site. The export started again without it.`
    : `The file ${sourcePath} changed while the export read the site. The export started again with its new content.`,
  location: { sourcePath },
  fix: "export again if another program is still writing to the site.",
});

function keepsChanging(source: string, changes: readonly SourceChange[]): EnvironmentError {
  const paths = changes.map(({ sourcePath }) => sourcePath);
  const more = paths.length > 3 ? ` and ${paths.length - 3} other files` : "";
  const error = new EnvironmentError(
    `The site ${source} does not stop changing: ${paths.slice(0, 3).join(", ")}${more} changed in each of ${mostRestarts + 1} attempts to read it. Stop the program that writes there, or list what it writes in .mintignore. The previous output is untouched.`,
  );
  return Object.assign(error, { code: keepsChangingCode });
}
