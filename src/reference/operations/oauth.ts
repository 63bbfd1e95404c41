import type { RootContent } from "mdast";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, member, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { FormFlow, FormSignIn } from "../forms/playground-form.js";
import { bulletList, clip, codeList, fieldNote, inlineCode, link, strong, text } from "../pages/nodes.js";

/** How a client gets a token, according to a scheme of OAuth or OpenID Connect. */
export interface TokenSource {
  readonly protocol: "OAuth 2.0" | "OpenID Connect";
  readonly flows: readonly Flow[];
  /** What each scope allows. */
  readonly scopes: ReadonlyMap<string, string>;
}

interface Flow {
  /** Undefined: the addresses are those of all flows. */
  readonly name?: string;
  readonly addresses: readonly (readonly [label: keyof Messages, url: string])[];
}

const flowNames: Readonly<Record<string, keyof Messages>> = {
  authorizationCode: "flowAuthorizationCode",
  clientCredentials: "flowClientCredentials",
  implicit: "flowImplicit",
  password: "flowPassword",
  deviceAuthorization: "flowDevice",
};
const addressNames = {
  authorizationUrl: "authorizationUrl",
  deviceAuthorizationUrl: "deviceUrl",
  tokenUrl: "tokenUrl",
  refreshUrl: "refreshUrl",
  oauth2MetadataUrl: "discoveryUrl",
  openIdConnectUrl: "discoveryUrl",
} as const;
const maxFlows = 10;
const maxScopes = 60;
const maxParameters = 20;

/** Undefined for schemes of other types. */
export function tokenSource(scheme: JsonObject, messages: Messages): TokenSource | undefined {
  const type = textAt(scheme, "type");
  if (type !== "oauth2" && type !== "openIdConnect") return undefined;
  const written = entriesAt(scheme, "flows").slice(0, maxFlows);
  const own = addressesIn(scheme);
  return {
    protocol: type === "oauth2" ? "OAuth 2.0" : "OpenID Connect",
    flows: [
      ...(own.length === 0 ? [] : [{ addresses: own }]),
      ...written.map(([key, flow]) => ({
        name: Object.hasOwn(flowNames, key) ? messages[flowNames[key]!] : key,
        addresses: addressesIn(flow),
      })),
    ],
    // AsyncAPI calls them `availableScopes`.
    scopes: new Map(
      written
        .flatMap(([, flow]) => [...entriesAt(flow, "scopes"), ...entriesAt(flow, "availableScopes")])
        .flatMap(([scope, about]) =>
          typeof about === "string" && about.trim() !== "" ? [[scope, about] as const] : [],
        ),
    ),
  };
}

/** The flows that a page in a browser can run. OAuth 2.1 has dropped the implicit and the password flow. */
const runnable = ["authorizationCode", "clientCredentials", "deviceAuthorization"] as const;

/** How the playground gets a token; undefined if the scheme has no such flow. */
export function signInOf(scheme: JsonObject, messages: Messages): FormSignIn | undefined {
  const discovery = textAt(scheme, "openIdConnectUrl") ?? textAt(scheme, "oauth2MetadataUrl");
  const written = member(scheme, "flows");
  // OpenID Connect lists no flows here: its discovery document does.
  const isAny = textAt(scheme, "openIdConnectUrl") !== undefined;
  const flows = runnable.flatMap((kind): FormFlow[] => {
    const flow = member(written, kind);
    if (flow === undefined && !isAny) return [];
    const urls = ["authorizationUrl", "deviceAuthorizationUrl", "tokenUrl"].flatMap((key) => {
      const url = textAt(flow, key);
      return url === undefined ? [] : [[key, url]];
    });
    const more = {
      query: textsIn(flow, "x-scalar-security-query") ?? textsIn(scheme, "x-scalar-security-query"),
      body: textsIn(flow, "x-scalar-security-body") ?? textsIn(scheme, "x-scalar-security-body"),
    };
    return [withoutUndefined({ kind, title: messages[flowNames[kind]!], ...Object.fromEntries(urls), ...more })];
  });
  if (flows.length === 0) return undefined;
  const clientId = [scheme, ...runnable.map((kind) => member(written, kind))]
    .flatMap((each) => textAt(each, "x-scalar-client-id") ?? textAt(each, "x-defaultClientId") ?? [])
    .at(0);
  return withoutUndefined({ discovery, clientId, flows });
}

/** Parameters such as `audience` and `resource`. */
function textsIn(holder: Json | undefined, name: string): Readonly<Record<string, string>> | undefined {
  const found = entriesAt(holder, name)
    .filter((entry): entry is [string, string] => typeof entry[1] === "string")
    .slice(0, maxParameters);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const addressesIn = (holder: Parameters<typeof member>[0]): Flow["addresses"] =>
  Object.entries(addressNames).flatMap(([key, label]) => {
    const url = textAt(holder, key);
    return url === undefined ? [] : [[label, url] as const];
  });

/**
 * The scopes that a request needs with what they allow, and the addresses of each flow.
 *
 * @param isNamed the protocol is shown elsewhere.
 */
export function tokenNotes(
  { protocol, flows, scopes: about }: TokenSource,
  scopes: readonly string[],
  messages: Messages,
  isNamed: boolean,
): RootContent[] {
  const flowNotes = flows.flatMap(({ name, addresses }) => {
    const items = addresses.map(([label, url]) => [text(`${messages[label]}: `), address(url)]);
    return fieldNote(name && clip(name, 100), [bulletList(items)]);
  });
  return [
    ...(isNamed ? [] : fieldNote(undefined, [strong(protocol)])),
    ...scopeNotes(scopes, about, messages),
    ...flowNotes,
  ];
}

/** @param about what scopes allow, as far as the document says so. */
export function scopeNotes(
  scopes: readonly string[],
  about: ReadonlyMap<string, string>,
  messages: Messages,
): RootContent[] {
  const shown = scopes.slice(0, maxScopes);
  if (!shown.some((scope) => about.has(scope))) return fieldNote(messages.scopes, codeList(shown));
  const items = shown.map((scope) => {
    const words = about.get(scope);
    return [inlineCode(scope), ...(words === undefined ? [] : [text(`: ${clip(words, 500)}`)])];
  });
  return fieldNote(messages.scopes, [bulletList(items)]);
}

const address = (url: string) =>
  /^https?:\/\//i.test(url) ? link(url, text(clip(url, 300))) : inlineCode(clip(url, 300));
