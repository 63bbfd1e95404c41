import type { Diagnostic } from "../../../lib/diagnostic/index.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Diagnostics } from "../../read-diagnostics.js";
import { counted, formatCount } from "../format.js";
import { Badge } from "../parts/index.js";

/** Of one code: more of them say the same. */
const shownOfCode = 50;

/** Diagnostics by code, errors first, then the most frequent; each with its place and how to fix it. */
export function FindingsByCode({ findings }: { readonly findings: Diagnostics }): JsxNode {
  const { diagnostics, next } = findings;
  const byCode = Map.groupBy(diagnostics, ({ code }) => code);
  const groups = [...byCode].sort(([, a], [, b]) => errorsOf(b) - errorsOf(a) || b.length - a.length);
  return (
    <div class="findings by-code">
      {groups.map(([code, found], index) => (
        <details class="code-group" open={index === 0}>
          <summary>
            <Badge kind={errorsOf(found) > 0 ? "bad" : "warning"}>{errorsOf(found) > 0 ? "Error" : "Warning"}</Badge>
            <code>{code}</code>
            <span class="faint">{counted(found.length, "time")}</span>
          </summary>
          <ul class="code-list">
            {found.slice(0, shownOfCode).map((each) => (
              <Finding diagnostic={each} />
            ))}
            {found.length > shownOfCode && (
              <li class="faint">{`and ${formatCount(found.length - shownOfCode)} more`}</li>
            )}
          </ul>
        </details>
      ))}
      {next !== undefined && (
        <p class="hint">{`These are the first ${formatCount(diagnostics.length)}; the export has all.`}</p>
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
      {place && <code class="code-place">{place.join(":")}</code>}
      <p>{what}</p>
      <p class="finding-fix">
        <b>Fix</b> {fix}
      </p>
    </li>
  );
}
