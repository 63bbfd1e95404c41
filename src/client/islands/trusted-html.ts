/** Markup from text, on hosts that require trusted types. */
interface Policy {
  createHTML(html: string): string;
}
const { trustedTypes } = globalThis as {
  trustedTypes?: { readonly emptyHTML: string; createPolicy(name: string, rules: Policy): Policy };
};

/** A value of `dangerouslySetInnerHTML` that every host allows. */
export const emptyHtml = { __html: trustedTypes?.emptyHTML ?? "" };

let policy: Policy | undefined;

/** Lets the components of the site make markup: their scripts are as trusted as the page. */
export function trustHtml(props: Record<string, unknown>): void {
  const given = props["dangerouslySetInnerHTML"] as { readonly __html: unknown } | undefined;
  if (!trustedTypes || typeof given?.__html !== "string") return;
  policy ??= trustedTypes.createPolicy("offprint-islands", { createHTML: (html) => html });
  props["dangerouslySetInnerHTML"] = { __html: policy.createHTML(given.__html) };
}
