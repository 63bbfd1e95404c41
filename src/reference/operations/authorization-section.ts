import { member } from "../../lib/json/index.js";
import { foldsAround, sectionId } from "../pages/anchors.js";
import { component, expandable, paragraph, phrase, tab, valueNote } from "../pages/nodes.js";
import type { PageContext, SectionWriter } from "../pages/page-context.js";
import { firstValue } from "./media-type.js";
import { joinScopes, scopeNotes, tokenNotes } from "./oauth.js";
import type { Operation } from "./operation.js";
import { examplesOf } from "./parameter-sections.js";
import { type Credential, readCredential } from "./security.js";

/** Of a longer description (in UTF-16 code units), all but the first paragraph is folded. */
const maxProse = 400;

/** The ways to authorize; a way may need several credentials. */
export function credentialsOf({ spec, references, messages }: PageContext, { security }: Operation): Credential[][] {
  const schemes = member(spec.document["components"], "securitySchemes");
  // A way with an unknown scheme must not look like "no authorization".
  const ways = security.flatMap((needs) => {
    const way = needs.flatMap((need) => readCredential(need, schemes, references, messages) ?? []);
    return way.length > 0 || needs.length === 0 ? [way] : [];
  });
  // Samples send credentials that are optional, so these come first.
  return [...ways.filter((way) => way.length > 0), ...ways.filter((way) => way.length === 0)];
}

/** The parameters that no security scheme describes. */
export function withoutCredentials(
  parameters: Operation["parameters"],
  ways: readonly (readonly Credential[])[],
): Operation["parameters"] {
  return parameters.filter((parameter) => !isCredential(parameter, ways));
}

/** Adds what the operation says of parameters to the credentials that replace them on the page. */
export function withParameters(
  ways: readonly (readonly Credential[])[],
  parameters: Operation["parameters"],
  { messages, reader }: PageContext,
): Credential[][] {
  return ways.map((way) =>
    way.map((credential) => {
      const parameter = parameters.find((parameter) => isCredential(parameter, [[credential]]));
      if (parameter === undefined) return credential;
      const { description } = credential;
      const added = parameter.description?.trim() ?? "";
      const text = description === messages.authKey && added !== "" ? added : `${description}\n\n${added}`;
      const example = firstValue(parameter.examples) ?? reader.flatten(parameter.schema).examples[0];
      const isSent = credential.kind === "key" && typeof example === "string" && example !== "";
      return {
        ...credential,
        parameter,
        description: description.includes(added) ? description : text,
        ...(isSent && { sample: example }),
      };
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
    way.map((credential) => ({
      credential,
      node: outline.add(credential.parameter?.schema ?? { type: credential.type ?? "string" }, "both"),
    })),
  );
  const id = sectionId("authorizations", callback);
  return () => {
    const lists = nodes.map((way, i) =>
      way.length === 0
        ? [paragraph(...phrase(`${messages.authNone}.`))]
        : way.map(({ credential, node }) => {
            const { name, place: location, description, scopes, orScopes, source, deprecated, parameter } = credential;
            const prose = context.describe.field(description);
            const isLong = prose.length > 1 && description.length > maxProse;
            const notes = [
              ...(isLong ? [...prose.slice(0, 1), ...expandable(messages.details, prose.slice(1))] : []),
              ...valueNote("bearerFormat", credential.format),
              ...(source
                ? tokenNotes(source, [scopes, ...(orScopes ?? [])], messages, nodes.length > 1 && !isList)
                : scopeNotes([scopes, ...(orScopes ?? [])], new Map(), messages)),
            ];
            const qualifier = [callback, "auth", nodes.length === 1 ? "" : i + 1].filter(Boolean).join(" ");
            const facts = {
              name,
              required: needed.length === 1 && !isList,
              deprecated,
              location,
              description: isLong ? "" : description,
              ...(parameter && { examples: examplesOf(parameter, messages), beside: parameter.written }),
              notes,
            };
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

/** Joins ways that differ only in scopes, and schemes of one token, as in Google's documents. */
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
