import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { manifestName } from "../../src/bundle/archive/index.js";
import type { Random } from "./seeded.js";

type Json = { [key: string]: unknown };

const specName = /(?:(?:openapi|asyncapi|api)[^/]*|(?:^|\/)specs\/[^/]*)\.(?:json|ya?ml)$/;

/** Names and values of settings that the body of a page does not show. */
const frameSettings = (count: number): [string, unknown][] => [
  ["navbar", { links: [{ label: `Link ${count}`, href: `/nowhere-${count % 5}`, icon: "rocket" }] }],
  ["footer", { socials: { github: `https://github.com/acme-${count}` } }],
  ["colors", { primary: `#0f76${String(10 + (count % 90))}` }],
  ["logo", count % 2 ? "/images/edit.svg" : undefined],
  ["favicon", count % 2 ? "/images/edit.svg" : undefined],
  ["fonts", { family: count % 2 ? "Inter" : "Georgia" }],
  ["background", { decoration: count % 2 ? "grid" : "gradient" }],
  ["appearance", { default: count % 2 ? "dark" : "light" }],
  ["errors", { 404: { redirect: false, title: `Gone ${count}` } }],
  ["interaction", { drilldown: count % 2 === 0 }],
  ["thumbnails", { background: "/images/edit.svg" }],
  ["metadata", { timestamp: count % 2 === 0 }],
];
/** Names and values of settings that the body of a page may show. */
const bodySettings = (count: number): [string, unknown][] => [
  ["description", `About ${count}`],
  ["icons", { library: count % 2 ? "lucide" : "fontawesome" }],
  [
    "api",
    { playground: { display: ["none", "simple", "interactive"][count % 3] }, baseUrl: `https://a${count}.example.com` },
  ],
  ["seo", { metatags: { "og:site_name": `S${count}` }, indexing: count % 2 ? "all" : "navigable" }],
  ["markdown", { schema: count % 2 === 0 }],
  ["styling", { eyebrows: count % 2 ? "section" : "breadcrumbs", latex: count % 3 === 0 }],
];
const frontmatter = (count: number, url: string): [string, string][] => [
  ["tag", `"T${count % 9}"`],
  ["boost", String(count % 4)],
  ["rss", "true"],
  ["deprecated", "true"],
  ["draft", count % 2 ? "true" : "false"],
  ["canonical", `https://example.com/${count}`],
  ["url", `https://example.com/${count}`],
  ["url", `"${url}"`],
  ["contextual", "{ options: [copy, claude] }"],
  ["openapi", '"GET /users"'],
  ["api", `"POST https://example.com/${count}"`],
  ["hidden", "true"],
  ["version", `"${count % 3}"`],
];

