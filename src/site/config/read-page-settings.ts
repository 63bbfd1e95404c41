import { configDefaults, partDefaults } from "./defaults.js";
import { jsonFile, memberOf, type Report } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { parseJson } from "./parse-json.js";
import {
  byKind,
  converted,
  flag,
  list,
  map,
  object,
  oneOf,
  oneOrList,
  type Reader,
  scalarText,
  text,
  withDefaults,
} from "./readers.js";
import { inQuotes, reportAt, reportInvalid } from "./report-setting.js";
import type { Contextual, ContextualOption, Repository, SiteConfig } from "./site-config.js";
import { href, icon } from "./values.js";

const contextualOption = byKind<ContextualOption>({
  string: oneOf(knownNames.contextualOptions),
  object: object(
    {
      title: text,
      description: text,
      icon,
      href: byKind<Extract<ContextualOption, object>["href"]>({
        string: href,
        object: converted(
          object(
            { base: href, query: list(object({ key: text, value: scalarText }, { required: ["key", "value"] })) },
            { required: ["base"] },
          ),
          ({ base, query = [] }) => ({ base, query }),
        ),
      }),
    },
    { required: ["title", "description", "href"] },
  ),
});

const menuFields = { options: list(contextualOption), display: oneOf(["header", "toc"]) };
const completeMenu = (read: Partial<Contextual> & Pick<Contextual, "options">): Contextual => ({
  ...partDefaults.contextual,
  ...read,
  options: [...new Set(read.options)],
});

const menuOfPage: Reader<Contextual> = converted(object(menuFields, { required: ["options"] }), completeMenu);

/**
 * The menu that a page's front matter sets in place of the site's; undefined if it is invalid, or if all its options
 * are. Diagnostic locations are invalid here: they are in a copy of the value.
 */
export function pageContextual(written: unknown, report: Report): Contextual | undefined {
  const root = parseJson(jsonFile("", JSON.stringify({ contextual: written })), report);
  const value = root && memberOf(root, "contextual");
  if (value === undefined) return undefined;
  const menu = menuOfPage(value, report);
  const options = memberOf(value, "options");
  const lostAll = options?.kind === "array" && options.items.length > 0 && menu?.options.length === 0;
  return lostAll ? undefined : menu;
}

/** The address of the site's folder on GitHub or GitLab, which has `/-/tree/`. */
const folderAddress = /^(https:\/\/[^\s/?#@]+(?:\/[\w.~-]+){2,9}?)(\/-)?\/tree\/([^\s/?#]+)((?:\/[^\s/?#]+)*)\/?$/;

const repository = converted(text, (written, value, report): Repository | undefined => {
  const [, url, isGitLab, ref, folder = ""] = folderAddress.exec(written) ?? [];
  if (url !== undefined && ref !== undefined) return { kind: isGitLab ? "gitlab" : "github", url, ref, folder };
  const expected =
    'the URL of the site\'s folder on GitHub or GitLab, such as "https://github.com/acme/docs/tree/main/guide"';
  return reportInvalid(value, report, expected);
});

const metatags = map(scalarText, (name) => name.trim() !== "", "the name of a meta tag cannot be empty");

/** A folder, without leading and trailing slashes. */
const metatagsPath = converted(text, (written, value, report) => {
  const path = written.replace(/^\/+|\/+$/g, "");
  const isFolder = path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
  return isFolder ? path : reportInvalid(value, report, 'a folder of the site, such as "guides/advanced"');
});

/** `errors` configures only the page for unknown addresses. */
const errors: Reader<SiteConfig["notFound"]> = converted(
  object({ "404": object({ redirect: flag, title: text, description: text }) }),
  (read) => ({ ...configDefaults.notFound, ...read["404"] }),
);

const variations: Reader<SiteConfig["variations"]> = converted(
  object({ options: list(object({ id: text, label: text }, { required: ["id", "label"] })) }),
  ({ options }, value, report) => {
    const ids = new Set<string>();
    return options?.filter(({ id }) => {
      if (!ids.has(id)) return ids.add(id);
      const what = `${inQuotes(value)} has two options with the ID "${id}"; the second one is left out.`;
      return reportAt(value, report, "CONFIG_BAD_VALUE", what, "give it a different ID.");
    });
  },
);

/** Settings of all pages: their variables and menu, and what search engines and agents receive. */
export const pageFields = {
  contextual: converted(object({ ...menuFields, print: flag }, { required: ["options"] }), completeMenu),
  variables: map(
    scalarText,
    (name) => /^[a-z0-9_-]+$/i.test(name),
    "variable names can contain only letters, digits, hyphens and underscores",
  ),
  metadata: withDefaults<SiteConfig["metadata"]>(configDefaults.metadata, object({ timestamp: flag })),
  errors,
  markdown: withDefaults<SiteConfig["markdown"]>(
    configDefaults.markdown,
    object({ schema: flag, instructions: oneOrList(text) }),
  ),
  seo: withDefaults<SiteConfig["seo"]>(
    configDefaults.seo,
    object(
      {
        indexing: oneOf(["navigable", "all"]),
        metatags,
        paths: list(object({ path: metatagsPath, metatags }, { required: ["path", "metatags"] })),
        organization: object({ id: text, name: text, legalName: text, url: href, logo: text, sameAs: list(href) }),
        trailingSlash: flag,
      },
      { hints: { indexHiddenPages: 'write "indexing": "all" to list hidden pages, or remove it.' } },
    ),
  ),
  search: object({ prompt: text }),
  variations,
  feedback: withDefaults<SiteConfig["feedback"]>(
    configDefaults.feedback,
    object({ thumbs: flag, edits: flag, issues: flag, repository }),
  ),
};
