import { resolveImport } from "../../site/links/index.js";
import type { ModuleSource } from "./compile-module.js";

export interface SiteModulesOptions {
  /** Text of a file of the site. */
  readonly readModule: (id: string) => string | undefined;
  readonly has: (id: string) => boolean;
}

/** The files of a site as modules. Each is read once, however many pages import it. */
export interface SiteModules {
  /** Undefined for Markdown and for what cannot be read. */
  source(id: string): ModuleSource | undefined;
  resolve(path: string, importer: string): ReturnType<typeof resolveImport>;
}

export function createSiteModules({ readModule, has }: SiteModulesOptions): SiteModules {
  const sources = new Map<string, ModuleSource | undefined>();
  const targets = new Map<string, ReturnType<typeof resolveImport>>();
  return {
    source(id) {
      if (!sources.has(id)) {
        const text = textOf(id, readModule);
        sources.set(id, text === undefined ? undefined : { id, text });
      }
      return sources.get(id);
    },
    resolve(path, importer) {
      const key = `${importer.slice(0, importer.lastIndexOf("/") + 1)}\n${path}`;
      const target = targets.get(key) ?? resolveImport(path, importer, has);
      targets.set(key, target);
      return target;
    },
  };
}

const isCode = /\.(?:jsx?|mjs|tsx?|json)$/i;

/** Data is a module, too: its default export is the value, or the address of a file that is no text. */
function textOf(id: string, readModule: (id: string) => string | undefined): string | undefined {
  if (/\.mdx?$/i.test(id)) return undefined;
  if (!isCode.test(id)) return `export default ${JSON.stringify(`/${id}`)};`;
  const text = readModule(id);
  return text !== undefined && /\.json$/i.test(id) ? `export default (${text});` : text;
}
