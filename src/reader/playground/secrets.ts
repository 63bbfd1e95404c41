import { recall, recallInTab, recallJson, remember, rememberInTab } from "../storage.js";

export const secretNames = /auth|token|secret|passw|cookie|api[-_ ]?key|credential|session/i;

/** What is shown in the place of a secret. */
export const maskText = "••••••••";

/** Whether it may be a credential, wherever it is written. */
export const mayBeSecret = (name: string): boolean => secretNames.test(name);

const name = "playground-credentials";
const choiceName = "playground-remember";

/** In the storage of the tab. */
const tokensName = "playground-tokens";

/**
 * Credentials that the reader has typed, by the resolved address of the server that they are for, so that they are
 * never sent to another one. Unless the reader refuses, the browser keeps them for other pages.
 */
export function createCredentialStore() {
  const typed = new Map<string, Map<string, string>>();
  const tokens = new Map((recallInTab(tokensName) ?? []) as [string, unknown][]);
  const read = (): Record<string, Record<string, string>> => {
    const all = recallJson(name);
    return typeof all === "object" && all !== null ? (all as Record<string, Record<string, string>>) : {};
  };
  const write = (all: Record<string, Record<string, string>>): void => remember(name, JSON.stringify(all));
  let kept = recall(choiceName) !== "no";
  const store = (server: string, scheme: string, value: string): void => {
    const all = read();
    const own = { ...(Object.hasOwn(all, server) ? all[server] : {}) };
    if (value === "") delete own[scheme];
    else own[scheme] = value;
    write({ ...all, [server]: own });
  };
  const get = (server: string, scheme: string): string | undefined => {
    const all = read();
    const kept = Object.hasOwn(all, server) && Object.hasOwn(all[server]!, scheme) ? all[server]![scheme] : undefined;
    const value = typed.get(server)?.get(scheme) ?? tokens.get(keyOf(server, scheme)) ?? kept;
    return typeof value === "string" ? value : undefined;
  };
  return {
    isKept: () => kept,
    keep(isKept: boolean): void {
      kept = isKept;
      remember(choiceName, isKept ? "yes" : "no");
      if (!isKept) write({});
      else for (const [server, values] of typed) for (const [scheme, value] of values) store(server, scheme, value);
    },
    get,
    set(server: string, scheme: string, value: string): void {
      typed.set(server, new Map(typed.get(server)).set(scheme, value));
      if (kept) store(server, scheme, value);
    },
    /** Keeps a token that a server issued, as long as the tab is open. */
    setToken(server: string, scheme: string, token: string, renewal: unknown): void {
      typed.get(server)?.delete(scheme);
      tokens.set(keyOf(server, scheme), token);
      tokens.set(keyOf(server, scheme, token), renewal);
      rememberInTab(tokensName, [...tokens]);
    },
    /** What was kept with the token; undefined if the reader has typed another one. */
    renewal: (server: string, scheme: string): unknown => tokens.get(keyOf(server, scheme, get(server, scheme))),
    /** Removes the credentials of all servers. */
    forget(): void {
      typed.clear();
      tokens.clear();
      rememberInTab(tokensName, [...tokens]);
      write({});
    },
  };
}

const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);
