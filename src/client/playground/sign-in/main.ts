/** Gets tokens for the playground. Loaded with it by pages whose requests need one from a server of OAuth. */
import type { FormSignIn } from "../../../page/reference/playground/playground-form.js";
import { bundleRoot } from "../../dom.js";
import type { FormContext } from "../control.js";
import type { SignInTools } from "../sign-in-tools.js";
import { keptName } from "./kept.js";
import {
  authorizationAddress,
  type Client,
  codeIn,
  createAsk,
  type Endpoints,
  findEndpoints,
  needed,
  newPending,
  type Pending,
  startDevice,
  tokenFor,
} from "./protocol.js";

/** What the token is for. */
export interface SignInTarget {
  /** Name of the scheme. */
  readonly scheme: string;
  /** Needed by the request. */
  readonly scopes: readonly string[];
  /** Resolved address of the chosen server. */
  server(): string;
  /** @param server the one that was chosen when the reader began. */
  onToken(token: string, server: string): void;
}
export type CreateSignIn = typeof createSignIn;

/** A sign-in in the tab of the page. The client's secret is never stored. */
interface Kept extends Pending, Pick<Endpoints, "tokenUrl" | "issuer" | "secretInBody"> {
  readonly scheme: string;
  readonly server: string;
  readonly id: string;
  readonly scope: string;
  readonly returnTo: string;
}
const answerName = "offprint-signed-in";

window.offprintSignIn = createSignIn;

/** The group below the field of a token. */
function createSignIn(tools: SignInTools, form: FormContext, signIn: FormSignIn, target: SignInTarget): HTMLElement {
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
  const clientId = input("text");
  const secret = input("password");
  const scope = input("text", [...(isOpenId ? ["openid"] : []), ...target.scopes].join(" "));
  const field = (name: string, element: HTMLElement, required = false) =>
    createField(form, { name, required, depth: 1 }, "", element);
  const clientField = field(say("clientId"), clientId, true);
  let chosen = 0;
  let running: AbortController | undefined;

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
    sessionStorage.removeItem(keptName);
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
      target.onToken(token, server);
      tell(say("signedIn"));
    } catch (error) {
      popup?.close();
      if (!own.signal.aborted) fail(error);
    }

    async function get(endpoints: Endpoints, ask: ReturnType<typeof createAsk>): Promise<string | undefined> {
      if (flow.kind === "clientCredentials") {
        const grant = { grant_type: "client_credentials", ...(client.scope === "" ? {} : { scope: client.scope }) };
        return tokenFor(grant, client, endpoints, ask);
      }
      if (flow.kind === "deviceAuthorization") {
        const { code, address, token } = await startDevice(client, endpoints, ask, own.signal);
        const link = create("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address);
        tell(sayWith("enterCode", code), create("p", { class: "playground-note" }, link), cancel);
        return token();
      }
      const pending = newPending(redirectAddress());
      const address = authorizationAddress(
        needed(endpoints.authorizationUrl, "authorization_endpoint"),
        client,
        pending,
      );
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
      const { tokenUrl, issuer, secretInBody } = endpoints;
      const { scheme } = target;
      const { id, scope } = client;
      const kept: Kept = {
        ...pending,
        tokenUrl,
        issuer,
        secretInBody,
        scheme,
        server,
        id,
        scope,
        returnTo: location.href,
      };
      sessionStorage.setItem(keptName, JSON.stringify(kept));
      location.assign(address);
      return undefined;
    }
  }

  const fail = (error: unknown): void =>
    tell(sayWith("signInFailed", error instanceof Error ? error.message : String(error)));

  /** Ends a sign-in that left the page. */
  async function resume(): Promise<void> {
    const kept = JSON.parse(sessionStorage.getItem(keptName) ?? "null") as Kept | null;
    const answer = sessionStorage.getItem(answerName);
    if (kept === null || answer === null || kept.scheme !== target.scheme) return;
    sessionStorage.removeItem(keptName);
    sessionStorage.removeItem(answerName);
    group.open();
    clientId.value = kept.id;
    tell(say("waiting"));
    try {
      const code = codeIn(answer, kept, kept);
      if (code === undefined) throw new Error("state");
      const ask = createAsk(tools, new AbortController().signal);
      const client = { id: kept.id, secret: "", scope: kept.scope };
      target.onToken(await tokenOfCode(code, kept, client, kept, ask), kept.server);
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
  return group.element;
}

/** The page of the bundle that servers send readers back to. */
const redirectAddress = (): string => new URL(`${bundleRoot()}offprint-sign-in.html`, document.baseURI).href;

const tokenOfCode = (
  code: string,
  { redirect, verifier, nonce }: Pending,
  client: Client,
  endpoints: Pick<Endpoints, "tokenUrl" | "secretInBody" | "issuer">,
  ask: ReturnType<typeof createAsk>,
): Promise<string> => {
  const grant = { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier };
  return tokenFor(grant, client, endpoints, ask, nonce);
};

/** Waits for the window. Answers with another state belong to other pages. */
function returnedCode(pending: Pending, endpoints: Endpoints, signal: AbortSignal): Promise<string> {
  const channel = new BroadcastChannel("offprint-sign-in");
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
    channel.onmessage = ({ data }) => {
      try {
        const code = codeIn(String(data), pending, endpoints);
        if (code !== undefined) resolve(code);
      } catch (error) {
        reject(error);
      }
    };
  }).finally(() => channel.close());
}
