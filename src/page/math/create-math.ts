import type { ElementContent } from "hast";
import { attempt } from "../../lib/attempt.js";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { raw } from "../../lib/jsx/raw.js";
import { createMemo } from "../../lib/memo.js";
import type { MathPort } from "../render/index.js";
import { toCoreMathml } from "./to-core-mathml.js";

type Katex = typeof import("katex").default;

/** Converts TeX to MathML without styles or scripts, with one font. KaTeX is loaded for the first formula. */
export function createMath(): MathPort {
  let katex: Katex | undefined;
  const formulas = createMemo<string | Fault>(2000);

  const mathmlOf = (text: string, display: boolean): string | Fault => {
    if (!katex) throw new Error("A formula was rendered before prepare(). This is a bug in the caller of MathPort.");
    // The annotation repeats the TeX, and browsers read its carriage returns as line feeds.
    const tex = text.trim().replace(/\r\n?/g, "\n");
    const loaded = katex;
    return formulas(`${display ? "d" : "i"}${tex}`, () => renderTex(loaded, tex, display));
  };

  return {
    async prepare() {
      katex ??= (await import("katex")).default;
    },

    render(tex, display, location) {
      const result = mathmlOf(tex, display);
      if (typeof result !== "string")
        return { node: sourceOf(tex, display), diagnostics: [invalid(result, tex, location)] };
      const properties = display
        ? { className: ["math", "math-display"], tabIndex: 0 }
        : { className: ["math", "math-inline"] };
      return {
        node: { type: "element", tagName: display ? "div" : "span", properties, children: [raw(result)] },
        diagnostics: [],
      };
    },
  };
}

/** UTF-16 code units. */
const maxTexLength = 20_000;

/** Longer formulas are not corrected. */
const maxCorrectedLength = 200;

interface Fault {
  readonly message: string;
  /** Valid TeX that the author may have intended. */
  readonly corrected?: string | undefined;
}

const options = {
  output: "mathml",
  throwOnError: true,
  strict: "ignore",
  trust: false,
  maxSize: 50,
  maxExpand: 1000,
} as const;

function renderTex(katex: Katex, tex: string, displayMode: boolean): string | Fault {
  if (tex.length > maxTexLength)
    return { message: `it has ${tex.length} characters, but the limit is ${maxTexLength}` };
  try {
    const mathml = katex.renderToString(tex, { ...options, displayMode });
    return toCoreMathml(mathml.replace(/^<span class="katex">|<\/span>$/g, ""));
  } catch (error) {
    // KaTeX throws its own error for invalid TeX, and a plain one if nesting exceeds the stack.
    const message = error instanceof Error ? error.message : String(error);
    const at = (error as { position?: number }).position;
    return {
      message: message.replace(/^KaTeX parse error: /, "").replace(/[̲̅]/g, ""),
      corrected: at === undefined ? undefined : corrections(tex, at).find((corrected) => isValid(katex, corrected)),
    };
  }
}

const isValid = (katex: Katex, tex: string): boolean => attempt(() => katex.renderToString(tex, options)) !== undefined;

/** Corrected formulas, most likely first. @param at where KaTeX stopped, in UTF-16 code units. */
function corrections(tex: string, at: number): string[] {
  if (tex.length > maxCorrectedLength) return [];
  const [before, rest] = [tex.slice(0, at), tex.slice(at)];
  const environment = /\\begin\{(\w+\*?)\}(?!.*\\begin)/s.exec(tex)?.[1];
  if (rest === "")
    return [`${tex}}`, `${tex}}}`, `${tex} \\right)`, ...(environment ? [`${tex} \\end{${environment}}`] : [])];
  if (rest.startsWith("}")) return [before + rest.slice(1)];
  const name = /^\\([a-z]+)/i.exec(rest)?.[1];
  if (name === undefined) return /^[&#$%]/.test(rest) ? [`${before}\\${rest}`] : [];
  // No command of KaTeX is longer than this.
  const letters = name.length > 24 ? [] : [...name];
  const shorter = letters.map((_, i) => letters.toSpliced(i, 1).join(""));
  const swapped = letters.slice(1).map((letter, i) => letters.toSpliced(i, 2, letter, letters[i]!).join(""));
  return [
    ...[...swapped, ...shorter].filter((letters) => letters.length > 2).map((letters) => `\\${letters}`),
    `\\operatorname{${name}}`,
  ].map((command) => before + command + rest.slice(name.length + 1));
}

function invalid(fault: Fault, tex: string, location: Location): Diagnostic {
  const shown = tex.trim().replace(/\s+/g, " ");
  const what = `The formula "${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}" is not valid TeX: ${fault.message}.`;
  const fix = `${fault.corrected ? `write "${fault.corrected}"` : "correct the formula"}; if it is not a formula, write \\$ for the dollar sign.`;
  return { code: "MATH_INVALID", severity: "warning", what, location, fix };
}

function sourceOf(tex: string, display: boolean): ElementContent {
  const code: ElementContent = {
    type: "element",
    tagName: "code",
    properties: { className: ["math-error"] },
    children: [{ type: "text", value: tex.trim() }],
  };
  return display ? { type: "element", tagName: "pre", properties: { tabIndex: 0 }, children: [code] } : code;
}
