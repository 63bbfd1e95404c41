import { hasOwnStorage, recall, recallInTab, recallJson, remember, rememberInTab } from "../storage.js";

export const secretNames = /auth|token|secret|passw|cookie|api[-_ ]?key|credential|session/i;

/** Shown in place of a secret. */
export const maskText = "••••••••";

/** Whether a name, or a text with such a name, may belong to a credential. */
export const mayBeSecret = (name: string): boolean => secretNames.test(name);

/** Name in the browser's storage of typed credentials by their key. It exists only while the reader chooses to keep them. */
const keptName = "playground-kept";
/** Name in the tab's storage of issued tokens with their renewals by their key, for readers who have made that choice. */
const issuedName = "playground-issued";

type Issued = readonly [token: string, renewal: unknown];

/**
 * The reader's credentials by the resolved address of their server, so that they are never sent to another one. They are kept
 * in memory. The browser stores them for other pages only while the reader chooses to keep them, and never for a page opened
 * from disk.
 */
function createCredentialStore() {
  const isKept = (): boolean => hasOwnStorage() && recall(keptName) !== null;
  const keptValues = (): [string, string][] => pairs(recallJson(keptName)).filter(isText);
  const issued = new Map<string, Issued>(isKept() ? pairs(recallInTab(issuedName)).filter(isIssued) : []);
  const values = new Map<string, string>([
    ...(isKept() ? keptValues() : []),
    ...[...issued].map(([key, [token]]) => [key, token] as const),
  ]);
  const listeners: (() => void)[] = [];
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  /** Other tabs may have stored more since this page was opened. */
  const keep = (typed: Iterable<readonly [string, string]>): void => {
    const all = new Map([...keptValues(), ...typed]);
    remember(keptName, JSON.stringify([...all].filter(([, value]) => value !== "")));
    rememberInTab(issuedName, [...issued]);
  };
  // Another tab has kept or deleted credentials.
  addEventListener("storage", changed);
  return {
    isKept,
    setKept(isChosen: boolean): void {
      if (isChosen) keep([...values].filter(([key, value]) => issued.get(key)?.[0] !== value));
      else removeKept();
      changed();
    },
    /** Calls back after credentials were deleted, or the choice to keep them has changed. */
    onChange: (listener: () => void): unknown => listeners.push(listener),
    get: (server: string, scheme: string): string | undefined => values.get(credentialKey(server, scheme)),
    set(server: string, scheme: string, value: string): void {
      const key = credentialKey(server, scheme);
      values.set(key, value);
      issued.delete(key);
      if (isKept()) keep([[key, value]]);
    },
    /** Stores an issued token, at most until the tab closes. */
    setToken(server: string, scheme: string, token: string, renewal: unknown): void {
      const key = credentialKey(server, scheme);
      values.set(key, token);
      issued.set(key, [token, renewal]);
      if (isKept()) keep([]);
    },
    /** The renewal stored with the token; undefined if the reader has typed another token. */
    renewal: (server: string, scheme: string): unknown => issued.get(credentialKey(server, scheme))?.[1],
    /** Deletes the credentials of all servers, and the choice to keep them. */
    forget(): void {
      values.clear();
      issued.clear();
      removeKept();
      changed();
    },
  };
}

let store: ReturnType<typeof createCredentialStore> | undefined;

/** Shared by all forms of the page. */
export const credentialStore = () => (store ??= createCredentialStore());

function removeKept(): void {
  remember(keptName, null);
  rememberInTab(issuedName, null);
}

const pairs = (list: unknown): [string, unknown][] =>
  Array.isArray(list) ? list.filter((pair) => Array.isArray(pair) && typeof pair[0] === "string") : [];
const isIssued = (pair: [string, unknown]): pair is [string, Issued] =>
  Array.isArray(pair[1]) && typeof pair[1][0] === "string";
const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === "string";

const credentialKey = (server: string, scheme: string): string => JSON.stringify([server, scheme]);
