/** Gets tokens for the playground. Loaded with it by pages whose requests need one from a server of OAuth. */
import type { FormSignIn } from "../../../reference/forms/playground-form.js";
import { recallInTab, rememberInTab } from "../../storage.js";
import type { FormContext } from "../form/control.js";
import type { SignInTools } from "../sign-in-tools.js";
import { answerName, type KeptSignIn, keptName, keptSignIn } from "./pending-sign-in.js";
import {
  authorizationAddress,
  type Client,
  codeIn,
  createAsk,
  type Endpoints,
  findEndpoints,
  newPending,
  type Pending,
  startDevice,
  type Token,
  type TokenEndpoint,
  tokenFor,
} from "./protocol.js";
import { redirectAddress, returnedCode, tokenOfCode } from "./return-code.js";

/** What the token is for. */
export interface SignInTarget {
  /** Name of the scheme. */
  readonly scheme: string;
  /** Needed by the request. */
  readonly scopes: readonly string[];
  /** Resolved address of the chosen server. */
  server(): string;
  /** @param server the one that was chosen when the reader began. */
  onToken(token: string, server: string, renewal: Renewal): void;
  /** What was kept with the token that the field shows. */
  renewal(): unknown;
}
/** @param isRefused by the API, so that the token counts as expired. Returns whether there is a new one. */
export type RenewToken = (isRefused: boolean) => Promise<boolean>;

/** How to get another token when one has expired. */
interface Renewal extends TokenEndpoint {
  readonly id: string;
  readonly expiresAtMs?: number;
  /** Absent if there is none, or if it needs a secret, which is never stored. */
  readonly grant?: Readonly<Record<string, string>>;
}
export type CreateSignIn = typeof createSignIn;

/** A sign-in in the tab of the page. The client's secret is never stored. */
interface Kept extends KeptSignIn, Pending, TokenEndpoint {
  readonly server: string;
  readonly id: string;
  readonly scope: string;
}

window.offprintSignIn = createSignIn;

