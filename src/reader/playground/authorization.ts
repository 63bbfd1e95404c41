import type { FormCredential } from "../../reference/forms/playground-form.js";
import { create } from "../dom.js";
import { hasOwnStorage } from "../storage.js";
import type { SentCredential } from "./build-request.js";
import type { FormContext } from "./form/control.js";
import { indexSelect, textInput } from "./form/elements.js";
import { box, button, createField } from "./form/field.js";
import { say, sayWith } from "./messages.js";
import { credentialStore, maskText } from "./secrets.js";
import type { CreateSignIn, SignInTarget } from "./sign-in/main.js";
import { pendingSignIn, signInTools } from "./sign-in-tools.js";

interface CredentialField {
  readonly element: HTMLElement;
  /** The value to send, without the prefix; empty if nothing is typed. */
  value(): string;
  show(value: string): void;
}

/**
 * @param ways alternatives; each lists the credentials that it needs.
 * @param address the chosen server; only it receives the credentials typed for it.
 * @param isSocket whether they are sent with a WebSocket.
 */
export function createAuthorization(
  form: FormContext,
  ways: readonly (readonly FormCredential[])[],
  address: () => string,
  isSocket: boolean,
) {
  if (ways.length === 0) return undefined;
  const store = credentialStore();
  let server = address();
  const storedValue = ({ scheme, value = "" }: FormCredential): string => store.get(server, scheme) ?? value;
  const fields = new Map<string, { readonly credential: FormCredential; readonly field: CredentialField }>();
  const signIns = new Map<FormCredential, ReturnType<CreateSignIn>>();
  const fieldFor = (credential: FormCredential): CredentialField => {
    const key = `${credential.scheme} ${credential.name}`;
    const existing = fields.get(key)?.field;
    if (existing) return existing;
    const field = credentialField(form, credential, isSocket, (text) => store.set(server, credential.scheme, text));
    field.show(storedValue(credential));
    if (credential.signIn && window.offprintSignIn) {
      const target = signInTarget(credential, field);
      const signIn = window.offprintSignIn(signInTools, form, credential.signIn, target);
      field.element.append(signIn.element);
      signIns.set(credential, signIn);
    }
    fields.set(key, { credential, field });
    return field;
  };
  const signInTarget = ({ scheme, scopes = [] }: FormCredential, field: CredentialField): SignInTarget => ({
    scheme,
    scopes,
    server: address,
    renewal: () => store.renewal(address(), scheme),
    onToken(token, tokenServer, renewal) {
      store.setToken(tokenServer, scheme, token, renewal);
      if (tokenServer === address()) field.show(token);
      form.changed();
    },
  });
  // Start with an alternative for which a credential is stored or a sign-in is pending.
  const pending = pendingSignIn()?.scheme;
  const hasCredential = ({ scheme }: FormCredential): boolean =>
    scheme === pending || store.get(server, scheme) !== undefined;
  const preferred = [ways.findIndex((way) => way.some(hasCredential)), ways.findIndex((way) => way.length > 0)];
  let chosen = preferred.find((index) => index >= 0) ?? 0;
  const content = box("playground-items");
  const show = (): void => {
    const way = ways[chosen]!;
    content.replaceChildren(
      ...(way.length === 0
        ? [create("p", "playground-note", say("authNone"))]
        : way.map((credential) => fieldFor(credential).element)),
    );
  };
  show();

  const target = create("p", "playground-note");
  const showTarget = (): void => {
    target.hidden = server === "";
    target.textContent = server === "" ? "" : sayWith("onlyFor", server);
  };
  showTarget();
  /** Shows the credentials of the server that is chosen now. */
  const followServer = (): void => {
    if (server === address()) return;
    server = address();
    for (const { credential, field } of fields.values()) field.show(storedValue(credential));
    showTarget();
  };

  const credentialsWith = (convert: (value: string) => string): SentCredential[] => {
    followServer();
    return ways[chosen]!.flatMap((credential): SentCredential[] => {
      const { place, name, prefix } = credential;
      const value = fieldFor(credential).value();
      if (place === undefined || value === "") return [];
      return [{ place, name, value: place === "header" && prefix ? `${prefix} ${convert(value)}` : convert(value) }];
    });
  };

  return {
    elements: [
      ...(ways.length > 1
        ? [
            chooser(form, ways, chosen, (index) => {
              chosen = index;
              show();
              form.changed();
            }),
          ]
        : []),
      content,
      target,
      storageControls(),
    ],
    /** The credentials of the chosen alternative that are filled in. */
    credentials: () => credentialsWith((value) => value),
    /** Replaces expired tokens. Returns whether there is a new one. */
    async renew(isRefused: boolean): Promise<boolean> {
      const all = ways[chosen]!.flatMap((credential) => signIns.get(credential) ?? []);
      return (await Promise.all(all.map(({ renew }) => renew(isRefused)))).includes(true);
    },
    /** The same with masked secrets, for the screen. */
    maskedCredentials: () => credentialsWith(() => maskText),
  };

  /** The choice to keep the credentials, unless the page was opened from disk, and the button that deletes them. */
  function storageControls(): HTMLElement {
    const id = form.id();
    const checkbox = create("input", { type: "checkbox", id });
    checkbox.addEventListener("change", () => store.setKept(checkbox.checked));
    const status = create("span", { class: "playground-note", role: "status" });
    const forget = button("playground-quiet", say("forget"), () => {
      store.forget();
      for (const { forget } of signIns.values()) forget();
      status.textContent = say("forgotten");
      form.changed();
    });
    const update = (): void => {
      checkbox.checked = store.isKept();
      for (const { credential, field } of fields.values()) field.show(storedValue(credential));
    };
    checkbox.checked = store.isKept();
    store.onChange(update);
    const choice = hasOwnStorage()
      ? [checkbox, create("label", { for: id }, say("remember"))]
      : [create("p", "playground-note", say("onlyInMemory"))];
    return box("playground-memory", ...choice, forget, status);
  }
}

