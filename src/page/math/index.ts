/**
 * In:  a formula in TeX.
 * Out: MathML Core, styled by math.css; or the TeX with a diagnostic.
 */
export { createMath } from "./create-math.js";