/** Changes a site in random ways, as its writers would: one change for each call, which it describes. */
export function createEditor(site: string, random: Random): () => string {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const count = () => Math.floor(random() * 1000);
  const list = (pattern: RegExp): string[] =>
    readdirSync(site, { recursive: true, encoding: "utf8" })
      .filter((path) => pattern.test(path) && !/node_modules|(?:^|\/)\.|^expected\//.test(path))
      .toSorted();
  const read = (path: string): string => readFileSync(join(site, path), "utf8");
  const write = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  };
  const pages = () => list(/\.mdx?$/).filter((path) => !/^_?snippets\//.test(path));
  const configName = existsSync(join(site, "docs.json")) ? "docs.json" : "mint.json";
  const urlOf = (path: string): string => `/${path.replace(/\.mdx?$/, "")}`;
  const changeConfig = (change: (config: Json) => void): void => {
    const config = JSON.parse(read(configName)) as Json;
    change(config);
    write(configName, JSON.stringify(config, null, 2));
  };
  const set = (name: string, value: unknown): void =>
    changeConfig((config) => {
      config[name] = value;
    });
  /** Every list of pages in the navigation. */
  const pageLists = (node: unknown, found: unknown[][] = []): unknown[][] => {
    if (Array.isArray(node)) for (const each of node) pageLists(each, found);
    else if (typeof node === "object" && node !== null)
      for (const [name, value] of Object.entries(node)) {
        if (name === "pages" && Array.isArray(value)) found.push(value);
        pageLists(value, found);
      }
    return found;
  };
  const inFrontmatter = (path: string, key: string, value: string): void => {
    const text = read(path);
    const line = `${key}: ${value}`;
    const has = new RegExp(`^${key}:.*$`, "m");
    if (!text.startsWith("---\n")) write(path, `---\n${line}\n---\n\n${text}`);
    else if (has.test(text.slice(0, 400)))
      write(
        path,
        text.replace(has, () => line),
      );
    else
      write(
        path,
        text.replace("---\n", () => `---\n${line}\n`),
      );
  };
  const keepingTime = (path: string, change: () => void): void => {
    const { atime, mtime } = statSync(join(site, path));
    change();
    utimesSync(join(site, path), atime, mtime);
  };
  /** Puts the navigation into one of several languages or versions, adds one, or takes one away. */
  const wrapNavigation = (list: string, name: string, value: string): void =>
    changeConfig((config) => {
      if (Array.isArray(config["navigation"])) return;
      const navigation = config["navigation"] as Json;
      write(`${value}/new.mdx`, `---\ntitle: In ${value}\n---\n\nText.\n`);
      const added = { [name]: value, pages: [`${value}/new`] };
      const parts = navigation[list] as Json[] | undefined;
      if (parts && parts.length > 1 && count() % 3 === 0) parts.pop();
      else if (parts) navigation[list] = [...parts.filter((part) => part[name] !== value), added];
      else if (!navigation["languages"] && !navigation["versions"])
        config["navigation"] = { [list]: [{ [name]: list === "languages" ? "en" : "first", ...navigation }, added] };
    });
  const svg = (size: number): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><path d="M0 0h${size}"/></svg>`;
  const earlier = new Map<string, string>();

  const edits: Readonly<Record<string, (page: string) => void>> = {
    text: (page) => write(page, `${read(page)}\n\nMore words, ${count()} of them.\n`),
    "heading with an anchor": (page) => write(page, `${read(page)}\n\n## Part ${count()}\n\nText.\n`),
    "a removed paragraph": (page) => {
      const parts = read(page).split("\n\n");
      if (parts.length > 3) parts.splice(2 + Math.floor(random() * (parts.length - 2)), 1);
      write(page, parts.join("\n\n"));
    },
    link: (page) => {
      const to = pick(pages())!;
      const target = pick([
        urlOf(to),
        `${urlOf(to)}#part-${count() % 20}`,
        urlOf(to).toUpperCase(),
        `/nowhere-${count() % 5}`,
      ]);
      write(page, `${read(page)}\n\nSee [this](${target}) and [](${urlOf(to)}).\n`);
    },
    title: (page) => inFrontmatter(page, "title", `"Title ${count()}"`),
    description: (page) => inFrontmatter(page, "description", `"About *${count()}* things"`),
    "sidebar title": (page) => inFrontmatter(page, "sidebarTitle", `"Short ${count()}"`),
    icon: (page) => inFrontmatter(page, "icon", pick(["rocket", "book", "/images/edit.svg", "no-such-icon"])!),
    "search settings": (page) =>
      inFrontmatter(page, pick(["noindex", "hidden", "searchable"])!, pick(["true", "false"])!),
    mode: (page) => inFrontmatter(page, "mode", pick(["wide", "custom", "center"])!),
    keywords: (page) => inFrontmatter(page, "keywords", `["word${count()}"]`),
    class: (page) => write(page, `${read(page)}\n\n<div className="mt-${count() % 9} flex">Styled.</div>\n`),
    code: (page) => write(page, `${read(page)}\n\n\`\`\`js\nconst a = ${count()};\n\`\`\`\n`),
    update: (page) => write(page, `${read(page)}\n\n<Update label="Version ${count()}">News.</Update>\n`),
    mistake: (page) => write(page, `${read(page)}\n\n<Unknown${count() % 3} />\n`),
    "broken page": (page) => write(page, `${read(page)}\n\n<Card>\n`),
    "new page": () => write(`new/page-${count()}.mdx`, `---\ntitle: New ${count()}\n---\n\n# New\n\nText.\n`),
    "new page with the name of a missing link": () => write(`nowhere-${count() % 5}.mdx`, "# Found\n\nText.\n"),
    "removed page": (page) => {
      if (pages().length > 3) rmSync(join(site, page));
    },
    "renamed page": (page) => renameSync(join(site, page), join(site, page.replace(/\.mdx?$/, `-${count()}.mdx`))),
    "moved page": (page) => {
      mkdirSync(join(site, "moved"), { recursive: true });
      renameSync(join(site, page), join(site, `moved/${count()}.mdx`));
    },
    "earlier text": (page) => {
      const text = earlier.get(page);
      earlier.set(page, read(page));
      if (text !== undefined) write(page, text);
    },
    snippet: () => {
      const snippet = pick(list(/^_?snippets\/.*\.mdx?$/));
      if (snippet) write(snippet, `${read(snippet)}\n\nIn a snippet: ${count()}, [link](${urlOf(pick(pages())!)}).\n`);
    },
    "used snippet": (page) => {
      write("snippets/edited.mdx", `Shared ${count()}. ![](/images/edit.svg)\n`);
      write(page, `${read(page)}\n\nimport Edited from "/snippets/edited.mdx";\n\n<Edited />\n`);
    },
    "value from a script": (page) => {
      write("snippets/values.js", `export const edited = ${count()};\n`);
      write(page, `${read(page)}\n\nimport { edited } from "/snippets/values.js";\n\nIt is {edited}.\n`);
    },
    "missing import": (page) =>
      write(page, `${read(page)}\n\nimport X from "/snippets/missing-${count() % 3}.mdx";\n\n<X />\n`),
    image: (page) => {
      write("images/edit.svg", svg(1 + count()));
      write(page, `${read(page)}\n\n![Picture](/images/edit.svg)\n`);
    },
    "changed image": () => write("images/edit.svg", svg(1 + count())),
    "removed image": () =>
      rmSync(join(site, pick(["images/edit.svg", ...list(/\.(?:png|svg|jpe?g)$/)])!), { force: true }),
    "removed snippet": () => rmSync(join(site, pick(list(/^_?snippets\/.*\.(?:mdx?|js)$/)) ?? "none"), { force: true }),
    specification: () => {
      const spec = pick(list(specName));
      if (spec)
        write(
          spec,
          read(spec).replace(/("?(?:summary|description|title)"?: *"?)(\w)/, (_, key, first) => `${key}${first}x`),
        );
    },
    "structure of a specification": () => {
      const spec = pick(list(specName));
      if (spec === undefined) return;
      const document = parse(read(spec)) as Json | null;
      const schemas = (document?.["components"] as Json | undefined)?.["schemas"] as Json | undefined;
      const paths = document?.["paths"] as Json | undefined;
      const change = pick([
        () => {
          const path = pick(Object.keys(paths ?? {}));
          if (path !== undefined && Object.keys(paths!).length > 1) delete paths![path];
        },
        () => {
          const responses = { 200: { description: `Answer ${count()}` } };
          if (paths) paths[`/edited/${count() % 5}`] = { get: { summary: `Edited ${count()}`, responses } };
        },
        () => {
          const schema = schemas?.[pick(Object.keys(schemas ?? {})) ?? ""] as Json | undefined;
          if (schema?.["properties"])
            (schema["properties"] as Json)[`edited${count() % 5}`] = { type: pick(["string", "integer"]) };
        },
        () => {
          const name = pick(Object.keys(schemas ?? {}));
          if (name !== undefined) schemas![name] = { type: "string", description: `Edited ${count()}` };
        },
      ]);
      change!();
      write(spec, spec.endsWith(".json") ? JSON.stringify(document, null, 2) : stringify(document));
    },
    "style sheet": () => write("edited.css", `.edited { color: #${String(count()).padStart(3, "0")} }\n`),
    "file that is no page": () => write(`files/${count() % 20}.txt`, `${count()}\n`),
    "rule that ignores files": () => write(".mintignore", pick(["", "new\n", "moved\n", "files\n"])!),
    "order of the navigation": () => changeConfig((config) => void pick(pageLists(config))?.reverse()),
    "page left out of the navigation": () =>
      changeConfig((config) => {
        const pagesThere = pick(pageLists(config).filter((each) => each.length > 1));
        pagesThere?.splice(Math.floor(random() * pagesThere.length), 1);
      }),
    "page put into the navigation": (page) =>
      changeConfig((config) => void pick(pageLists(config))?.push(page.replace(/\.mdx?$/, ""))),
    "group in the navigation": (page) =>
      changeConfig((config) => {
        const group = { group: `Group ${count()}`, tag: "NEW", pages: [page.replace(/\.mdx?$/, "")] };
        pick(pageLists(config))?.push(group);
      }),
    variable: () => set("variables", { edited: String(count()) }),
    "used variable": (page) => write(page, `${read(page)}\n\nIt says {{edited}}.\n`),
    "name of the site": () => set("name", `Site ${count() % 4}`),
    theme: () => set("theme", pick(["mint", "maple", "almond", "aspen"])),
    banner: (page) => set("banner", { content: `News [${count()}](${urlOf(page)})` }),
    "setting of code": () => set("styling", { codeblocks: pick(["dark", "system"]) }),
    "menu of pages": () => set("contextual", pick([undefined, { options: ["copy", "view"] }])),
    redirect: (page) =>
      changeConfig((config) => {
        const { redirects: old } = config;
        // They may be in a file of their own.
        const redirects: unknown[] = Array.isArray(old) ? old : [];
        config["redirects"] = [...redirects, { source: `/nowhere-${count() % 5}`, destination: urlOf(page) }];
      }),
    "setting of the frame": () => set(...pick(frameSettings(count()))!),
    "setting that every body has": () => set(...pick(bodySettings(count()))!),
    "grammar of the site": () => {
      const name = `edited${count() % 3}`;
      const patterns = [{ match: `\\b(?:key${count() % 5}|const)\\b`, name: "keyword.control" }];
      write("grammars/edited.json", JSON.stringify({ name, scopeName: "source.edited", patterns }));
      set("styling", { codeblocks: { theme: "github-dark", languages: { custom: ["/grammars/edited.json"] } } });
    },
    "code in a language of the site": (page) =>
      write(page, `${read(page)}\n\n\`\`\`edited${count() % 3}\nconst key${count() % 5} = 1;\n\`\`\`\n`),
    language: () => wrapNavigation("languages", "language", pick(["fr", "de", "es"])!),
    version: () => wrapNavigation("versions", "version", `v${count() % 4}`),
    "other front matter": (page) => inFrontmatter(page, ...pick(frontmatter(count(), urlOf(pick(pages())!)))!),
    "live component": (page) =>
      write(page, `${read(page)}\n\nexport const Live${count()} = () => <b onClick={() => alert(1)}>{1 + 1}</b>;\n`),
    "shown live component": (page) => {
      const name = `Live${count() % 9}`;
      const code = `export const ${name} = () => {\n  const [n, set] = useState(${count()});\n`;
      write(
        page,
        `${read(page)}\n\n${code}  return <button onClick={() => set(n + 1)}>{n}</button>;\n};\n\n<${name} />\n`,
      );
    },
    "live component of a file": (page) => {
      const code = `  const [n, set] = useState(${count()});\n  return <button onClick={() => set(n + 1)}>{n}</button>;`;
      write("snippets/edited.jsx", `export const Edited = () => {\n${code}\n};\n`);
      const shown = 'import { Edited } from "/snippets/edited.jsx";\n\n<Edited />';
      if (!read(page).includes(shown)) write(page, `${read(page)}\n\n${shown}\n`);
    },
    "another file for the address of a page": (page) => {
      const name = page.replace(/\.mdx?$/, "");
      write(pick([`${name}/index.mdx`, `${name}.md`, `${name}.html`, `${name}/index.html`])!, `# Shadow ${count()}\n`);
    },
    "letters of a name": (page) => {
      const at = page.lastIndexOf("/") + 1;
      const name = page.slice(at);
      const other = name[0] === name[0]!.toUpperCase() ? name[0]!.toLowerCase() : name[0]!.toUpperCase();
      renameSync(join(site, page), join(site, `${page.slice(0, at)}${other}${name.slice(1)}`));
    },
    "folder of pages": () => {
      const folder = pick(pages().filter((path) => path.includes("/")))?.split("/")[0];
      if (folder && folder !== "snippets") renameSync(join(site, folder), join(site, `${folder}-${count() % 9}`));
    },
    "image with its old time": () => {
      const image = pick(list(/\.(?:png|jpe?g|svg|gif|webp)$/));
      if (!image) return;
      const bytes = readFileSync(join(site, image));
      bytes[bytes.length - 1 - (count() % 8)]! ^= 1;
      keepingTime(image, () => write(image, bytes));
    },
    "text with its old time": (page) =>
      keepingTime(page, () =>
        write(
          page,
          read(page).replace(/(\n[A-Z][a-z]+) ([a-z])/, (_, first, next) => `${first} ${next === "z" ? "y" : "z"}`),
        ),
      ),
    "image of another size": () => {
      const image = pick(list(/\.svg$/));
      if (image) write(image, svg(1 + count()));
    },
    "date of a file": (page) => utimesSync(join(site, page), new Date(), new Date(Date.now() - count() * 1000)),
  };
  return () => {
    const page = pick(pages())!;
    const name = pick(Object.keys(edits))!;
    if (!earlier.has(page)) earlier.set(page, read(page));
    edits[name]!(page);
    return `${name} (${page})`;
  };
}

/** A copy of a site that may be changed, without the bundle that a fixture comes out as. */
export function copySite(from: string, to: string): string {
  cpSync(from, to, { recursive: true, dereference: true, filter: (path) => path !== join(from, "expected") });
  return to;
}

/** Leaves only so many pages of a site, and of its navigation. Other files stay. */
export function cutSite(site: string, pageCount: number, random: Random): void {
  const pages = readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.mdx?$/.test(path) && !/^_?snippets\/|node_modules|(?:^|\/)\./.test(path))
    .toSorted();
  if (pages.length <= pageCount) return;
  const shuffled = pages.map((path) => ({ path, at: random() })).toSorted((a, b) => a.at - b.at);
  const left = shuffled.slice(pageCount).map(({ path }) => path);
  for (const path of left) rmSync(join(site, path));
  const removed = new Set(left.map((path) => path.replace(/\.mdx?$/, "")));
  const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  const without = (node: unknown): unknown => {
    if (Array.isArray(node))
      return node
        .filter((each) => !removed.has(String(each).replace(/^\//, "")))
        .map(without)
        .filter((each) => each !== undefined);
    if (typeof node !== "object" || node === null) return node;
    const kept = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, without(value)]));
    const lists = Object.values(kept).filter((value) => typeof value === "object" && value !== null);
    return lists.length > 0 && lists.every(isEmpty) && !("openapi" in kept || "asyncapi" in kept) ? undefined : kept;
  };
  for (const name of readdirSync(site).filter((each) => each.endsWith(".json"))) {
    const config = JSON.parse(readFileSync(join(site, name), "utf8")) as Json;
    if (!config["navigation"]) continue;
    writeFileSync(
      join(site, name),
      JSON.stringify({ ...config, navigation: without(config["navigation"]) }, undefined, 2),
    );
  }
}

/** Changes something in the output of an export, as somebody else could; gives a description. */
export function changeOutput(output: string, random: Random): string {
  const paths = readdirSync(output, { recursive: true, encoding: "utf8" }).toSorted();
  const path = paths[Math.floor(random() * paths.length)]!;
  const place = join(output, path);
  const elsewhere = join(dirname(output), `elsewhere-${Math.floor(random() * 1e9)}`);
  const changes: Readonly<Record<string, () => void>> = {
    "removed from the output": () => rmSync(place, { recursive: true }),
    "replaced by a link in the output": () => {
      renameSync(place, elsewhere);
      symlinkSync(elsewhere, place);
    },
    "renamed in the output": () => renameSync(place, `${place}-2`),
    "joined by a folder in the output": () => mkdirSync(`${place}-folder/empty`, { recursive: true }),
  };
  const names = Object.keys(changes);
  const name = names[Math.floor(random() * names.length)]!;
  // Without its manifest it would be a folder of somebody else.
  if (path === manifestName) return "nothing";
  changes[name]!();
  return `${path} ${name}`;
}
