import { resolveImport } from "../../site/links/index.js";
import type { ModuleSources } from "./module-environment.js";
import type { ContentModule, MarkdownModule } from "./modules.js";
import type { PageIslands } from "./page-content.js";
import type { PageState } from "./page-state.js";

/** The modules that the islands of a page are rendered from. The scripts that they import are not read here. */
export function islandSources({ islands, snippets }: PageState, { files, modules }: ModuleSources): PageIslands {
  const texts: Record<string, string> = {};
  const lines: Record<string, readonly number[]> = {};
  const seen = new Set<string>();
  const visit = (module: ContentModule): void => {
    if (seen.has(module.sourcePath)) return;
    seen.add(module.sourcePath);
    if (module.kind === "markdown") {
      const statements = statementsOf(module);
      texts[module.sourcePath] = statements.map(({ value }) => value).join("\n");
      lines[module.sourcePath] = statements.flatMap(linesOf);
    }
    for (const { from } of module.parts?.imports ?? []) {
      const resolved = resolveImport(from, module.sourcePath, (path) => files.has(path));
      if (resolved.kind !== "file" || !/\.(?:mdx?|[cm]?[jt]sx?)$/i.test(resolved.sourcePath)) continue;
      snippets.add(resolved.sourcePath);
      visit(modules.readShared(resolved.sourcePath));
    }
  };
  for (const { module } of islands) visit(module);
  const roots = islands.map(({ module: { sourcePath }, source }, index) => {
    const name = `__i${index}`;
    texts[sourcePath] += `\nexport const ${name} = () => ${source};`;
    return { module: sourcePath, name };
  });
  return { modules: texts, lines, roots };
}

const statementsOf = ({ parsed }: MarkdownModule) =>
  parsed.tree.children.flatMap((node) => (node.type === "mdxjsEsm" ? [node] : []));

const linesOf = ({ value, position }: ReturnType<typeof statementsOf>[number]): number[] =>
  value.split("\n").map((_, i) => (position?.start.line ?? 0) + i);
