import { type Rest, stepInline } from "./filter-inline.js";
import { type Citations, createOutput } from "./filter-output.js";

interface Fence {
  readonly mark: string;
  /** Spaces before it, which its lines lose. */
  readonly indent: number;
}

/**
 * Filters the Markdown of a model while it arrives.
 *
 * Out:   CommonMark with the tables and strike-through of GFM. `[1]` is a link to its passage. There are no other links
 *        than those that `citations` gives, no images, no HTML, no definitions. Addresses are code. Fenced code begins
 *        at the start of a line, so that this filter and a renderer agree on where it ends. Where the input is cut
 *        changes nothing; only what may still become a link is held back.
 */
export function createAnswerFilter(citations: Citations) {
  const output = createOutput();
  let held = "";
  let fence: Fence | undefined;
  /** Whether the line that is read next may begin a fence. */
  let isLineStart = true;
  let inTable = false;
  let hasPipedCode = false;
  let hadPipedCode = false;

  const inline = {
    output,
    citations,
    get inTable() {
      return inTable;
    },
    sawPipedCode: () => {
      hasPipedCode = true;
    },
  };

  function run(isLast: boolean): void {
    while (held !== "") {
      const rest = fence ? stepFenced(fence, isLast) : isLineStart ? stepLine(isLast) : stepText(isLast);
      if (rest === undefined) return;
      held = rest;
    }
  }

  function stepText(isLast: boolean): Rest {
    if (!held.startsWith("\n")) {
      const rest = stepInline(held, isLast, inline);
      isLineStart = rest !== undefined && isBlank();
      return rest;
    }
    endLine();
    output.put("\n");
    isLineStart = true;
    return held.slice(1);
  }

  const isBlank = (): boolean => output.line === "empty" || output.line === "blank";

  /** Under code with a `|`, a rule would begin a table, which splits the code: so it becomes text. */
  function endLine(): void {
    if (output.line === "rule" && hadPipedCode) output.put("\\\\");
    inTable = !isBlank() && (inTable || output.line === "rule");
    hadPipedCode = hasPipedCode;
    hasPipedCode = false;
  }

  /** Fenced code, or text. */
  function stepLine(isLast: boolean): Rest {
    const line = /^[^\n]{0,400}/.exec(held)?.[0] ?? "";
    const isLong = line.length === 400;
    const isComplete = isLast || line.length < held.length;
    const [, before = "", marker = "", mark = "", info = ""] = opening.exec(line) ?? [];
    const isFence = mark !== "" && !(mark.startsWith("`") && info.includes("`"));
    if (!isComplete && !isLong && (isFence || mayBecomeFence.test(line))) return undefined;
    if (isFence && !isLong) {
      if (marker !== "") output.put(`${before}${marker.trim()}`);
      endLine();
      if (output.line !== "empty") output.put("\n");
      output.putCode(`${mark}${/^[\w+#.\-/ ]*/.exec(info.trim())?.[0] ?? ""}\n`);
      fence = { mark, indent: before.length + marker.length };
      inTable = false;
      hadPipedCode = false;
      return held.slice(line.length + 1);
    }
    if (mark.startsWith("~")) output.put("\\");
    isLineStart = false;
    return held;
  }

  function stepFenced({ mark, indent }: Fence, isLast: boolean): Rest {
    if (!isLineStart) {
      const [text = ""] = /^[^\n]*\n?/.exec(held) ?? [];
      output.putCode(text);
      isLineStart = text.endsWith("\n");
      return held.slice(text.length);
    }
    const spaces = /^[ \t]*/.exec(held)?.[0].slice(0, indent) ?? "";
    const line = /^[^\n]*/.exec(held.slice(spaces.length))?.[0] ?? "";
    const isComplete = isLast || spaces.length + line.length < held.length;
    const mayClose = new RegExp(`^ {0,3}[${mark[0]}]*[ \t]*$`).test(line);
    if (mayClose && !isComplete) return undefined;
    const closes = mayClose && line.trim().length >= mark.length;
    if (closes) {
      fence = undefined;
      output.putCode(held.length > spaces.length + line.length ? `${mark}\n` : mark);
      return held.slice(spaces.length + line.length + 1);
    }
    isLineStart = false;
    return held.slice(spaces.length);
  }

  return {
    push(text: string): string {
      held += text.replace(invisible, "");
      run(false);
      return output.take();
    },
    /** The rest, once the answer is complete. */
    end(): string {
      run(true);
      if (fence) output.putCode(isLineStart ? fence.mark : `\n${fence.mark}`);
      else endLine();
      fence = undefined;
      return output.take();
    },
  };
}

/** A carriage return would end a line for a renderer. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const invisible = /[\0-\x08\x0b-\x1f\x7f]/g;

/** Spaces, the marker of a list, the fence, and the language. */
const opening = /^([ \t]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/;
const mayBecomeFence = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]?)[ \t]*)?(?:`*|~*)$/;
