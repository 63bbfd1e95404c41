import type { RootContent } from "mdast";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, isContainer, isObject, listAt, member, textAt } from "../../lib/json/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { FormServer, FormVariable } from "../forms/playground-form.js";
import { clip, component, expandable, paragraph, strong } from "../pages/nodes.js";
import type { PageContext } from "../pages/page-context.js";
import type { References } from "../schema/references.js";

/** A server with its URL as written. */
export interface Server extends FormServer {
  /** Since OpenAPI 3.2. */
  readonly name?: string;
  /** Writes more nodes below its variables. */
  readonly writeMore?: () => RootContent[];
  readonly variables: readonly (FormVariable & {
    readonly options: readonly string[];
    readonly examples?: Json | undefined;
  })[];
}

/** The servers of a document or a part of it, as written, without those that the readers of the bundle may not see. */
export const writtenServers = (holder: JsonObject, references: References): JsonObject[] =>
  listAt(holder, "servers")
    .filter(isObject)
    .filter((server) => textAt(server, "url") !== undefined && references.admits(server));

/** The same, read. */
export const readServers = (holder: JsonObject, references: References): Server[] =>
  writtenServers(holder, references).map(readServer);

export function readServer(written: JsonObject): Server {
  return {
    url: textAt(written, "url")!.trim(),
    name: textAt(written, "name"),
    description: textAt(written, "description"),
    variables: entriesAt(written, "variables").map(([name, variable]) => {
      const [fallback] = textsOf([member(variable, "default")]);
      return {
        name,
        ...(fallback !== undefined && { default: fallback }),
        options: textsOf(listAt(variable, "enum")),
        description: textAt(variable, "description"),
        examples: member(variable, "examples"),
      };
    }),
  };
}

/** Texts, numbers and Booleans: in YAML a port may be a number. */
const textsOf = (values: readonly (Json | undefined)[]): string[] =>
  values.flatMap((value) =>
    value === undefined || value === null || isContainer(value)
      ? []
      : [typeof value === "string" ? value : JSON.stringify(value)],
  );

/** The URL with the variables' defaults filled in, without a trailing slash. */
export function filledUrl({ url, variables }: Server): string {
  const filled = variables.reduce(
    (text, variable) =>
      variable.default === undefined ? text : text.replaceAll(`{${variable.name}}`, () => variable.default!),
    url,
  );
  return filled.replace(/\/+$/, "");
}

/** The URL that samples call, resolved against the specification's URL or else an example host. */
export function absoluteUrl(server: Server | undefined, source: string): string {
  const url = server === undefined ? "" : filledUrl(server);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
  if (/^https?:\/\//i.test(source) && URL.canParse(url || "/", source))
    return new URL(url || "/", source).href.replace(/\/+$/, "");
  if (url.startsWith("{")) return url;
  if (url.startsWith("//")) return `https:${url}`;
  return `https://api.example.com${url === "" || url.startsWith("/") ? url : `/${url}`}`;
}

/** Servers to choose from, with variables. @param isAlways list a single one too: the header lacks it. */
export function serverList(context: PageContext, servers: readonly Server[], isAlways = false): RootContent[] {
  const isShown =
    isAlways || servers.length > 1 || servers.some(({ variables, writeMore }) => variables.length > 0 || writeMore);
  return isShown ? expandable(context.messages.serversTitle, serverItems(context, servers)) : [];
}

export const serverItems = ({ describe, fields, outline }: PageContext, servers: readonly Server[]): RootContent[] =>
  servers.map(({ url, name, description, variables, writeMore }, i) =>
    component("ApiServer", { url }, [
      ...(name === undefined ? [] : [paragraph(strong(clip(name, 200)))]),
      ...describe.field(description),
      ...variables.map((variable) => {
        const schema = withoutUndefined<object>({
          type: "string",
          default: variable.default,
          enum: variable.options.length > 0 ? variable.options : undefined,
          description: variable.description,
          examples: variable.examples,
        });
        return fields.field({ name: variable.name, required: false }, outline.add(schema as JsonObject, "both"), {
          section: "",
          qualifier: `server ${i + 1}`,
        });
      }),
      ...(writeMore?.() ?? []),
    ]),
  );