function chooser(
  form: FormContext,
  ways: readonly (readonly FormCredential[])[],
  chosen: number,
  onChoose: (index: number) => void,
): HTMLElement {
  const titles = ways.map((way) => way.map(({ scheme }) => scheme).join(" + ") || say("authNone"));
  const attributes = { id: form.id(), class: "playground-choice", "aria-label": say("authorizations") };
  return indexSelect(attributes, titles, chosen, onChoose);
}

function credentialField(
  form: FormContext,
  credential: FormCredential,
  isSocket: boolean,
  onType: (text: string) => void,
): CredentialField {
  const { kind, name, place, prefix, description, scheme } = credential;
  const about = [
    description,
    place === "cookie" ? say("cookieNote") : undefined,
    place === "header" && isSocket ? say("protocolNote") : undefined,
  ];
  const note = about.filter((text) => text !== undefined).join(" ");
  if (kind === "certificate" || kind === "other" || place === undefined) {
    const text = [description, kind === "certificate" ? say("certificateNote") : undefined].filter(Boolean).join(" ");
    const head = box("playground-field-head", create("span", "playground-name", scheme));
    const element = box("playground-field", head, create("p", "playground-note", text));
    return { element, value: () => "", show: () => {} };
  }
  const [input, second] =
    kind === "basic"
      ? [secretInput(say("username"), "text"), secretInput(say("password"))]
      : [secretInput(prefix === undefined ? "" : `${prefix} …`)];
  const facts = { name, required: false, depth: 0, ...(note === "" ? {} : { description: note }) };
  const field = createField(form, facts, prefix ?? "", input, ...(second ? [second] : []));
  second?.setAttribute("aria-label", say("password"));
  for (const text of scopesAndLinks(credential)) field.element.append(text);
  const typed = (): string => (second ? `${input.value}:${second.value}` : input.value.trim());
  const value = (): string => {
    if (second) return typed() === ":" ? "" : base64(typed());
    // Readers may paste the whole header value.
    const text = typed();
    return prefix && text.toLowerCase().startsWith(`${prefix.toLowerCase()} `)
      ? text.slice(prefix.length + 1).trim()
      : text;
  };
  for (const field of [input, ...(second ? [second] : [])])
    field.addEventListener("input", () => {
      onType(second && typed() === ":" ? "" : typed());
      form.changed();
    });
  return {
    element: field.element,
    value,
    show(text) {
      const at = text.indexOf(":");
      input.value = second && at >= 0 ? text.slice(0, at) : text;
      if (second) second.value = at >= 0 ? text.slice(at + 1) : "";
    },
  };
}

/** An input that hides what is typed, and for which browsers offer no saved passwords. */
const secretInput = (label: string, type = "password"): HTMLInputElement =>
  textInput({ type, placeholder: label, dir: "ltr", autocapitalize: "none" });

function scopesAndLinks({ scopes = [], addresses = [] }: FormCredential): HTMLElement[] {
  const lines: HTMLElement[] = [];
  if (scopes.length > 0) {
    const codes = scopes.map((scope) => create("code", {}, scope));
    lines.push(create("p", "playground-note playground-scopes", `${say("scopes")}: `, ...codes));
  }
  for (const address of addresses) {
    const [before = "", after = ""] = say("getToken").split("%");
    const link = create("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address);
    lines.push(create("p", "playground-note", before, link, after));
  }
  return lines;
}

/** Base64 of the text's UTF-8 bytes. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
