import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { qrCode } from "../qr-code.js";

/** Light modules around the code, which cameras need. */
const margin = 4;

/** A text for the camera of a phone; nothing if it is too long. */
export function QrPicture({ text, label }: { readonly text: string; readonly label: string }): JsxNode | null {
  const rows = qrCode(text);
  if (!rows) return null;
  const size = rows.length + 2 * margin;
  // Each run of dark modules is one rectangle.
  const path = rows.flatMap((row, y) =>
    [...row.map(Number).join("").matchAll(/1+/g)].map(
      ({ 0: run, index }) => `M${index + margin} ${y + margin}h${run.length}v1h-${run.length}z`,
    ),
  );
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join("")} />
    </svg>
  );
}
