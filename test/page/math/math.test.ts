import assert from "node:assert/strict";
import type { Element } from "hast";
import { beforeAll, test } from "vitest";
import { createMath } from "../../../src/page/math/create-math.js";

const math = createMath();
beforeAll(() => math.prepare());
const location = { sourcePath: "a.mdx", line: 4, column: 2 };

/** The MathML without its wrapper and without the TeX annotation. */
function drawn(tex: string, display = false): string {
  const { node, diagnostics } = math.render(tex, display, location);
  assert.deepEqual(diagnostics, []);
  const child = (node as Element).children[0]!;
  assert.ok(child.type === "raw");
  return child.value.replace(/<\/?(?:math|semantics)[^>]*>|<annotation[\s\S]*<\/annotation>/g, "");
}

const cases = [
  // a formula …                                   TeX                    MathML
  ["is a tree of MathML", "x^2", "<mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>"],
  ["has bold letters as characters", "\\mathbf{x1}", "<mrow><mi>𝐱</mi><mn>𝟏</mn></mrow>"],
  ["has blackboard letters where Unicode has them", "\\mathbb{RK}", "<mrow><mi>ℝ</mi><mi>𝕂</mi></mrow>"],
  ["has script letters", "\\mathcal{L}", "<mrow><mi>ℒ</mi></mrow>"],
  ["has upright letters by attribute", "\\mathrm{d}", `<mrow><mi mathvariant="normal">d</mi></mrow>`],
  ["keeps the letters of words", "\\textbf{if}", `<mtext class="math-bold">if</mtext>`],
  ["keeps words unchanged", "\\text{a & b}".replace("&", "\\&"), "<mtext>a\u00a0&amp;\u00a0b</mtext>"],
  ["has boxes by class", "\\boxed{1}", `class="math-around-box"`],
  ["has strokes by class", "\\cancel{x}", `<mrow class="math-around-updiagonalstrike"><mi>x</mi></mrow>`],
  ["has spacing characters as accents", "\\hat{x}", `<mover accent="true"><mi>x</mi><mo>ˆ</mo></mover>`],
] as const;
for (const [rule, tex, wanted] of cases) {
  test(`a formula ${rule}`, () => assert.ok(drawn(tex).includes(wanted), drawn(tex)));
}

test("a table aligns its columns by class", () => {
  const mathml = drawn("\\begin{array}{l|r}a&b\\\\\\hline c&d\\end{array}", true);
  assert.match(mathml, /<mtr><mtd class="math-left">.*<mtd class="math-right math-line-before">/);
  assert.match(mathml, /<mtr class="math-line-above">/);
});

test("equations below each other are aligned at the sign", () => {
  assert.match(drawn("\\begin{aligned}a&=b\\\\c&=d\\end{aligned}", true), /<mtable class="math-joined math-open">/);
});

const mended = [
  // a fault …                    TeX             the text to write
  ["an open brace", "\\frac{1}{2", "\\frac{1}{2}"],
  ["a brace too many", "a}", "a"],
  ["an open environment", "\\begin{matrix} a", "\\begin{matrix} a \\end{matrix}"],
  ["an open bracket", "\\left( x", "\\left( x \\right)"],
  ["a sign of TeX", "a & b", "a \\& b"],
  ["letters in the wrong order", "\\alhpa + 1", "\\alpha + 1"],
  ["a letter too many", "\\fracc{1}{2}", "\\frac{1}{2}"],
  ["a name", "\\relu x", "\\operatorname{relu} x"],
] as const;
for (const [rule, tex, wanted] of mended)
  test(`the message about ${rule} says what to write`, () => {
    const [fault] = math.render(tex, false, location).diagnostics;
    assert.equal(fault!.fix!.split(";")[0], `write "${wanted}"`);
  });

test("a formula with several faults is not repaired", () => {
  const [fault] = math.render("\\fracc{1}{2 & }}", false, location).diagnostics;
  assert.match(fault!.fix!, /^correct the formula;/);
});

test("a formula never has style attributes", () => {
  const all = [
    "\\htmlStyle{color:red}{x}",
    "\\href{javascript:alert(1)}{x}",
    "\\includegraphics{http://x/y.png}",
    "\\htmlClass{a}{x}",
    "\\color{red}x",
    "\\colorbox{red}{x}",
    "\\rule{1em}{1em}",
    "\\kern1em x",
    "\\Bigg| x",
    "\\tag{1} x",
  ];
  for (const tex of all) {
    const { node } = math.render(tex, true, location);
    const html = JSON.stringify(node).replace(/<annotation[\s\S]*?<\/annotation>/g, "");
    assert.doesNotMatch(html, / style=|href=|src=|<img|<a /, tex);
  }
});

test("markup in TeX stays text", () => {
  assert.ok(drawn("\\text{<script>alert(1)</script>}").includes("&lt;script&gt;"));
});

test("invalid TeX is shown as typed and reported with its location", () => {
  const { node, diagnostics } = math.render("\\frac{a", false, location);
  assert.deepEqual(node, {
    type: "element",
    tagName: "code",
    properties: { className: ["math-error"] },
    children: [{ type: "text", value: "\\frac{a" }],
  });
  assert.equal(diagnostics[0]?.code, "MATH_INVALID");
  assert.deepEqual(diagnostics[0]?.location, location);
  assert.match(diagnostics[0]!.what, /"\\frac\{a" is not valid TeX: Unexpected end of input/);
});

test("the annotation has the line ends that browsers read", () => {
  const child = (math.render("a\r\nb", false, location).node as Element).children[0]!;
  assert.ok(child.type === "raw" && child.value.includes(">a\nb</annotation>"));
});

test("hostile TeX ends in a fault", () => {
  const bombs = [
    "\\def\\a{\\a\\a}\\a",
    "{".repeat(5000) + "}".repeat(5000),
    "\\frac{1}".repeat(9000),
    "x".repeat(30_000),
  ];
  for (const tex of bombs)
    assert.equal(math.render(tex, true, location).diagnostics[0]?.code, "MATH_INVALID", tex.slice(0, 20));
});
