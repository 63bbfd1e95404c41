import type { Diagnostic } from "../../lib/diagnostic/index.js";

const breaking = /^(?:MDX_SYNTAX|PAGE_FAILED|PAGE_TOO_\w+)$/;

/** Whether the page's text could not be shown as it is written. */
export const isBroken = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ code, severity }) => severity === "error" && breaking.test(code));