/** The group below the field of a token. */
function createSignIn(tools: SignInTools, form: FormContext, signIn: FormSignIn, target: SignInTarget) {
  const { box, button, copyButton, create, createField, createGroup, indexSelect, say, sayWith } = tools;
  const isOnDisk = location.protocol === "file:";
  const isOpenId = signIn.discovery !== undefined && signIn.flows.every(({ tokenUrl }) => tokenUrl === undefined);
  const input = (type: string, value = ""): HTMLInputElement => {
    const element = create("input", {
      type,
      class: "playground-input",
      autocomplete: "off",
      spellcheck: "false",
      dir: "ltr",
    });
    element.value = value;
    return element;
  };
  const clientId = input("text", signIn.clientId);
  const secret = input("password");
  const scope = input("text", [...(isOpenId ? ["openid"] : []), ...target.scopes].join(" "));
  const field = (name: string, element: HTMLElement, required = false) =>
    createField(form, { name, required, depth: 1 }, "", element);
  const clientField = field(say("clientId"), clientId, true);
  let chosen = 0;
  let running: AbortController | undefined;
  /** What gets another token, of a client with a secret. */
  let withSecret:
    | { readonly server: string; readonly grant: NonNullable<Renewal["grant"]>; readonly secret: string }
    | undefined;

  const note = box("playground-memory");
  const status = create("p", { class: "playground-note", role: "status" });
  const more = box("playground-items");
  const tell = (text: string, ...elements: HTMLElement[]): void => {
    status.textContent = text;
    more.replaceChildren(...elements);
  };
  const press = button("playground-more", say("getTokenNow"), () => void start());
  const showFlow = (): void => {
    const isCode = signIn.flows[chosen]!.kind === "authorizationCode";
    press.disabled = isCode && isOnDisk;
    const about = create("p", { class: "playground-note" });
    about.append(isOnDisk ? say("fromDisk") : sayWith("redirectNote", redirectAddress()));
    note.replaceChildren(...(isCode ? [about, ...(isOnDisk ? [] : [copyButton(redirectAddress)])] : []));
    tell("");
  };

  /** @param inTab leave this page, because the browser opens no window. */
  async function start(inTab = false): Promise<void> {
    running?.abort();
    const isMissing = clientId.value.trim() === "";
    clientField.showFault(isMissing ? say("fillIn") : undefined);
    if (isMissing) return clientId.focus();
    const own = new AbortController();
    running = own;
    const flow = signIn.flows[chosen]!;
    const server = target.server();
    const client: Client = { id: clientId.value.trim(), secret: secret.value, scope: scope.value.trim() };
    rememberInTab(keptName, null);
    // A window can only be opened at once: later the browser takes it for an advertisement.
    const popup = flow.kind === "authorizationCode" && !inTab ? open("", "_blank", "popup,width=520,height=720") : null;
    const cancel = button("playground-quiet", say("cancel"), () => {
      own.abort();
      popup?.close();
      tell(say("cancelled"));
    });
    tell(say("waiting"), cancel);
    try {
      const ask = createAsk(tools, own.signal);
      const endpoints = await findEndpoints(signIn, flow, server, ask);
      const token = await get(endpoints, ask);
      if (token === undefined || own.signal.aborted) return;
      keep(token, server, client, endpoints, flow.kind === "clientCredentials" ? grantOf(client) : undefined);
      tell(say("signedIn"));
    } catch (error) {
      popup?.close();
      if (!own.signal.aborted) fail(error);
    }

    async function get(endpoints: Endpoints, ask: ReturnType<typeof createAsk>): Promise<Token | undefined> {
      if (flow.kind === "clientCredentials") {
        return tokenFor(grantOf(client), client, endpoints, ask);
      }
      if (flow.kind === "deviceAuthorization") {
        const { code, address, token } = await startDevice(client, endpoints, ask, own.signal);
        const link = create("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address);
        tell(sayWith("enterCode", code), create("p", { class: "playground-note" }, link), cancel);
        return token();
      }
      const pending = newPending(redirectAddress());
      const address = authorizationAddress(endpoints, client, pending);
      if (popup) {
        const answer = returnedCode(pending, endpoints, own.signal);
        // The page of the server must not reach this one.
        popup.opener = null;
        popup.location.href = address;
        return tokenOfCode(await answer, pending, client, endpoints, ask);
      }
      if (!inTab) {
        tell(
          say("popupBlocked"),
          button("playground-quiet", say("sameTab"), () => void start(true)),
        );
        return undefined;
      }
      const { tokenUrl, issuer, secretInBody, body } = endpoints;
      const { scheme } = target;
      const { id, scope } = client;
      const kept: Kept = {
        ...pending,
        tokenUrl,
        issuer,
        secretInBody,
        ...(body && { body }),
        scheme,
        server,
        id,
        scope,
        returnTo: location.href,
      };
      rememberInTab(keptName, kept);
      location.assign(address);
      return undefined;
    }
  }

  /** @param again the grant that gets another token; by default, the refresh token if there is one. */
  function keep(
    token: Token,
    server: string,
    client: Client,
    endpoints: TokenEndpoint,
    again?: Renewal["grant"],
  ): void {
    const { value, refresh, expiresAtMs } = token;
    const { tokenUrl, issuer, secretInBody, body } = endpoints;
    const grant =
      again ?? (refresh === undefined ? undefined : { grant_type: "refresh_token", refresh_token: refresh });
    withSecret = grant && client.secret !== "" ? { server, grant, secret: client.secret } : undefined;
    target.onToken(value, server, {
      tokenUrl,
      issuer,
      secretInBody,
      ...(body && { body }),
      id: client.id,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
      ...(withSecret || !grant ? {} : { grant }),
    });
  }

  const renew: RenewToken = async (isRefused) => {
    const known = target.renewal() as Renewal | undefined;
    if (!known || (!isRefused && (known.expiresAtMs ?? Number.POSITIVE_INFINITY) > Date.now())) return false;
    group.open();
    const server = target.server();
    const own = withSecret?.server === server ? withSecret : undefined;
    const grant = known.grant ?? own?.grant;
    if (grant === undefined) {
      tell(say("tokenExpired"));
      return false;
    }
    const client = { id: known.id, secret: own?.secret ?? "", scope: "" };
    try {
      const token = await tokenFor(grant, client, known, createAsk(tools, new AbortController().signal));
      const { refresh_token: refresh } = grant;
      const again = refresh === undefined ? grant : undefined;
      keep({ ...(refresh && { refresh }), ...token }, server, client, known, again);
      tell(say("tokenRenewed"));
      return true;
    } catch (error) {
      tell(`${say("tokenExpired")} ${sayWith("signInFailed", messageOf(error))}`);
      return false;
    }
  };

  const fail = (error: unknown): void => tell(sayWith("signInFailed", messageOf(error)));

  /** Ends a sign-in that left the page. */
  async function resume(): Promise<void> {
    const kept = keptSignIn() as Kept | null;
    const answer = recallInTab(answerName);
    if (kept === null || typeof answer !== "string" || kept.scheme !== target.scheme) return;
    rememberInTab(keptName, null);
    rememberInTab(answerName, null);
    group.open();
    clientId.value = kept.id;
    tell(say("waiting"));
    try {
      const code = codeIn(answer, kept, kept);
      if (code === undefined) throw new Error("state");
      const ask = createAsk(tools, new AbortController().signal);
      const client = { id: kept.id, secret: "", scope: kept.scope };
      keep(await tokenOfCode(code, kept, client, kept, ask), kept.server, client, kept);
      tell(say("signedIn"));
    } catch (error) {
      fail(error);
    }
  }

  const titles = signIn.flows.map(({ title }) => title);
  const choice = indexSelect({ class: "playground-input", "aria-label": say("getTokenNow") }, titles, 0, (index) => {
    running?.abort();
    chosen = index;
    showFlow();
  });
  const title = titles.length === 1 ? `${say("getTokenNow")}: ${titles[0]}` : say("getTokenNow");
  const group = createGroup(form, { name: title, required: false, depth: 1 }, "", () => [
    ...(titles.length > 1 ? [choice] : []),
    clientField.element,
    field(say("clientSecret"), secret).element,
    field(say("scopes"), scope).element,
    note,
    box("playground-memory", press),
    status,
    more,
  ]);
  group.element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || press.disabled) return;
    event.preventDefault();
    event.stopPropagation();
    void start();
  });
  showFlow();
  void resume();
  return { element: group.element, renew };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** There is nobody whom an ID token could name. */
function grantOf({ scope: asked }: Client): Readonly<Record<string, string>> {
  const scope = asked.replace(/(?:^| )openid(?= |$)/, "").trim();
  return { grant_type: "client_credentials", ...(scope === "" ? {} : { scope }) };
}
