/** Pages with live islands as an export writes them: HTML rendered from the modules, and their scripts. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { Fragment, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { __h, prepareElements } from "../../../src/page/islands/runtime/element.js";
import { providedNames } from "../../../src/page/islands/runtime/names.js";
import { createIsland, React, withIsland } from "../../../src/page/islands/runtime/react.js";
import { createRegistry, createTables, Transparent } from "../../../src/page/islands/runtime/registry.js";
import { createUi } from "../../../src/page/islands/runtime/ui.js";
import { Slot } from "../../../src/page/islands/sandbox/marks.js";

export interface IslandSource {
  /** A module with JSX, whose exports `__i0`, `__i1` … are the islands of the page, in their order. */
  readonly source: string;
  /** Modules that it imports, by path. */
  readonly modules?: Readonly<Record<string, string>>;
  /** `<inner/>` is the island of the export `inner`. */
  readonly slots?: Readonly<Record<number, string>>;
  /** Has no HTML: its code needs a browser. */
  readonly clientOnly?: boolean;
  readonly links?: Readonly<Record<string, string>>;
  readonly icons?: Readonly<Record<string, string>>;
  /** Changes the HTML, as parsers of tables do. */
  readonly repair?: (html: string) => string;
}

const client = fileURLToPath(new URL("../../../dist/client/", import.meta.url));
export const builtScript = (name: string): Buffer => readFileSync(join(client, name));

prepareElements();

/** Writes the pages, by path, and the scripts into a folder. */
export function writePages(folder: string, pages: Readonly<Record<string, IslandSource>>): void {
  const write = (path: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const ours = ["islands.js", "islands-ui.js"];
  for (const name of ours) write(`_offprint/${name}`, builtScript(name));
  for (const [path, page] of Object.entries(pages)) {
    const scripts = compile(page);
    for (const { id, text } of scripts) write(`_offprint/i/${id}.js`, text);
    const root = "../".repeat(path.split("/").length - 1);
    const sources = [...ours, ...scripts.map(({ id }) => `i/${id}.js`)];
    const tags = sources.map((source) => `<script defer src="${root}_offprint/${source}"></script>`).join("\n");
    write(
      path,
      `<!doctype html>\n<html lang="en" data-root="${root}"><head><meta charset="utf-8"><title>${path}</title>\n${tags}\n</head><body>\n${bodyOf(page, scripts)}\n</body></html>\n`,
    );
  }
}

interface Script {
  readonly id: string;
  readonly text: string;
}

/** Dependencies first. */
function compile({ source, modules = {}, links = {}, icons = {} }: IslandSource): Script[] {
  const ids: Record<string, string> = { react: "react", "react-dom": "react-dom" };
  return [...Object.entries(modules), ["page", source] as const].map(([path, jsx]) => {
    const { code } = transformSync(jsx, {
      loader: "jsx",
      format: "cjs",
      jsx: "transform",
      jsxFactory: "__h",
      jsxFragment: "__F",
      target: "es2022",
      minify: true,
    });
    const names = ["__h", "__F", "__Slot", ...providedNames].filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    const tables = [ids, links, icons].map((table) => JSON.stringify(table)).join(",");
    const rest = `${tables},({${names.join(",")}})=>(require,module,exports)=>{${code}});`;
    const id = createHash("sha256").update(rest).digest("hex").slice(0, 12);
    ids[path] = id;
    return { id, text: `offprintIslands.define("${id}",${rest}` };
  });
}

function bodyOf({ slots = {}, clientOnly, repair = (html) => html }: IslandSource, scripts: readonly Script[]): string {
  const names: Record<string, unknown> = { React, ...React, __h, __F: Fragment, __Slot: Slot };
  const provided = new Proxy(names, { get: (all, name) => all[name as string] ?? Transparent });
  const tables = createTables();
  Object.assign(names, createUi(tables));
  const registry = createRegistry(provided, tables);
  for (const { text } of scripts) new Function("offprintIslands", text)(registry);
  const { id } = scripts.at(-1)!;
  const roots = clientOnly ? ["__i0"] : Object.keys(registry.exportsOf(id)).filter((name) => /^__i\d/.test(name));
  const rendered = (root: string, name: string): string =>
    renderToString(withIsland(createIsland(name, 0), __h(registry.exportsOf(id)[root], null)) as VNode);
  const inSlot = (html: string): string =>
    html.replace("<inner/>", () => `<div data-island="${id}#inner">${rendered("inner", `${id}#inner`)}</div>`);
  return roots
    .map((root) => {
      const name = `${id}#${root}`;
      const shown = new Set<number>();
      const content = clientOnly ? '<p class="island-placeholder">Needs a script.</p>' : rendered(root, name);
      const html = repair(content)
        // As under a policy without inline styles.
        .replace(/(?: class="([^"]*)")? style="[^"]*"/g, ' class="$1 style-0123456789ab"')
        .replace(/<style[^>]*>[^<]*<\/style>/g, "<template data-style></template>")
        .replace(/(<x-slot data-n="(\d+)">)(<\/x-slot>)/g, (_, open: string, n: string, close: string) => {
          const isCopy = shown.has(Number(n));
          shown.add(Number(n));
          const inside = inSlot(slots[Number(n)] ?? "");
          return open + (isCopy ? inside.replace(/ id="[^"]*"/g, "") : inside) + close;
        });
      const hidden = Object.entries(slots).filter(([n]) => !shown.has(Number(n)));
      const templates = hidden.map(([n, inside]) => `<template data-slot="${n}">${inSlot(inside)}</template>`).join("");
      return `<div data-island="${name}"${clientOnly ? ' data-client-only="It failed."' : ""}>${html}</div>${templates}<p>Text after ${root}.</p>`;
    })
    .join("\n");
}
