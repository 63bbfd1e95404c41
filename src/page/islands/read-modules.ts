import { createHash } from "node:crypto";
import type { Cache } from "../../lib/cache/index.js";
import { faultOf, parseSource, type SourceFault } from "./check-source.js";
import { type CompiledModule, compilerVersion, type ModuleSource } from "./compile-module.js";
import { type ModuleFacts, readFacts } from "./module-facts.js";
import type { ReadModule } from "./module-graph.js";

/** Compiles each source once, and takes from the cache what an earlier export has compiled. */
export function createModuleReader(
  compile: (sources: readonly ModuleSource[]) => Promise<readonly CompiledModule[]>,
  version: string,
  cache: Cache | undefined,
) {
  const known = new WeakMap<ModuleSource, ReadModule | Promise<ReadModule>>();

  const finish = async (
    compiled: CompiledModule | undefined,
    source: ModuleSource,
    key: string,
  ): Promise<ReadModule> => {
    if (!compiled) throw new Error("The compiler has given too few modules.");
    if ("fault" in compiled) return compiled;
    const { code } = compiled;
    let facts: ModuleFacts;
    try {
      facts = await readFacts(code);
    } catch (error) {
      return { fault: await faultIn(source, error) };
    }
    const read = { code, facts };
    cache?.put(key, Buffer.from(JSON.stringify(read)));
    return read;
  };

  return async (sources: readonly ModuleSource[]): Promise<ReadModule[]> => {
    const missing: ModuleSource[] = [];
    // Begins once all of them are known.
    const compiled = Promise.resolve().then(() => (missing.length === 0 ? [] : compile(missing)));
    const read = (source: ModuleSource): ReadModule | Promise<ReadModule> => {
      const extension = source.id.slice(source.id.lastIndexOf("."));
      const key = createHash("sha256")
        .update(`island module ${version} ${compilerVersion} ${extension}\n${source.text}`)
        .digest("hex");
      const cached = cache?.get(key);
      if (cached) return JSON.parse(Buffer.from(cached).toString("utf8")) as ReadModule;
      const index = missing.push(source) - 1;
      return compiled.then((all) => finish(all[index], source, key));
    };
    const results = sources.map((source) => {
      const result = known.get(source) ?? read(source);
      known.set(source, result);
      return result;
    });
    return Promise.all(results);
  };
}

/** What esbuild compiles may still be no JavaScript: it does not look into regular expressions. */
async function faultIn({ id, text }: ModuleSource, error: unknown): Promise<SourceFault> {
  const { kind, message } = faultOf(error);
  const parsed = /\.tsx?$/i.test(id) ? "" : await parseSource(text);
  return typeof parsed === "string" ? { kind, message } : parsed;
}
