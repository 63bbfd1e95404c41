import type { Json } from "../../lib/json/json.js";
import { stringify } from "../../lib/json/json.js";
import type { FormServer, PlaygroundForm } from "../../reference/forms/playground-form.js";
import { create } from "../dom.js";
import { recallInTab, rememberInTab } from "../storage.js";
import { buildRequest, type Draft } from "./build-request.js";
import { button, panel } from "./form/field.js";
import { isValueObject, parseJson, toJson, type Value } from "./form/value.js";
import { say } from "./messages.js";
import { mayBeSecret, secretNames } from "./secrets.js";
import type { ServerState } from "./servers.js";

const historyName = "playground-history";
/** The request that the page of its operation fills in when it opens. */
const chosenName = "playground-fill";
const most = 20;
const longestBody = 100_000;

/** A request that was sent in this session, without credentials. */
export interface PastRequest {
  /** Identifies the operation. */
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

/** A literal in a query of GraphQL. */
const secretLiteral = new RegExp(
  `((?:${secretNames.source})\\w*\\s*:\\s*)(?:"""[^]*?"""|"(?:[^"\\\\\n]|\\\\.)*")`,
  "gi",
);

const withoutSecrets = (value: Json): Json => {
  if (typeof value === "string") return value.replace(secretLiteral, '$1""');
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isValueObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !mayBeSecret(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutSecrets(each as Json)]));
};

/** What identifies an operation, whatever page sends a request of it. */
export const operationKey = (method: string, servers: readonly FormServer[], path: string, name = ""): string =>
  `${method} ${servers[0]!.url}${path} ${name}`.trim();

/** A request as the history keeps it. */
export function pastOf(
  sent: Pick<PlaygroundForm, "method" | "path"> & Pick<PastRequest, "operation" | "page" | "server">,
  { parameters, body, baseUrl }: Draft,
): PastRequest {
  const { operation, page, server, method = "GET" } = sent;
  const stored = storedBody(body);
  const { url } = buildRequest(sent, { baseUrl, parameters: publicParameters(parameters), credentials: [] }).sample;
  return {
    operation,
    page,
    method,
    url: url.split("?")[0]!,
    atMs: Date.now(),
    server,
    parameters: storedParameters(parameters),
    ...(stored && { body: stored }),
  };
}

/** Without the parameters that may be credentials. */
const publicParameters = (parameters: Draft["parameters"]): Draft["parameters"] =>
  parameters.filter(({ parameter: { name, place } }) => place !== "cookie" && !mayBeSecret(name));

const storedParameters = (parameters: Draft["parameters"]): PastRequest["parameters"] =>
  publicParameters(parameters)
    .filter(({ value }) => !holdsFile(value))
    .map(({ parameter, value }) => [parameter.place, parameter.name, withoutSecrets(toJson(value))] as const);

/** Undefined for a body that is not kept: a file, or one that may hold a credential and cannot be read. */
function storedBody(body: Draft["body"]): PastRequest["body"] {
  if (body === undefined || body.kind === "file") return undefined;
  if (body.kind === "fields") {
    const fields = body.fields.filter(([, value]) => !holdsFile(value)).map(([name, value]) => [name, toJson(value)]);
    const kept = withoutSecrets((body.isList ? fields.map(([, value]) => value) : Object.fromEntries(fields)) as Json);
    return short({ type: body.media.type, text: stringify(kept) });
  }
  if (!mayBeSecret(body.text)) return short(body);
  const parsed = body.kind === "json" ? parseJson(body.text) : { reason: "" };
  return "value" in parsed ? short({ type: body.type, text: stringify(withoutSecrets(parsed.value)) }) : undefined;
}

const short = ({ type, text }: { readonly type: string; readonly text: string }): PastRequest["body"] =>
  text.length > longestBody ? undefined : { type, text };

const holdsFile = (value: Value): boolean =>
  value instanceof File ||
  (Array.isArray(value) ? value.some(holdsFile) : isValueObject(value) && Object.values(value).some(holdsFile));

function stored(): PastRequest[] {
  let text: string | null = null;
  try {
    text = sessionStorage.getItem(`offprint-${historyName}`);
  } catch {
    // Some private windows refuse.
  }
  // Unlike `recallInTab`, keeps all digits of numbers.
  const parsed = parseJson(text ?? "[]");
  return "value" in parsed && Array.isArray(parsed.value) ? (parsed.value as unknown as PastRequest[]) : [];
}

/**
 * The requests of this session, kept until the tab is closed.
 *
 * @param form the operation whose form `fill` fills; absent: every request leads to the page of its operation.
 */
export function createHistory(form?: { readonly operation: string; readonly fill: (past: PastRequest) => void }) {
  const list = create("ol", { class: "playground-past" });
  const clear = button("playground-quiet", say("clear"), () => {
    rememberInTab(historyName, []);
    show();
  });
  const element = panel("playground-panel playground-history", say("history"), [clear], list);
  const show = (): void => {
    const past = stored();
    element.hidden = past.length === 0;
    list.replaceChildren(...past.map((each) => create("li", {}, lineFor(each))));
  };
  const lineFor = (past: PastRequest): HTMLElement => {
    const { method, url, status, atMs, page } = past;
    const parts = [
      create("span", { class: "method-pill", "data-method": method }, method),
      create("code", { dir: "ltr" }, url.replace(/^[a-z]+:\/\/[^/]*/i, "") || "/"),
      create("span", { class: "playground-past-facts" }, `${status ?? "–"} · ${new Date(atMs).toLocaleTimeString()}`),
    ];
    if (past.operation !== form?.operation) {
      if (!/^\/(?!\/)/.test(page)) return create("div", { class: "playground-past-entry" }, ...parts);
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
      rememberInTab(historyName, [past, ...stored()].slice(0, most), stringify);
      show();
    },
    /** The request that the reader has chosen on the page of another operation, once. */
    takeChosen(): PastRequest | undefined {
      const atMs = recallInTab(chosenName);
      rememberInTab(chosenName, null);
      return stored().find((past) => past.operation === form?.operation && past.atMs === atMs);
    },
  };
}
