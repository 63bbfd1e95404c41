import type { RootContent } from "mdast";
import { type JsonObject, textAt } from "../../../lib/json/index.js";
import { withoutUndefined } from "../../../lib/without-undefined.js";
import type { GraphTarget } from "../../../site/specs/index.js";
import { authorizationPart, credentialsOf } from "../authorization-part.js";
import { requestExample } from "../code-samples.js";
import { readOperation } from "../operation.js";
import { serverList } from "../operation-page.js";
import type { PageContext, Part } from "../page-context.js";
import { parameterParts } from "../parameter-parts.js";
import { operationForm } from "../playground/operation-form.js";
import { requestSample } from "../request-sample.js";
import { absoluteUrl, readServer } from "../server.js";
import { type graphExample, graphOperations } from "./graph-example.js";
import { graphTypesFile } from "./graph-types.js";

export interface GraphRequest {
  /** Where the API answers, and what requests need. */
  readonly write: Part;
  /** The request in the languages of the site. */
  readonly samples: () => readonly RootContent[];
  /** Files that the page loads when a reader opens the playground. */
  readonly opens: () => readonly string[] | undefined;
}

/** How an operation is sent; undefined if the site does not say where. */
export function graphRequest(
  context: PageContext,
  { list, name }: GraphTarget,
  { operation: text, variables }: ReturnType<typeof graphExample>,
): GraphRequest | undefined {
  const { spec, references, api, playground } = context;
  const types = graphTypesFile(spec.document);
  const kind = graphOperations[list];
  if (types === undefined || kind === "") return undefined;
  const body = { query: text.replace(/\s+/g, " "), ...(variables && { variables }) };
  const written: JsonObject = {
    parameters: spec.document["parameters"] ?? [],
    requestBody: { content: { "application/json": { example: body } } },
  };
  const operation = readOperation(spec.document, {}, written, references);
  const servers = operation.servers.map(readServer);
  const ways = credentialsOf(context, operation);
  const { parameters } = operation;
  const credentials = ways[0] ?? [];
  // Some frameworks answer only at an address with a slash at its end.
  const path = servers.every(({ url }) => url.endsWith("/")) ? "/" : "";
  const call = { method: "post", path, operation, baseUrl: absoluteUrl(servers[0], spec.source), credentials };
  const parts = [authorizationPart(context, ways), parameterParts(context, parameters)];
  const form = () => {
    const made = operationForm(context, { ...call, servers, ways, parameters });
    const values = new Map(parameters.map((each) => [each.name, textAt(each.written, "example")]));
    return (
      made && {
        ...made,
        parameters: made.parameters.map((each) => withoutUndefined({ ...each, start: values.get(each.name) })),
        graph: { kind, name, text, ...(variables && { variables }) },
      }
    );
  };
  return {
    write: () => [...serverList(context, servers, true), ...parts.flatMap((write) => write())],
    samples() {
      if (kind === "subscription") return [];
      const [made] = requestExample({}, [{ request: () => requestSample({ ...context, ...call }) }], api);
      return made && "children" in made ? (made.children as RootContent[]) : [];
    },
    opens: () => playground.offer(form, types.outputPath),
  };
}
