import { member } from "../../lib/json/index.js";
import { component, expandable, paragraph, phrase, section, tab } from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { scopeNotes, tokenNotes } from "./oauth.js";
import type { Operation } from "./operation.js";
import { type Credential, readCredential } from "./security.js";

/** Of a longer description (in UTF-16 code units), all but the first paragraph is folded. */
const maxProse = 400;

/** The ways to authorize; a way may need several credentials. */
export function credentialsOf({ spec, references, messages }: PageContext, { security }: Operation): Credential[][] {
  const schemes = member(spec.document["components"], "securitySchemes");
  // A way with an unknown scheme must not look like "no authorization".
  return security.flatMap((needs) => {
    const way = needs.flatMap((need) => readCredential(need, schemes, references, messages) ?? []);
    return way.length > 0 || needs.length === 0 ? [way] : [];
  });
}

/** The parameters that no security scheme describes. */
export function withoutCredentials(
  parameters: Operation["parameters"],
  ways: readonly (readonly Credential[])[],
): Operation["parameters"] {
  return parameters.filter((parameter) => !isCredential(parameter, ways));
}

export const isCredential = (
  { place, name }: Operation["parameters"][number],
  ways: readonly (readonly Credential[])[],
): boolean =>
  ways.flat().some((credential) => credential.place === place && credential.name.toLowerCase() === name.toLowerCase());

/**
 * The authorization section; several ways are shown as tabs.
 *
 * @param isList the ways are all schemes of the document, with their names.
 */
export function authorizationSection(
  context: PageContext,
  ways: readonly (readonly Credential[])[],
  isList = false,
): SectionWriter {
  const { messages, outline } = context;
  const needed = ways.filter((way, i) => way.length > 0 || (ways.length > 1 && isFirstEmpty(ways, i)));
  if (!needed.some((way) => way.length > 0)) return () => [];
  const nodes = needed.map((way) =>
    way.map((credential) => ({ credential, node: outline.add({ type: "string" }, "both") })),
  );
  return () => {
    const lists = nodes.map((way, i) =>
      way.length === 0
        ? [paragraph(...phrase(`${messages.authNone}.`))]
        : way.map(({ credential, node }) => {
            const { name, place: location, description, scopes, source } = credential;
            const prose = context.describe.field(description);
            const isLong = prose.length > 1 && description.length > maxProse;
            const notes = [
              ...prose.slice(0, isLong ? 1 : undefined),
              ...(isLong ? expandable(messages.details, prose.slice(1)) : []),
              ...(source
                ? tokenNotes(source, scopes, messages, nodes.length > 1 && !isList)
                : scopeNotes(scopes, new Map(), messages)),
            ];
            const qualifier = nodes.length === 1 ? "auth" : `auth ${i + 1}`;
            const facts = { name, required: needed.length === 1 && !isList, location, notes };
            return context.fields.field(facts, node, { section: "authorizations", qualifier });
          }),
    );
    const tabs = () =>
      lists.map((list, i) => tab(isList ? needed[i]![0]!.scheme : titleOf(needed[i]!, messages.authNone), list));
    const children =
      lists.length === 1
        ? lists[0]!
        : [component("Tabs", { className: isList ? "api-options api-schemes" : "api-options", sync: false }, tabs())];
    return section(messages.authorizations, "authorizations", children);
  };
}

const isFirstEmpty = (ways: readonly (readonly Credential[])[], at: number): boolean =>
  ways.findIndex((way) => way.length === 0) === at;

const titleOf = (way: readonly Credential[], none: string): string =>
  way.length === 0 ? none : way.map(({ name, prefix, source }) => source?.protocol ?? nameOf(name, prefix)).join(" + ");

/** The header `Authorization` is named by its scheme. */
const nameOf = (name: string, prefix: string | undefined): string =>
  name === "Authorization" && prefix !== undefined ? prefix : name;
