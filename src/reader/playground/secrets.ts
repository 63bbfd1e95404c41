import { recall, recallInTab, recallJson, remember, rememberInTab } from "../storage.js";

export const secretNames = /auth|token|secret|passw|cookie|api[-_ ]?key|credential|session/i;

/** Shown in place of a secret. */
export const maskText = "••••••••";

/** Whether a name, or a text with such a name, may belong to a credential. */
export const mayBeSecret = (name: string): boolean => secretNames.test(name);

const storageName = "playground-credentials";
const choiceName = "playground-remember";

/** In the tab's storage. */
const tokensName = "playground-tokens";

/**
 * The reader's credentials by the resolved address of their server, so that they are never sent to another one. The browser
 * stores them for other pages unless the reader declines.
 */
export function createCredentialStore() {
  const typed = new Map<string, Map<string, string>>();
  const tokens = new Map((recallInTab(tokensName) ?? []) as [string, unknown][]);
  const read = (): Record<string, Record<string, string>> => {
    const all = recallJson(storageName);
    return typeof all === "object" && all !== null ? (all as Record<string, Record<string, string>>) : {};
  };
  const write = (all: Record<string, Record<string, string>>): void => remember(storageName, JSON.stringify(all));
  let isPersistent = recall(choiceName) !== "no";
  const store = (server: string, scheme: string, value: string): void => {
    const all = read();
    const values = { ...(Object.hasOwn(all, server) ? all[server] : {}) };
    if (value === "") delete values[scheme];
    else values[scheme] = value;
    write({ ...all, [server]: values });
  };
  const get = (server: string, scheme: string): string | undefined => {
    const all = read();
    const stored = Object.hasOwn(all, server) && Object.hasOwn(all[server]!, scheme) ? all[server]![scheme] : undefined;
    const value = typed.get(server)?.get(scheme) ?? tokens.get(tokenKey(server, scheme)) ?? stored;
    return typeof value === "string" ? value : undefined;
  };
  return {
    isPersistent: () => isPersistent,
    setPersistent(value: boolean): void {
      isPersistent = value;
      remember(choiceName, value ? "yes" : "no");
      if (!value) write({});
      else for (const [server, values] of typed) for (const [scheme, value] of values) store(server, scheme, value);
    },
    get,
    set(server: string, scheme: string, value: string): void {
      typed.set(server, new Map(typed.get(server)).set(scheme, value));
      if (isPersistent) store(server, scheme, value);
    },
    /** Stores an issued token until the tab closes. */
    setToken(server: string, scheme: string, token: string, renewal: unknown): void {
      typed.get(server)?.delete(scheme);
      tokens.set(tokenKey(server, scheme), token);
      tokens.set(tokenKey(server, scheme, token), renewal);
      rememberInTab(tokensName, [...tokens]);
    },
    /** The renewal stored with the token; undefined if the reader has typed another token. */
    renewal: (server: string, scheme: string): unknown => tokens.get(tokenKey(server, scheme, get(server, scheme))),
    /** Removes the credentials of all servers. */
    forget(): void {
      typed.clear();
      tokens.clear();
      rememberInTab(tokensName, [...tokens]);
      write({});
    },
  };
}

const tokenKey = (...parts: readonly unknown[]): string => JSON.stringify(parts);
