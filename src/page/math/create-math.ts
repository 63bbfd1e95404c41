import type { ElementContent } from "hast";
import type { Diagnostic, Location } from "../../lib/diagnostic/index.js";
import { raw } from "../../lib/jsx/raw.js";
import type { MathPort } from "../render/index.js";
import { toCoreMathml } from "./to-core-mathml.js";

type Katex = typeof import("katex").default;

/**
 * Converts TeX to MathML: every browser renders it, screen readers read it, and it needs no style attributes, no scripts
 * and only one font. KaTeX is loaded when a page has a formula.
 */
export function createMath(): MathPort {
  let katex: Katex | undefined;
  const known = new Map<string, string | Fault>();

  const mathmlOf = (text: string, display: boolean): string | Fault => {
    if (!katex) throw new Error("A formula was rendered before prepare(): this is a bug in the caller of MathPort.");
    // The annotation repeats the TeX, and browsers read each carriage return of it as a line feed.
    const tex = text.trim().replace(/\r\n?/g, "\n");
    const key = `${display ? "d" : "i"}${tex}`;
    let result = known.get(key);
    if (result === undefined) {
      result = renderTex(katex, tex, display);
      if (known.size >= maxKnown) known.clear();
      known.set(key, result);
    }
    return result;
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

const maxKnown = 2000;
/** UTF-16 code units. */
const maxTexLength = 20_000;

/** In a longer formula no correction is tried. */
const maxCorrectedLength = 200;

interface Fault {
  readonly message: string;
  /** TeX that KaTeX can read. */
  readonly corrected?: string | undefined;
}

function renderTex(katex: Katex, tex: string, displayMode: boolean): string | Fault {
  if (tex.length > maxTexLength) return { message: `it has ${tex.length} characters, the limit is ${maxTexLength}` };
  try {
    const mathml = katex.renderToString(tex, {
      displayMode,
      output: "mathml",
      throwOnError: true,
      strict: "ignore",
      trust: false,
      maxSize: 50,
      maxExpand: 1000,
    });
    return toCoreMathml(mathml.replace(/^<span class="katex">|<\/span>$/g, ""));
  } catch (error) {
    // KaTeX throws its own error for invalid TeX, and a plain one if nesting exceeds the stack.
    const message = error instanceof Error ? error.message : String(error);
    const at = (error as { position?: number }).position;
    return {
      message: message.replace(/^KaTeX parse error: /, "").replace(/[̲̅]/g, ""),
      corrected: at === undefined ? undefined : corrections(tex, at).find((each) => isValid(katex, each)),
    };
  }
}

function isValid(katex: Katex, tex: string): boolean {
  try {
    katex.renderToString(tex, { output: "mathml", strict: "ignore", trust: false, maxSize: 50, maxExpand: 1000 });
    return true;
  } catch {
    return false;
  }
}

/** What may have been meant, likeliest first. `at` is where KaTeX stopped: an offset in UTF-16 code units. */
function corrections(tex: string, at: number): string[] {
  if (tex.length > maxCorrectedLength) return [];
  const [before, rest] = [tex.slice(0, at), tex.slice(at)];
  const environment = /\\begin\{(\w+\*?)\}(?!.*\\begin)/s.exec(tex)?.[1];
  if (rest === "")
    return [`${tex}}`, `${tex}}}`, `${tex} \\right)`, ...(environment ? [`${tex} \\end{${environment}}`] : [])];
  if (rest.startsWith("}")) return [before + rest.slice(1)];
  const name = /^\\([a-z]+)/i.exec(rest)?.[1];
  if (name === undefined) return /^[&#$%]/.test(rest) ? [`${before}\\${rest}`] : [];
  // No command of KaTeX is longer.
  const letters = name.length > 24 ? [] : [...name];
  const shorter = letters.map((_, i) => letters.toSpliced(i, 1).join(""));
  const swapped = letters.slice(1).map((letter, i) => letters.toSpliced(i, 2, letter, letters[i]!).join(""));
  return [
    ...[...swapped, ...shorter].filter((each) => each.length > 2).map((each) => `\\${each}`),
    `\\operatorname{${name}}`,
  ].map((each) => before + each + rest.slice(name.length + 1));
}

function invalid(fault: Fault, tex: string, location: Location): Diagnostic {
  const shown = tex.trim().replace(/\s+/g, " ");
  return {
    code: "MATH_INVALID",
    severity: "warning",
    what: `The formula "${shown.length > 60 ? `${shown.slice(0, 60)}…` : shown}" is not valid TeX: ${fault.message}.`,
    location,
    fix: `${fault.corrected ? `write "${fault.corrected}"` : "correct the formula"}; if it is meant as text, write \\$ for the dollar sign.`,
  };
}

/** The TeX itself, if it cannot be rendered. */
function sourceOf(tex: string, display: boolean): ElementContent {
  const code: ElementContent = {
    type: "element",
    tagName: "code",
    properties: { className: ["math-error"] },
    children: [{ type: "text", value: tex.trim() }],
  };
  return display ? { type: "element", tagName: "pre", properties: { tabIndex: 0 }, children: [code] } : code;
}
