import { member } from "../../lib/json/index.js";
import { foldsAround, sectionId } from "../pages/anchors.js";
import { component, expandable, paragraph, phrase, tab, valueNote } from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { joinScopes, scopeNotes, tokenNotes } from "./oauth.js";
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

/** Adds the descriptions of parameters to the credentials that replace them on the page. */
export function withParameterDescriptions(
  ways: readonly (readonly Credential[])[],
  parameters: Operation["parameters"],
  { messages }: PageContext,
): Credential[][] {
  return ways.map((way) =>
    way.map((credential) => {
      const added = parameters.find((parameter) => isCredential(parameter, [[credential]]))?.description?.trim();
      const { description } = credential;
      if (!added || description.includes(added)) return credential;
      return { ...credential, description: description === messages.authKey ? added : `${description}\n\n${added}` };
    }),
  );
}

export const isCredential = (
  { place, name }: Operation["parameters"][number],
  ways: readonly (readonly Credential[])[],
): boolean =>
  ways.flat().some((credential) => credential.place === place && credential.name.toLowerCase() === name.toLowerCase());

/**
 * The authorization section; several ways are shown as tabs.
 *
 * @param isList whether the ways are a list of all schemes of the document, to be shown with their names.
 * @param callback name of the callback that needs them.
 */
export function authorizationSection(
  context: PageContext,
  ways: readonly (readonly Credential[])[],
  { isList = false, callback }: { readonly isList?: boolean; readonly callback?: string } = {},
): SectionWriter {
  const { messages, outline } = context;
  const distinct: readonly (readonly SharedCredential[])[] = isList ? ways : distinctWays(ways);
  const needed = distinct.filter((way, i) => way.length > 0 || (distinct.length > 1 && isFirstEmpty(distinct, i)));
  if (!needed.some((way) => way.length > 0)) return () => [];
  const nodes = needed.map((way) =>
    way.map((credential) => ({ credential, node: outline.add({ type: credential.type ?? "string" }, "both") })),
  );
  const id = sectionId("authorizations", callback);
  return () => {
    const lists = nodes.map((way, i) =>
      way.length === 0
        ? [paragraph(...phrase(`${messages.authNone}.`))]
        : way.map(({ credential, node }) => {
            const { name, place: location, description, scopes, orScopes, source, deprecated } = credential;
            const prose = context.describe.field(description);
            const isLong = prose.length > 1 && description.length > maxProse;
            const notes = [
              ...prose.slice(0, isLong ? 1 : undefined),
              ...(isLong ? expandable(messages.details, prose.slice(1)) : []),
              ...valueNote("bearerFormat", credential.format),
              ...(source
                ? tokenNotes(source, [scopes, ...(orScopes ?? [])], messages, nodes.length > 1 && !isList)
                : scopeNotes([scopes, ...(orScopes ?? [])], new Map(), messages)),
            ];
            const qualifier = [callback, "auth", nodes.length === 1 ? "" : i + 1].filter(Boolean).join(" ");
            const facts = { name, required: needed.length === 1 && !isList, deprecated, location, notes };
            return context.fields.field(facts, node, { section: id, qualifier, folds: foldsAround(callback) });
          }),
    );
    const titles = needed.map((way) => titleOf(way, messages.authNone));
    const isUnique = (title: string): boolean => titles.indexOf(title) === titles.lastIndexOf(title);
    const schemes = (way: readonly Credential[]): string => way.map(({ scheme }) => scheme).join(" + ");
    const tabs = () =>
      lists.map((list, i) => tab(isList || !isUnique(titles[i]!) ? schemes(needed[i]!) : titles[i]!, list));
    const children =
      lists.length === 1
        ? lists[0]!
        : [component("Tabs", { className: isList ? "api-options api-schemes" : "api-options", sync: false }, tabs())];
    const nested = callback !== undefined || undefined;
    return [component("ApiSection", { title: messages.authorizations, id, nested }, children)];
  };
}

/** A credential that several ways need with different scopes. */
interface SharedCredential extends Credential {
  /** The scopes of the other ways. */
  readonly orScopes?: readonly (readonly string[])[];
}

/**
 * Joins ways that differ only in their scopes. Schemes that one token satisfies are joined too: Google's documents have
 * a scheme for each flow.
 */
function distinctWays(ways: readonly (readonly Credential[])[]): (readonly SharedCredential[])[] {
  const byKey = Map.groupBy(ways.map(withOneToken), (way) => JSON.stringify(way.map(credentialKey)));
  return Array.from(byKey.values(), ([first = [], ...others]) =>
    first.map((credential, i): SharedCredential => {
      const lists = new Map([first, ...others].map((way) => [JSON.stringify(way[i]!.scopes), way[i]!.scopes] as const));
      lists.delete(JSON.stringify(credential.scopes));
      return lists.size === 0 ? credential : { ...credential, orScopes: [...lists.values()] };
    }),
  );
}

const credentialKey = ({ scheme, kind, place, name }: Credential) => [scheme, kind, place, name];

function withOneToken(way: readonly Credential[]): readonly Credential[] {
  const tokens = way.filter(({ source }) => source !== undefined);
  const [first, ...others] = tokens;
  if (first === undefined || others.length === 0) return way;
  const merged = others.reduce(mergedToken, first);
  return way.flatMap((credential) =>
    credential === first ? [merged] : tokens.includes(credential) ? [] : [credential],
  );
}

const mergedToken = (a: Credential, b: Credential): Credential => ({
  ...a,
  description: a.description === b.description ? a.description : `${a.description}\n\n${b.description}`,
  scopes: [...new Set([...a.scopes, ...b.scopes])],
  source: {
    ...a.source!,
    flows: [...new Map([...a.source!.flows, ...b.source!.flows].map((flow) => [JSON.stringify(flow), flow])).values()],
    scopes: joinScopes([...a.source!.scopes, ...b.source!.scopes]),
  },
});

const isFirstEmpty = (ways: readonly (readonly Credential[])[], at: number): boolean =>
  ways.findIndex((way) => way.length === 0) === at;

const titleOf = (way: readonly Credential[], none: string): string =>
  way.length === 0 ? none : way.map(({ name, prefix, source }) => source?.protocol ?? nameOf(name, prefix)).join(" + ");

/** Credentials in the header `Authorization` are called by their scheme: `Bearer`. */
const nameOf = (name: string, prefix: string | undefined): string =>
  name === "Authorization" && prefix !== undefined ? prefix : name;
