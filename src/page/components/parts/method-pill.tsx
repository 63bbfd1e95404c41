import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";

/** The method of a request, in its colour. */
export const MethodPill = ({ method }: { readonly method: string }): JsxNode => (
  <span class="method-pill" data-method={method.toUpperCase()}>
    {method.toUpperCase()}
  </span>
);
