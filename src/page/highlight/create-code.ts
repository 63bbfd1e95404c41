import type { ElementContent } from "hast";
import { type Diagnostic, type Location, quoted, warningOf } from "../../lib/diagnostic/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { CodeFrame } from "../components/index.js";
import type { CodePort } from "../render/index.js";
import { linesHtml } from "./block-html.js";
import { parseFenceMeta, readMarks } from "./fence-options.js";
import { createHighlighter, type HighlighterOptions } from "./highlighter.js";
import { readCustomLanguages, resolveLanguage } from "./languages.js";

export interface CodeOptions extends Omit<HighlighterOptions, "custom"> {
  /** The files of the site, which contain its own grammars. */
  readonly files: SiteFiles;
  /** Where the configuration lists a grammar. */
  readonly locationOfGrammar: (index: number) => Location;
}

/** Highlights the code blocks of one thread. `diagnostics` lists mistakes in the site's own grammars. */
export function createCode(options: CodeOptions): CodePort & { readonly diagnostics: readonly Diagnostic[] } {
  const custom = readCustomLanguages(options.style.customLanguages, options.files, options.locationOfGrammar);
  const highlighter = createHighlighter({ ...options, custom });
  let highlightMs = 0;
  const read = (code: string, written: string | undefined, writtenMeta: string | undefined) => {
    const { language: name, meta } = splitInfo(written, writtenMeta);
    const fence = parseFenceMeta(meta);
    return {
      name,
      fence,
      language: resolveLanguage(name, custom.byName),
      ...readMarks(code.replace(/\r\n?/g, "\n"), fence),
    };
  };

  return {
    diagnostics: custom.diagnostics,

    beginPage(name) {
      highlightMs = 0;
      highlighter.beginPage(name);
    },

    async prepare(blocks) {
      const start = performance.now();
      const languages = new Set<string>();
      for (const { value, lang, meta } of blocks) {
        const { id } = resolveLanguage(splitInfo(lang ?? undefined, "").language, custom.byName);
        if (languages.has(id)) continue;
        const { isStored } = highlighter;
        if (!isStored?.(read(value, lang ?? undefined, meta ?? undefined).lines.join("\n"), id)) languages.add(id);
      }
      await highlighter.prepare([...languages]);
      highlightMs += performance.now() - start;
    },

    block(code, written, writtenMeta, { location, messages, icon: drawIcon }) {
      const { name, fence, language, lines, marks } = read(code, written, writtenMeta);
      const diagnostics = language.isUnknown ? [unknownLanguage(name ?? "", language.intended, location)] : [];
      const start = performance.now();
      const colored = highlighter.lines(lines.join("\n"), language.id);
      highlightMs += performance.now() - start;

      const icon = fence.icon === undefined ? undefined : drawIcon(fence.icon);
      const isBare = name?.toLowerCase() === "nocopy";
      const node = CodeFrame({
        title: fence.title,
        icon,
        language: language.label,
        html: linesHtml(colored, marks, fence.lineNumbers),
        lineCount: lines.length,
        lineNumbers: fence.lineNumbers,
        wrap: fence.wrap,
        expandable: fence.expandable,
        noCopy: fence.noCopy || isBare,
        hasFocus: [...marks.values()].some((lineMarks) => lineMarks.has("focus")),
        messages,
      }) as ElementContent;
      return { node, info: { title: fence.title, language: language.label, icon }, diagnostics };
    },

    endPage() {
      highlighter.endPage();
      return highlightMs;
    },
  };
}

const unknownLanguage = (name: string, intended: string | undefined, location: Location): Diagnostic => ({
  ...warningOf("UNKNOWN_LANGUAGE", location),
  what: `There is no code language ${quoted(name)}: the block is shown as plain text.`,
  fix:
    intended === undefined
      ? 'write "text" for plain text, or add a grammar for the language to styling.codeblocks.languages.custom.'
      : `write "${intended}".`,
});

/** Splits an info string whose author left out the language (`title="x"`) or the blank after it (`js{1,3}`). */
function splitInfo(
  language: string | undefined,
  meta: string | undefined,
): { readonly language: string | undefined; readonly meta: string } {
  const info = language ?? "";
  const end = /[={[]/.exec(info);
  if (!end) return { language, meta: meta ?? "" };
  const isOption = end[0] === "=" || end.index === 0;
  const options = isOption ? info : info.slice(end.index);
  return { language: isOption ? undefined : info.slice(0, end.index), meta: `${options} ${meta ?? ""}` };
}
