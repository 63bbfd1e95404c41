import type { RootContent } from "mdast";
import type { Json, JsonObject } from "../../lib/json/index.js";
import { entriesAt, member, textAt } from "../../lib/json/index.js";
import type { Messages } from "../../lib/language/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import type { FormFlow, FormSignIn } from "../forms/playground-form.js";
import * as md from "../pages/nodes.js";

/** How a client gets a token, according to a scheme of OAuth or OpenID Connect. */
export interface TokenSource {
  readonly protocol: "OAuth 2.0" | "OpenID Connect";
  readonly flows: readonly Flow[];
  /** What each scope allows. */
  readonly scopes: ReadonlyMap<string, string>;
}

interface Flow {
  /** Absent if the addresses are those of all flows. */
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

/** Undefined for schemes of other types. */
export function tokenSource(scheme: JsonObject, messages: Messages): TokenSource | undefined {
  const type = textAt(scheme, "type");
  if (type !== "oauth2" && type !== "openIdConnect") return undefined;
  const written = entriesAt(scheme, "flows");
  const addresses = addressesIn(scheme);
  return {
    protocol: type === "oauth2" ? "OAuth 2.0" : "OpenID Connect",
    flows: [
      ...(addresses.length === 0 ? [] : [{ addresses: addresses }]),
      ...written.map(([key, flow]) => ({
        name: Object.hasOwn(flowNames, key) ? messages[flowNames[key]!] : key,
        addresses: addressesIn(flow),
      })),
    ],
    // AsyncAPI calls them `availableScopes`.
    scopes: joinScopes(
      written
        .flatMap(([, flow]) => [...entriesAt(flow, "scopes"), ...entriesAt(flow, "availableScopes")])
        .flatMap(([scope, about]) => (typeof about === "string" && about.trim() !== "" ? [[scope, about]] : [])),
    ),
  };
}

/** What each scope allows. If flows or schemes describe a scope differently, their texts are joined. */
export function joinScopes(described: Iterable<readonly [scope: string, about: string]>): ReadonlyMap<string, string> {
  const scopes = new Map<string, string>();
  for (const [scope, about] of described) {
    const before = scopes.get(scope) ?? "";
    if (before === "") scopes.set(scope, about);
    else if (!` / ${before} / `.includes(` / ${about} / `)) scopes.set(scope, `${before} / ${about}`);
  }
  return scopes;
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
    const parametersAt = (name: string) => textsIn(flow, name) ?? textsIn(scheme, name);
    return [
      withoutUndefined({
        kind,
        title: messages[flowNames[kind]!],
        authorizationUrl: textAt(flow, "authorizationUrl"),
        deviceAuthorizationUrl: textAt(flow, "deviceAuthorizationUrl"),
        tokenUrl: textAt(flow, "tokenUrl"),
        query: parametersAt("x-scalar-security-query"),
        body: parametersAt("x-scalar-security-body"),
      }),
    ];
  });
  if (flows.length === 0) return undefined;
  const clientId = [scheme, ...runnable.map((kind) => member(written, kind))]
    .flatMap((holder) => textAt(holder, "x-scalar-client-id") ?? textAt(holder, "x-defaultClientId") ?? [])
    .at(0);
  return withoutUndefined({ discovery, clientId, flows });
}

/** Parameters such as `audience` and `resource`. */
function textsIn(holder: Json | undefined, name: string): Readonly<Record<string, string>> | undefined {
  const parameters = entriesAt(holder, name).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return parameters.length === 0 ? undefined : Object.fromEntries(parameters);
}

const addressesIn = (holder: Parameters<typeof member>[0]): Flow["addresses"] =>
  Object.entries(addressNames).flatMap(([key, label]) => {
    const url = textAt(holder, key);
    return url === undefined ? [] : [[label, url] as const];
  });

/** The scopes of a request, and the addresses of each flow. @param isNamed the protocol is shown elsewhere. */
export function tokenNotes(
  { protocol, flows, scopes: about }: TokenSource,
  scopes: ScopeLists,
  messages: Messages,
  isNamed: boolean,
): RootContent[] {
  const flowNotes = flows.flatMap(({ name, addresses }) => {
    const items = addresses.map(([label, url]) => [md.text(`${messages[label]}: `), address(url)]);
    return md.fieldNote(name && md.clip(name, 100), [md.bulletList(items)]);
  });
  return [
    ...(isNamed ? [] : md.fieldNote(undefined, [md.strong(protocol)])),
    ...scopeNotes(scopes, about, messages),
    ...flowNotes,
  ];
}

/** Lists of scopes, one of which a request needs. */
type ScopeLists = readonly (readonly string[])[];

/** @param about what scopes allow. */
export function scopeNotes(lists: ScopeLists, about: ReadonlyMap<string, string>, messages: Messages): RootContent[] {
  // With several lists, the note has one item for each list; with one, an item for each scope.
  const [scopes = [], ...others] = lists;
  const shown = others.length > 0 ? lists : scopes.map((scope) => [scope]);
  const label = others.length > 0 ? messages.oneOfScopes : messages.scopes;
  if (!shown.flat().some((scope) => about.has(scope)) && shown.every((list) => list.length === 1))
    return md.codesNote(label, shown.flat(), messages.scopes);
  const items = shown.map((list) => {
    const words = list.length === 1 ? about.get(list[0]!) : undefined;
    return [...md.codeList(list, " + "), ...(words === undefined ? [] : [md.text(`: ${words}`)])];
  });
  return md.linesNote(label, items, messages.scopes);
}

const address = (url: string) =>
  /^https?:\/\//i.test(url) ? md.link(url, md.text(md.clip(url, 300))) : md.inlineCode(md.clip(url, 300));
