/** Gets OAuth tokens for the playground. Loaded with it by pages whose requests need one. */
import type { FormSignIn } from "../../../reference/forms/playground-form.js";
import { bundleRoot } from "../../dom.js";
import { recallInTab, rememberInTab } from "../../storage.js";
import { errorMessage, type FormContext } from "../form/control.js";
import { answerName, type PendingSignIn, pendingName, pendingSignIn, type SignInTools } from "../sign-in-tools.js";
import * as protocol from "./protocol.js";

/** The credential that a token is for. */
export interface SignInTarget {
  /** Name of the security scheme. */
  readonly scheme: string;
  /** Needed by the request. */
  readonly scopes: readonly string[];
  /** Resolved address of the chosen server. */
  server(): string;
  /** @param server the one chosen when the sign-in began. */
  onToken(token: string, server: string, renewal: Renewal): void;
  /** The renewal stored with the current token. */
  renewal(): unknown;
}
/** Returns whether there is a new token. @param isRefused the API refused the token, so it counts as expired. */
type RenewToken = (isRefused: boolean) => Promise<boolean>;

/** How to replace an expired token. */
interface Renewal extends protocol.TokenEndpoint {
  readonly id: string;
  readonly expiresAtMs?: number;
  /** Absent if there is no grant, or if it needs a secret, which is never stored. */
  readonly grant?: Readonly<Record<string, string>>;
}
export type CreateSignIn = typeof createSignIn;

/** A sign-in that left the page. The client's secret is never stored. */
interface StoredSignIn extends PendingSignIn, protocol.Pending, protocol.TokenEndpoint {
  readonly server: string;
  readonly id: string;
  readonly scope: string;
}

window.offprintSignIn = createSignIn;

