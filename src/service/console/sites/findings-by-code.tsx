import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { Badge, EmptyState } from "../parts/index.js";
import type { ReadDiagnostics } from "../read-diagnostics.js";
import { counted } from "./sites-page.js";

/** Of one code: more of them say the same. */
const shownOfCode = 50;

/** Diagnostics by code, errors first, then the most frequent; each with its place and how to fix it. */
export function FindingsByCode({ findings }: { readonly findings: ReadDiagnostics }): JsxNode {
  const { diagnostics, isCut } = findings;
  if (diagnostics.length === 0)
    return (
      <EmptyState icon="check" title="Nothing to report">
        The export found no mistakes.
      </EmptyState>
    );
  const byCode = Map.groupBy(diagnostics, ({ code }) => code);
  const groups = [...byCode].sort(([, a], [, b]) => errorsOf(b) - errorsOf(a) || b.length - a.length);
  return (
    <div class="findings">
      {groups.map(([code, found], index) => (
        <details class="finding" open={index === 0}>
          <summary>
            <Badge kind={errorsOf(found) > 0 ? "bad" : "warning"}>{errorsOf(found) > 0 ? "Error" : "Warning"}</Badge>
            <code>{code}</code>
            <span class="faint">{counted(found.length, "time")}</span>
          </summary>
          <ul class="finding-list">
            {found.slice(0, shownOfCode).map((each) => (
              <Finding diagnostic={each} />
            ))}
            {found.length > shownOfCode && (
              <li class="faint">{`and ${(found.length - shownOfCode).toLocaleString("en")} more`}</li>
            )}
          </ul>
        </details>
      ))}
      {isCut && (
        <p class="hint">{`The list is long: these are the first ${diagnostics.length.toLocaleString("en")}.`}</p>
      )}
    </div>
  );
}

const errorsOf = (found: readonly Diagnostic[]): number => (found.some(({ severity }) => severity === "error") ? 1 : 0);

function Finding({ diagnostic }: { readonly diagnostic: Diagnostic }): JsxNode {
  const { what, fix, location } = diagnostic;
  const place = location && [location.sourcePath, location.line, location.column].filter((part) => part !== undefined);
  return (
    <li>
      {place && <code class="finding-place">{place.join(":")}</code>}
      <p>{what}</p>
      <p class="finding-fix">
        <strong>Fix:</strong> {fix}
      </p>
    </li>
  );
}
