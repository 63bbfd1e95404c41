import fc from "fast-check";
import { stringify } from "yaml";
import { changedJson, value } from "./json.js";
import { filePath, path } from "./names.js";
import { page } from "./pages.js";
import * as seeds from "./seeds.js";
import { changed, text } from "./texts.js";

/** A site with the options of its export. */
export interface FuzzSite {
  /** By path; a path that the file system cannot hold next to the others is left out. */
  readonly files: Readonly<Record<string, string>>;
  readonly baseUrl: string | undefined;
  readonly parser: "satteri" | "remark";
  /** It is exported a second time, with the cache of the first. */
  readonly again: boolean;
  /** With 0, the site is also exported by the command, in its own process with three threads. */
  readonly process: number;
}

const plainPage =
  '---\ntitle: Setup\n---\n\n## Install\n\nText with a [link](/guide#install).\n\n<Update label="v1">x</Update>\n';
const docs = (part: object): object => ({ theme: "mint", name: "Acme", colors: { primary: "#0a6c5b" }, ...part });

const options = {
  baseUrl: fc.constantFrom(undefined, "https://docs.example.com", "https://docs.example.com/a/b"),
  parser: fc.constantFrom("satteri" as const, "satteri" as const, "satteri" as const, "remark" as const),
  again: fc.boolean(),
  process: fc.nat(60),
};
const siteOf = (files: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<FuzzSite> =>
  fc.record({
    files: files.map((all) =>
      Object.fromEntries(
        Object.entries(all).map(([name, content]) => [name, typeof content === "string" ? content : printed(content)]),
      ),
    ),
    ...options,
  });

const printed = (content: unknown): string => JSON.stringify(content, null, 1) ?? "";

/** One or two pages of anything. */
const pages = siteOf(
  fc.record({ index: page, guide: fc.option(page, { nil: plainPage }) }).map(({ index, guide }) => ({
    "docs.json": docs({ navigation: { pages: ["index", "guide"] } }),
    "index.mdx": index,
    "guide.mdx": guide,
    "notes.md": index,
  })),
);

/** Any settings, with plain pages. */
const settings = siteOf(
  fc
    .record({
      json: fc.oneof(
        { weight: 4, arbitrary: changedJson(seeds.settings, 6) },
        {
          weight: 1,
          arbitrary: fc
            .dictionary(fc.constantFrom(...Object.keys(Object.assign({}, ...seeds.settings))), value)
            .map(docs),
        },
      ),
      broken: fc.option(fc.nat(2), { freq: 8, nil: 0 }),
      banner: fc.option(
        fc.oneof(text, fc.constantFrom("# Setup", "[x](#install) {1}", "<Card>\n\n## Install\n\n</Card>")),
        { nil: undefined },
      ),
    })
    .chain(({ json, broken, banner }) =>
      changed(
        fc.constant(
          printed(
            banner === undefined ? json : { ...(json as object), banner: { content: banner, dismissible: true } },
          ),
        ),
        broken,
      ),
    )
    .map((written) => ({ "docs.json": written, "index.mdx": plainPage, "guide.mdx": plainPage })),
);

/** Any specification. */
const specs = siteOf(
  fc
    .record({
      json: changedJson(seeds.specs, 6),
      where: fc.constantFrom("openapi", "asyncapi"),
      name: fc.constantFrom("spec.json", "spec.yaml"),
      broken: fc.option(fc.nat(2), { freq: 3, nil: 0 }),
    })
    .chain(({ json, where, name, broken }) =>
      changed(fc.constant(name === "spec.yaml" ? (stringify(json) ?? "") : printed(json)), broken).map((written) => ({
        "docs.json": docs({ navigation: { groups: [{ group: "API", [where]: name, pages: ["index"] }] } }),
        [name]: written,
        "index.mdx": plainPage,
      })),
    ),
);

/** Any names of files, navigation entries that lead to them, and redirects between them. */
const names = siteOf(
  fc
    .record({
      files: fc.array(filePath, { maxLength: 6 }),
      redirects: fc.array(
        fc.record({
          source: path.map((each) => `/${each}`),
          destination: fc.oneof(
            fc.constantFrom("/", "/guide#install", "/guide#nope", "/sitemap.xml", "https://example.com"),
            path.map((each) => `/${each}`),
          ),
        }),
        { maxLength: 4 },
      ),
      links: fc.array(path, { maxLength: 3 }),
    })
    .map(({ files, redirects, links }) => ({
      "docs.json": docs({
        navigation: { pages: ["index", "guide", ...files.map((each) => each.replace(/\.mdx?$/, ""))] },
        redirects,
      }),
      "index.mdx": `${plainPage}\n${links.map((each) => `[x](</${each.replace(/[<>\n]/g, "")}>)\n\n![y](<${each.replace(/[<>\n]/g, "")}>)\n`).join("\n")}`,
      "guide.mdx": plainPage,
      ...Object.fromEntries(files.map((each) => [each, /\.mdx?$/.test(each) ? plainPage : "x"])),
    })),
);

export const kinds = { pages, settings, specs, names } as const;