function createSignIn(tools: SignInTools, form: FormContext, signIn: FormSignIn, target: SignInTarget) {
  const { box, button, copyButton, create, createField, createGroup, indexSelect, say, sayWith, textInput } = tools;
  const isOnDisk = location.protocol === "file:";
  const isOpenId = signIn.discovery !== undefined && signIn.flows.every(({ tokenUrl }) => tokenUrl === undefined);
  const input = (type: string, value = ""): HTMLInputElement =>
    Object.assign(textInput({ type, dir: "ltr" }), { value });
  const clientId = input("text", signIn.clientId);
  const secret = input("password");
  const scope = input("text", [...(isOpenId ? ["openid"] : []), ...target.scopes].join(" "));
  clientId.addEventListener("input", () => clientField.showFault(undefined));
  const field = (name: string, element: HTMLElement, required = false) =>
    createField(form, { name, required, depth: 1 }, "", element);
  const clientField = field(say("clientId"), clientId, true);
  let chosen = 0;
  let running: AbortController | undefined;
  /** The grant for a new token of a client with a secret. */
  let withSecret:
    | { readonly server: string; readonly grant: NonNullable<Renewal["grant"]>; readonly secret: string }
    | undefined;

  const note = box("playground-memory");
  const status = create("p", { class: "playground-note", role: "status" });
  const more = box("playground-items");
  const showStatus = (text: string, ...elements: HTMLElement[]): void => {
    status.textContent = text;
    more.replaceChildren(...elements);
  };
  const startButton = button("playground-more", say("getTokenNow"), () => void start());
  const showFlow = (): void => {
    const isCode = signIn.flows[chosen]!.kind === "authorizationCode";
    startButton.disabled = isCode && isOnDisk;
    const about = create("p", "playground-note");
    about.append(isOnDisk ? say("fromDisk") : sayWith("redirectNote", redirectAddress()));
    note.replaceChildren(...(isCode ? [about, ...(isOnDisk ? [] : [copyButton(redirectAddress)])] : []));
    showStatus("");
  };

  /** @param inTab leaves this page, since the browser has blocked the window. */
  async function start(inTab = false): Promise<void> {
    running?.abort();
    const isMissing = clientId.value.trim() === "";
    clientField.showFault(isMissing ? say("fillIn") : undefined);
    if (isMissing) return clientId.focus();
    const controller = new AbortController();
    running = controller;
    const flow = signIn.flows[chosen]!;
    const server = target.server();
    const client: protocol.Client = { id: clientId.value.trim(), secret: secret.value, scope: scope.value.trim() };
    rememberInTab(pendingName, null);
    // Open the window at once: later the browser would block it as a pop-up.
    const popup = flow.kind === "authorizationCode" && !inTab ? open("", "_blank", "popup,width=520,height=720") : null;
    const cancel = button("playground-quiet", say("cancel"), () => {
      controller.abort();
      popup?.close();
      showStatus(say("cancelled"));
    });
    showStatus(say("waiting"), cancel);
    try {
      const ask = protocol.createAsk(tools, controller.signal);
      const endpoints = await protocol.findEndpoints(signIn, flow, server, ask);
      const token = await requestToken(endpoints, ask);
      if (token === undefined || controller.signal.aborted) return;
      storeToken(
        token,
        server,
        client,
        endpoints,
        flow.kind === "clientCredentials" ? clientCredentialsGrant(client) : undefined,
      );
      showStatus(say("signedIn"));
    } catch (error) {
      popup?.close();
      if (!controller.signal.aborted) fail(error);
    }

    async function requestToken(
      endpoints: protocol.Endpoints,
      ask: ReturnType<typeof protocol.createAsk>,
    ): Promise<protocol.Token | undefined> {
      if (flow.kind === "clientCredentials") {
        return protocol.tokenFor(clientCredentialsGrant(client), client, endpoints, ask);
      }
      if (flow.kind === "deviceAuthorization") {
        const { code, address, token } = await protocol.startDevice(client, endpoints, ask, controller.signal);
        const link = create("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address);
        showStatus(sayWith("enterCode", code), create("p", "playground-note", link), cancel);
        return token();
      }
      const pending = protocol.newPending(redirectAddress());
      const address = protocol.authorizationAddress(endpoints, client, pending);
      if (popup) {
        const answer = returnedCode(pending, endpoints, controller.signal);
        // The server's page must not reach this one.
        popup.opener = null;
        popup.location.href = address;
        return tokenOfCode(await answer, pending, client, endpoints, ask);
      }
      if (!inTab) {
        showStatus(
          say("popupBlocked"),
          button("playground-quiet", say("sameTab"), () => void start(true)),
        );
        return undefined;
      }
      const { id, scope } = client;
      const { scheme } = target;
      const stored: StoredSignIn = {
        ...pending,
        ...protocol.tokenEndpoint(endpoints),
        scheme,
        server,
        id,
        scope,
        returnTo: location.href,
      };
      rememberInTab(pendingName, stored);
      location.assign(address);
      return undefined;
    }
  }

  /** @param again the grant for the next token; by default the refresh token, if there is one. */
  function storeToken(
    token: protocol.Token,
    server: string,
    client: protocol.Client,
    endpoints: protocol.TokenEndpoint,
    again?: Renewal["grant"],
  ): void {
    const { value, refresh, expiresAtMs } = token;
    const grant =
      again ?? (refresh === undefined ? undefined : { grant_type: "refresh_token", refresh_token: refresh });
    withSecret = grant && client.secret !== "" ? { server, grant, secret: client.secret } : undefined;
    const id = client.id;
    target.onToken(value, server, {
      ...protocol.tokenEndpoint(endpoints),
      id,
      expiresAtMs,
      grant: withSecret ? undefined : grant,
    });
  }

  const renew: RenewToken = async (isRefused) => {
    const renewal = target.renewal() as Renewal | undefined;
    if (!renewal || (!isRefused && (renewal.expiresAtMs ?? Number.POSITIVE_INFINITY) > Date.now())) return false;
    group.open();
    const server = target.server();
    const secretGrant = withSecret?.server === server ? withSecret : undefined;
    const grant = renewal.grant ?? secretGrant?.grant;
    if (grant === undefined) {
      showStatus(say("tokenExpired"));
      return false;
    }
    const client = { id: renewal.id, secret: secretGrant?.secret ?? "", scope: "" };
    try {
      const token = await protocol.tokenFor(
        grant,
        client,
        renewal,
        protocol.createAsk(tools, new AbortController().signal),
      );
      const { refresh_token: refresh } = grant;
      const again = refresh === undefined ? grant : undefined;
      storeToken({ ...token, refresh: token.refresh ?? refresh }, server, client, renewal, again);
      showStatus(say("tokenRenewed"));
      return true;
    } catch (error) {
      showStatus(`${say("tokenExpired")} ${sayWith("signInFailed", errorMessage(error))}`);
      return false;
    }
  };

  const fail = (error: unknown): void => showStatus(sayWith("signInFailed", errorMessage(error)));

  /** Completes a sign-in that left the page. */
  async function resume(): Promise<void> {
    const stored = pendingSignIn() as StoredSignIn | null;
    const answer = recallInTab(answerName);
    if (stored === null || typeof answer !== "string" || stored.scheme !== target.scheme) return;
    rememberInTab(pendingName, null);
    rememberInTab(answerName, null);
    group.open();
    clientId.value = stored.id;
    showStatus(say("waiting"));
    try {
      const code = protocol.codeIn(answer, stored, stored);
      if (code === undefined) throw new Error("state");
      const ask = protocol.createAsk(tools, new AbortController().signal);
      const client = { id: stored.id, secret: "", scope: stored.scope };
      storeToken(await tokenOfCode(code, stored, client, stored, ask), stored.server, client, stored);
      showStatus(say("signedIn"));
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
    box("playground-memory", startButton),
    status,
    more,
  ]);
  group.element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement) || startButton.disabled) return;
    event.preventDefault();
    event.stopPropagation();
    void start();
  });
  showFlow();
  void resume();
  return {
    element: group.element,
    renew,
    /** Ends a sign-in that is running, and clears the client's secret. */
    forget(): void {
      running?.abort();
      withSecret = undefined;
      secret.value = "";
      rememberInTab(pendingName, null);
      showFlow();
    },
  };
}

/** Client credentials have no user, so `openid` is dropped from the scope. */
function clientCredentialsGrant(client: protocol.Client): Readonly<Record<string, string>> {
  const scope = client.scope.replace(/(?:^| )openid(?= |$)/, "").trim();
  return { grant_type: "client_credentials", ...(scope === "" ? {} : { scope }) };
}

/** The page of the bundle to which servers send readers back. */
const redirectAddress = (): string => new URL(`${bundleRoot()}offprint-sign-in.html`, document.baseURI).href;

const tokenOfCode = (
  code: string,
  { redirect, verifier, nonce }: protocol.Pending,
  client: protocol.Client,
  endpoints: protocol.TokenEndpoint,
  ask: ReturnType<typeof protocol.createAsk>,
): Promise<protocol.Token> => {
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
  return protocol.tokenFor(grant, client, endpoints, ask, nonce);
};

/** Waits for the code from the sign-in window. Answers with another state belong to other pages. */
function returnedCode(pending: protocol.Pending, endpoints: protocol.Endpoints, signal: AbortSignal): Promise<string> {
  const channel = new BroadcastChannel("offprint-sign-in");
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    channel.onmessage = ({ data }) => {
      try {
        const code = protocol.codeIn(String(data), pending, endpoints);
        if (code !== undefined) resolve(code);
      } catch (error) {
        reject(error);
      }
    };
  }).finally(() => channel.close());
}
