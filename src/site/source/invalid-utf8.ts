import { isUtf8 } from "node:buffer";
import { type Diagnostic, positionAt } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "./site-files.js";

/** Reports a file that is not UTF-8: each wrong byte has become `\uFFFD` in `text`. */
export function invalidUtf8(files: SiteFiles, sourcePath: string, text: string): Diagnostic[] {
  const at = text.indexOf("\uFFFD");
  if (at === -1 || isUtf8(files.readBytes(sourcePath))) return [];
  return [
    {
      code: "NOT_UTF8",
      severity: "error",
      what: "The file is not UTF-8: from here on, letters that are not ASCII are shown as \uFFFD.",
      location: { sourcePath, ...positionAt(text, at) },
      fix: `save it as UTF-8 in your editor, or convert it: iconv -f WINDOWS-1252 -t UTF-8 ${sourcePath}`,
    },
  ];
}
