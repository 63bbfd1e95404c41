import assert from "node:assert/strict";
import type { Cache } from "../../../src/lib/cache/index.js";
import type { IslandAnswer, IslandRenderer, IslandReply, IslandRequest } from "../../../src/page/islands/island.js";
import { createIslandRenderer } from "../../../src/page/islands/island-renderer.js";
import type { IslandWorker } from "../../../src/page/islands/worker-process.js";

export interface SiteOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly worker?: IslandWorker;
  readonly cache?: Cache;
  readonly version?: string;
}

export const page = "guides/page.mdx";

/** A renderer for a site with these files. */
export const rendererOf = ({ files = {}, version = "test", ...rest }: SiteOptions = {}): IslandRenderer =>
  createIslandRenderer({
    version,
    readModule: (id) => (Object.hasOwn(files, id) ? files[id] : undefined),
    has: (id) => Object.hasOwn(files, id),
    resolveLink: (literal) => (literal === "/quickstart" ? "quickstart.html" : undefined),
    icon: (name) => (name === "check" ? '<svg viewBox="0 0 1 1"></svg>' : undefined),
    ...rest,
  });

/** A page with an island for each of these expressions, after some code. */
export const requestOf = (roots: readonly string[], code = ""): IslandRequest => ({
  pageModules: {
    [page]: [code, ...roots.map((root, i) => `export const __i${i} = () => (${root});`)].join("\n"),
  },
  roots: roots.map((_, i) => ({ module: page, name: `__i${i}` })),
});

export const renderOne = async (renderer: IslandRenderer, root: string, code = ""): Promise<IslandAnswer> =>
  (await renderer.render(requestOf([root], code))).answers[0]!;

export async function htmlOf(renderer: IslandRenderer, root: string, code = ""): Promise<string> {
  const answer = await renderOne(renderer, root, code);
  assert.ok("html" in answer, JSON.stringify(answer));
  return answer.html;
}

/** The answer to an island, in a word. */
export const kindOf = (answer: IslandAnswer | undefined): string => {
  assert.ok(answer);
  if ("failed" in answer) return answer.failed;
  if ("clientOnly" in answer) return "client only";
  return answer.live ? "live" : "static";
};

export const faultsOf = ({ faults }: IslandReply): string[] =>
  faults.map(
    ({ code, module, line, column, what }) =>
      `${code} ${module}${line === undefined ? "" : `:${line}:${column}`} ${what}`,
  );
