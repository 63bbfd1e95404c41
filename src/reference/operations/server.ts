import type { RootContent } from "mdast";
import type { JsonObject } from "../../lib/json/index.js";
import { entriesAt, member, textAt, textsAt } from "../../lib/json/index.js";
import type { FormServer, FormVariable } from "../forms/playground-form.js";

/** Its URL is as written. */
export interface Server extends FormServer {
  /** Since OpenAPI 3.2. */
  readonly name?: string;
  /** Writes what a page shows below its variables. */
  readonly writeMore?: () => RootContent[];
  readonly variables: readonly (FormVariable & { readonly options: readonly string[] })[];
}

const maxVariables = 30;

export function readServer(written: JsonObject): Server {
  return {
    url: textAt(written, "url")!.trim(),
    name: textAt(written, "name"),
    description: textAt(written, "description"),
    variables: entriesAt(written, "variables")
      .slice(0, maxVariables)
      .map(([name, variable]) => {
        const fallback = member(variable, "default");
        return {
          name,
          ...(typeof fallback === "string" || typeof fallback === "number" ? { default: String(fallback) } : {}),
          options: textsAt(variable, "enum"),
          description: textAt(variable, "description"),
        };
      }),
  };
}

/** The URL with the variables' defaults filled in, without a trailing slash. */
export function filledUrl({ url, variables }: Server): string {
  const filled = variables.reduce(
    (text, variable) =>
      variable.default === undefined ? text : text.replaceAll(`{${variable.name}}`, () => variable.default!),
    url,
  );
  return filled.replace(/\/+$/, "");
}

/**
 * The URL that samples call. A relative one is resolved against the specification's URL, else against an example host.
 */
export function absoluteUrl(server: Server | undefined, source: string): string {
  const url = server === undefined ? "" : filledUrl(server);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
  if (/^https?:\/\//i.test(source) && URL.canParse(url || "/", source))
    return new URL(url || "/", source).href.replace(/\/+$/, "");
  if (url.startsWith("{")) return url;
  return `https://api.example.com${url === "" || url.startsWith("/") ? url : `/${url}`}`;
}
