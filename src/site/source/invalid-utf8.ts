import { isUtf8 } from "node:buffer";
import { type Diagnostic, positionAt } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "./site-files.js";

/** Reports a file that is not UTF-8: each wrong byte has become `\uFFFD` in `text`. */
export function invalidUtf8(files: SiteFiles, sourcePath: string, text: string): Diagnostic[] {
  const at = text.indexOf("\uFFFD");
  const bytes = at === -1 ? undefined : files.readBytes(sourcePath);
  if (bytes === undefined || isUtf8(bytes)) return [];
  const replacement = western(bytes);
  return [
    {
      code: "NOT_UTF8",
      severity: "error",
      what: "The file is not UTF-8: from here on, letters that are not ASCII are shown as \uFFFD.",
      location: { sourcePath, ...positionAt(text, at) },
      fix: `save it as UTF-8 in your editor, or convert it: iconv -f WINDOWS-1252 -t UTF-8 ${sourcePath}`,
      ...(replacement !== undefined && {
        edits: [{ sourcePath, start: 0, end: text.length, replacement, certain: true }],
      }),
    },
  ];
}

/**
 * The text in Windows-1252, of which Latin-1 is a part; undefined if it could be another encoding. No letter of it is
 * UTF-8, and every one that is not ASCII is a letter, a quote or a sign of Western European text.
 */
function western(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("windows-1252").decode(bytes);
  const isWestern = /^[\t\n\r\x20-\x7e€‚„…‘’“”•–—™ŠšŒœŽžŸ\u00a0-\u00ff]*$/.test(text);
  const hasUtf8 = /[\xc2-\xf4][\x80-\xbf]/.test(Buffer.from(bytes).toString("latin1"));
  return isWestern && !hasUtf8 && !hasRareLetters.test(text) ? text : undefined;
}

/** Letters of other encodings look like these, in capitals within words. */
const hasRareLetters = /[a-zà-ÿ][À-ß×÷¤¦¨¬¯¸]|[À-ß]{3}/;
