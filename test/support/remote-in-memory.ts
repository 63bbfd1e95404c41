import type { RemoteStore } from "../../src/lib/cache/index.js";

export type RemoteInMemory = ReturnType<typeof createRemoteInMemory>;

/** A store that machines share, with the requests to it. */
export function createRemoteInMemory(now: () => number = Date.now) {
  const objects = new Map<string, { readonly bytes: Buffer; readonly changedAt: number }>();
  const asked: string[] = [];
  const failures: unknown[] = [];
  const store: RemoteStore = {
    async list(under) {
      asked.push(`list ${under}`);
      return [...objects]
        .filter(([name]) => name.startsWith(under))
        .map(([name, { bytes, changedAt }]) => ({ name, bytes: bytes.length, changedAt }));
    },
    async get(name) {
      asked.push(`get ${name}`);
      return objects.get(name)?.bytes;
    },
    async put(name, bytes) {
      asked.push(`put ${name}`);
      objects.set(name, { bytes: Buffer.from(bytes), changedAt: now() });
    },
    async remove(name) {
      asked.push(`remove ${name}`);
      objects.delete(name);
    },
    onFailure: (error) => void failures.push(error),
  };
  const names = (ending: RegExp): string[] => [...objects.keys()].filter((name) => ending.test(name)).toSorted();
  return { store, objects, asked, failures, packs: () => names(/\.pack\.gz$/), indexes: () => names(/\/index-[^/]+$/) };
}
