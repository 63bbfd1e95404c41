import type { Input } from "../options.js";
import texts from "../options.json" with { type: "json" };

export type CacheArguments = { readonly action: "info"; readonly json: boolean } | { readonly action: "clear" };

export const cacheInfoOptions = texts.cacheInfo;
export const cacheClearOptions = {};

export const parseCacheInfo = ({ values }: Input<typeof cacheInfoOptions>): CacheArguments => ({
  action: "info",
  json: values.json ?? false,
});
export const parseCacheClear = (): CacheArguments => ({ action: "clear" });
