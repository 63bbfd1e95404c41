import { recall, recallJson, remember } from "../memory.js";

const name = "playground-credentials";
const choiceName = "playground-remember";

/**
 * Credentials that the reader stores in this browser, for all pages of an API. The key is the address of the API and
 * not its name, so that they are never sent to another API. @param api address of the API's first server.
 */
export function createCredentialStore(api: string) {
  const read = (): Record<string, Record<string, string>> => {
    const all = recallJson(name);
    return typeof all === "object" && all !== null ? (all as Record<string, Record<string, string>>) : {};
  };
  const write = (all: Record<string, Record<string, string>>): void => remember(name, JSON.stringify(all));
  let kept = recall(choiceName) !== "no";
  return {
    isKept: () => kept,
    keep(isKept: boolean): void {
      kept = isKept;
      remember(choiceName, isKept ? "yes" : "no");
      if (!isKept) write({});
    },
    get(scheme: string): string | undefined {
      const all = read();
      const value = Object.hasOwn(all, api) && Object.hasOwn(all[api]!, scheme) ? all[api]![scheme] : undefined;
      return typeof value === "string" ? value : undefined;
    },
    set(scheme: string, value: string): void {
      if (!kept) return;
      const all = read();
      const own = { ...(Object.hasOwn(all, api) ? all[api] : {}) };
      if (value === "") delete own[scheme];
      else own[scheme] = value;
      write({ ...all, [api]: own });
    },
    /** Removes the credentials of all APIs. */
    forget: () => write({}),
  };
}
