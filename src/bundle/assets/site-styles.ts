import { type Selector, type SelectorComponent, transform } from "lightningcss";
import type { Diagnostic } from "../../lib/diagnostic/index.js";
import { parseAddress } from "../../lib/url/index.js";
import type { ExternalUse } from "../../page/render/index.js";
import componentNames from "./component-names.json" with { type: "json" };

export interface SiteStyle {
  readonly code: Uint8Array;
  readonly external: readonly ExternalUse[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Names that style sheets of this format select as elements; in our pages they are classes. */
const elementNames = new Set(componentNames);

/**
 * Adapts a style sheet of the site: rewrites its URLs for its path in the bundle, and selects classes in place of elements
 * named after components. Invalid rules are dropped and reported.
 *
 * @param hrefIn resolves a URL of this style sheet for the bundle's style sheet
 */
export function siteStyle(sourcePath: string, text: string, hrefIn: (written: string) => string): SiteStyle {
  const external: ExternalUse[] = [];
  const diagnostics: Diagnostic[] = [];
  const rebase = (url: string, kind: ExternalUse["kind"], line: number, column: number): string => {
    const address = parseAddress(url);
    if (address.kind === "path") return hrefIn(url);
    if (address.kind !== "external" || !address.host) return url;
    external.push({ kind, url: address.url, location: { sourcePath, line, column } });
    return address.url;
  };
  try {
    const { code, warnings } = transform({
      filename: sourcePath,
      code: new TextEncoder().encode(text),
      minify: true,
      errorRecovery: true,
      visitor: {
        Rule: {
          import({ value }) {
            const address = parseAddress(value.url);
            if (address.kind !== "external") return [];
            external.push({ kind: "style", url: address.url, location: locationAt(sourcePath, value.loc) });
            return undefined;
          },
        },
        Url: (url) => ({ ...url, url: rebase(url.url, "image", url.loc.line, url.loc.column) }),
        Selector: withClasses,
      },
    });
    for (const { message, loc } of warnings) diagnostics.push(fault(sourcePath, message, loc.line, loc.column));
    return { code, external, diagnostics };
  } catch (error) {
    const { loc } = error as { loc?: { line: number; column: number } };
    diagnostics.push(fault(sourcePath, (error as Error).message, loc?.line, loc?.column));
    return { code: new Uint8Array(), external: [], diagnostics };
  }
}

/** All site-wide style sheets are in the page already, so an `@import` of one of them is dropped. */
function withClasses(selector: Selector): Selector | undefined {
  if (!selector.some(namesComponent)) return undefined;
  return selector.map((part) =>
    namesComponent(part)
      ? ({
          type: "pseudo-class",
          kind: "is",
          selectors: [[part], [{ type: "class", name: part.name }]],
        } as SelectorComponent)
      : part,
  );
}

const namesComponent = (part: SelectorComponent): part is SelectorComponent & { type: "type"; name: string } =>
  part.type === "type" && elementNames.has(part.name);

const locationAt = (sourcePath: string, { line, column }: { line: number; column: number }) => ({
  sourcePath,
  line: line + 1,
  column,
});

function fault(sourcePath: string, message: string, line?: number, column?: number): Diagnostic {
  const what = `This style sheet cannot be read here (${message}), so the rule is left out.`;
  const fix = "correct the rule; browsers leave it out as well.";
  return { code: "STYLE_SYNTAX", severity: "warning", what, location: { sourcePath, line, column }, fix };
}
