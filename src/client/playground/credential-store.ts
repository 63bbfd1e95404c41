import { recall, remember } from "../memory.js";

/**
 * Credentials that the reader wants kept in this browser, for all pages of an API. They are kept by the address of the
 * API and not by its name, so that those of one are never sent to another.
 */
export interface CredentialStore {
  /** Whether what is typed is kept. */
  isKept(): boolean;
  keep(wanted: boolean): void;
  get(scheme: string): string | undefined;
  set(scheme: string, value: string): void;
  /** Removes those of all APIs. */
  forget(): void;
}

const name = "playground-credentials";
const choiceName = "playground-remember";

/** @param api address of the API as its first server has it. */
export function createCredentialStore(api: string): CredentialStore {
  const read = (): Record<string, Record<string, string>> => {
    try {
      const all: unknown = JSON.parse(recall(name) ?? "{}");
      return typeof all === "object" && all !== null ? (all as Record<string, Record<string, string>>) : {};
    } catch {
      return {};
    }
  };
  const write = (all: Record<string, Record<string, string>>): void => remember(name, JSON.stringify(all));
  let kept = recall(choiceName) !== "no";
  return {
    isKept: () => kept,
    keep(wanted) {
      kept = wanted;
      remember(choiceName, wanted ? "yes" : "no");
      if (!wanted) write({});
    },
    get(scheme) {
      const all = read();
      const value = Object.hasOwn(all, api) && Object.hasOwn(all[api]!, scheme) ? all[api]![scheme] : undefined;
      return typeof value === "string" ? value : undefined;
    },
    set(scheme, value) {
      if (!kept) return;
      const all = read();
      const own = { ...(Object.hasOwn(all, api) ? all[api] : {}) };
      if (value === "") delete own[scheme];
      else own[scheme] = value;
      write({ ...all, [api]: own });
    },
    forget: () => write({}),
  };
}
