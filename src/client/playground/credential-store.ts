import { recall, recallJson, remember } from "../memory.js";

const name = "playground-credentials";
const choiceName = "playground-remember";
/** In the storage of the tab. */
const tokensName = "offprint-playground-tokens";

/**
 * Credentials that the reader has typed, by the resolved address of the server that they are for, so that they are
 * never sent to another one. Unless the reader refuses, the browser keeps them for other pages.
 */
export function createCredentialStore() {
  const typed = new Map<string, Map<string, string>>();
  const tokens = new Map<string, string>(tokensOfTab());
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
  return {
    isKept: () => kept,
    keep(isKept: boolean): void {
      kept = isKept;
      remember(choiceName, isKept ? "yes" : "no");
      if (!isKept) write({});
      else for (const [server, values] of typed) for (const [scheme, value] of values) store(server, scheme, value);
    },
    get(server: string, scheme: string): string | undefined {
      const here = typed.get(server)?.get(scheme);
      if (here !== undefined) return here;
      const token = tokens.get(keyOf(server, scheme));
      if (token !== undefined) return token;
      const all = read();
      const value =
        Object.hasOwn(all, server) && Object.hasOwn(all[server]!, scheme) ? all[server]![scheme] : undefined;
      return typeof value === "string" ? value : undefined;
    },
    set(server: string, scheme: string, value: string): void {
      typed.set(server, new Map(typed.get(server)).set(scheme, value));
      if (kept) store(server, scheme, value);
    },
    /** Keeps a token that a server issued, as long as the tab is open. */
    setToken(server: string, scheme: string, token: string): void {
      typed.get(server)?.delete(scheme);
      tokens.set(keyOf(server, scheme), token);
      rememberInTab(tokens);
    },
    /** Removes the credentials of all servers. */
    forget(): void {
      typed.clear();
      tokens.clear();
      rememberInTab(tokens);
      write({});
    },
  };
}

const keyOf = (server: string, scheme: string): string => JSON.stringify([server, scheme]);

function tokensOfTab(): [string, string][] {
  try {
    return JSON.parse(sessionStorage.getItem(tokensName) ?? "[]") as [string, string][];
  } catch {
    return [];
  }
}

function rememberInTab(tokens: ReadonlyMap<string, string>): void {
  try {
    sessionStorage.setItem(tokensName, JSON.stringify([...tokens]));
  } catch {
    // Without storage a token lasts as long as the page.
  }
}
