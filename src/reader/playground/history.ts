import { type Json, parseJson as parseExactly, stringify } from "../../lib/json/json.js";
import type { FormServer, PlaygroundForm } from "../../reference/forms/playground-form.js";
import { create } from "../dom.js";
import { hasOwnStorage, recallInTab, rememberInTab } from "../storage.js";
import { buildRequest, type Draft } from "./build-request.js";
import { isValueObject, parseJson, toJson, type Value } from "./form/control.js";
import { methodBadge } from "./form/elements.js";
import { button, panel } from "./form/field.js";
import { say } from "./messages.js";
import { mayBeSecret, secretNames } from "./secrets.js";
import type { ServerState } from "./servers.js";

const historyName = "playground-history";
/** The time of the request that the page of its operation fills in when it opens. */
const chosenName = "playground-fill";
const maxRequests = 20;
/** In UTF-16 code units. */
const maxBodyLength = 100_000;

/** A request of this session, without credentials. */
export interface PastRequest {
  readonly operation: string;
  /** Path of the operation's page. */
  readonly page: string;
  readonly method: string;
  /** Without the query. */
  readonly url: string;
  readonly status?: number;
  readonly atMs: number;
  readonly server: ServerState;
  readonly parameters: readonly (readonly [place: string, name: string, value: Json])[];
  readonly body?: { readonly type: string; readonly text: string };
}

/** A secret literal in a GraphQL query. */
const secretLiteral = new RegExp(
  `((?:${secretNames.source})\\w*\\s*:\\s*)(?:"""[^]*?"""|"(?:[^"\\\\\n]|\\\\.)*")`,
  "gi",
);

const withoutSecrets = (value: Json): Json => {
  if (typeof value === "string") return value.replace(secretLiteral, '$1""');
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isValueObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !mayBeSecret(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSecrets(member as Json)]));
};

/** Identifies an operation, whichever page sends its requests. */
export const operationKey = (method: string, servers: readonly FormServer[], path: string, name = ""): string =>
  `${method} ${servers[0]!.url}${path} ${name}`.trim();

/** A request as the history stores it. */
export function toPastRequest(
  sent: Pick<PlaygroundForm, "method" | "path"> & Pick<PastRequest, "operation" | "page" | "server">,
  { parameters, body, baseUrl }: Draft,
): PastRequest {
  const { operation, page, server, method = "GET" } = sent;
  const { url } = buildRequest(sent, { baseUrl, parameters: publicParameters(parameters), credentials: [] }).sample;
  return {
    operation,
    page,
    method,
    url: url.split("?")[0]!,
    atMs: Date.now(),
    server,
    parameters: storedParameters(parameters),
    body: storedBody(body),
  };
}

/** The parameters that cannot be credentials. */
const publicParameters = (parameters: Draft["parameters"]): Draft["parameters"] =>
  parameters.filter(({ parameter: { name, place } }) => place !== "cookie" && !mayBeSecret(name));

const storedParameters = (parameters: Draft["parameters"]): PastRequest["parameters"] =>
  publicParameters(parameters)
    .filter(({ value }) => !holdsFile(value))
    .map(({ parameter, value }) => [parameter.place, parameter.name, withoutSecrets(toJson(value))] as const);

/** Undefined for a body that is not stored: a file, a long one, or one that may contain a credential and cannot be parsed. */
function storedBody(body: Draft["body"]): PastRequest["body"] {
  if (body === undefined || body.kind === "file") return undefined;
  if (body.kind === "fields") {
    const fields = body.fields.filter(([, value]) => !holdsFile(value)).map(([name, value]) => [name, toJson(value)]);
    const publicFields = withoutSecrets(
      (body.isList ? fields.map(([, value]) => value) : Object.fromEntries(fields)) as Json,
    );
    return ifShort({ type: body.media.type, text: stringify(publicFields) });
  }
  if (!mayBeSecret(body.text)) return ifShort(body);
  const parsed = body.kind === "json" ? parseJson(body.text) : { reason: "" };
  return "value" in parsed ? ifShort({ type: body.type, text: stringify(withoutSecrets(parsed.value)) }) : undefined;
}

const ifShort = ({ type, text }: { readonly type: string; readonly text: string }): PastRequest["body"] =>
  text.length > maxBodyLength ? undefined : { type, text };

const holdsFile = (value: Value): boolean =>
  value instanceof File ||
  (Array.isArray(value) ? value.some(holdsFile) : isValueObject(value) && Object.values(value).some(holdsFile));

/** The requests of a page opened from disk, which must not store them. */
let requestsOfPage: PastRequest[] = [];

/** Parsed so that numbers keep all their digits. */
function storedRequests(): PastRequest[] {
  const requests = hasOwnStorage() ? recallInTab(historyName, parseExactly) : requestsOfPage;
  return Array.isArray(requests) ? requests : [];
}

function storeRequests(requests: PastRequest[]): void {
  if (hasOwnStorage()) rememberInTab(historyName, requests, stringify);
  else requestsOfPage = requests;
}

/**
 * The list of the requests of this session, stored until the tab closes.
 *
 * @param form the operation whose form `fill` fills in. Requests of other operations link to their page.
 */
export function createHistory(form?: { readonly operation: string; readonly fill: (past: PastRequest) => void }) {
  const list = create("ol", "playground-past");
  const clear = button("playground-quiet", say("clear"), () => {
    storeRequests([]);
    show();
  });
  const element = panel("playground-panel playground-history", say("history"), [clear], list);
  const show = (): void => {
    const past = storedRequests();
    element.hidden = past.length === 0;
    list.replaceChildren(...past.map((request) => create("li", {}, lineFor(request))));
  };
  const lineFor = (past: PastRequest): HTMLElement => {
    const { method, url, status, atMs, page } = past;
    const parts = [
      methodBadge(method),
      create("code", { dir: "ltr" }, url.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/"),
      create("span", "playground-past-facts", `${status ?? "–"} · ${new Date(atMs).toLocaleTimeString()}`),
    ];
    if (past.operation !== form?.operation) {
      if (!hasOwnStorage() || !/^\/(?!\/)/.test(page)) return create("div", "playground-past-entry", ...parts);
      const link = create("a", { class: "playground-past-entry", href: `${page}?playground=open` }, ...parts);
      link.addEventListener("click", () => rememberInTab(chosenName, atMs));
      return link;
    }
    const choose = create("button", { type: "button", class: "playground-past-entry" }, ...parts);
    choose.addEventListener("click", () => form.fill(past));
    return choose;
  };
  show();
  return {
    element,
    add(past: PastRequest): void {
      storeRequests([past, ...storedRequests()].slice(0, maxRequests));
      show();
    },
    /** The request that the reader chose on the page of another operation; undefined from the second call on. */
    takeChosen(): PastRequest | undefined {
      const atMs = recallInTab(chosenName);
      rememberInTab(chosenName, null);
      return storedRequests().find((past) => past.operation === form?.operation && past.atMs === atMs);
    },
  };
}
