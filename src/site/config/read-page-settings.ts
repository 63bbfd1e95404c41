import { configDefaults, partDefaults } from "./defaults.js";
import { jsonFile, memberOf, type Report } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { parseJson } from "./parse-json.js";
import {
  byForm,
  described,
  flag,
  ignored,
  inQuotes,
  list,
  map,
  object,
  oneOf,
  oneOrList,
  type Reader,
  reportAt,
  schemaOf,
  text,
  textOfScalar,
  turned,
  withDefaults,
  wrong,
} from "./readers.js";
import type { Contextual, ContextualOption, Repository, SiteConfig } from "./site-config.js";
import { href, icon } from "./values.js";

/** Readers of small settings of pages: variables, time stamps, the page for unknown addresses, Markdown, search, variations. */

export const variables = map(
  textOfScalar,
  (name) => /^[a-z0-9_-]+$/i.test(name),
  "the name of a variable has letters, digits and hyphens only",
);

export const metadata = withDefaults<SiteConfig["metadata"]>(configDefaults.metadata, object({ timestamp: flag }));

/** `errors`: the page for unknown addresses is the only one. */
export const errors: Reader<SiteConfig["notFound"]> = turned(
  object({ "404": object({ redirect: flag, title: text, description: text }) }),
  (read) => ({ ...configDefaults.notFound, ...read["404"] }),
);

export const markdown = withDefaults<SiteConfig["markdown"]>(
  configDefaults.markdown,
  object({ schema: flag, instructions: oneOrList(text) }),
);

export const search: Reader<SiteConfig["search"]> = object({ prompt: text });

const variationFields = object({ options: list(object({ id: text, label: text }, { required: ["id", "label"] })) });

export const variations = described<Reader<SiteConfig["variations"]>>(
  (value, report) => {
    const seen = new Set<string>();
    const options = variationFields(value, report)?.options;
    return options?.filter(({ id }) => {
      if (!seen.has(id)) return seen.add(id);
      const what = `${inQuotes(value)} has two options with the id "${id}"; the second one is left out.`;
      reportAt(value, report, "CONFIG_BAD_VALUE", what, "give it another id.");
      return false;
    });
  },
  () => schemaOf(variationFields),
);

const contextualOption: Reader<ContextualOption> = byForm<ContextualOption>({
  string: oneOf(knownNames.contextualOptions),
  object: object(
    {
      title: text,
      description: text,
      icon,
      href: byForm<Extract<ContextualOption, object>["href"]>({
        string: href,
        object: turned(
          object(
            { base: href, query: list(object({ key: text, value: textOfScalar }, { required: ["key", "value"] })) },
            { required: ["base"] },
          ),
          ({ base, query = [] }) => ({ base, query }),
        ),
      }),
    },
    { required: ["title", "description", "href"] },
  ),
});

const pageFields = { options: list(contextualOption), display: oneOf(["header", "toc"]) };
const withDefault = (read: Partial<Contextual> & Pick<Contextual, "options">): Contextual => ({
  ...partDefaults.contextual,
  ...read,
  options: [...new Set(read.options)],
});

export const contextual: Reader<Contextual> = turned(
  object({ ...pageFields, print: flag }, { required: ["options"] }),
  withDefault,
);
const ofPage: Reader<Contextual> = turned(object(pageFields, { required: ["options"] }), withDefault);

/**
 * The menu that a page's front matter sets in place of the site's; undefined if it is invalid, or if all its
 * options are. The locations of what is reported mean nothing: they are in a copy of the value.
 */
export function pageContextual(written: unknown, report: Report): Contextual | undefined {
  const root = parseJson(jsonFile("", JSON.stringify({ contextual: written })), report);
  const value = root?.kind === "object" ? memberOf(root, "contextual") : undefined;
  const read = value && ofPage(value, report);
  const options = value?.kind === "object" ? memberOf(value, "options") : undefined;
  const isEmptied = options?.kind === "array" && options.items.length > 0 && read?.options.length === 0;
  return isEmptied ? undefined : read;
}

/** The folder of the site as GitHub or GitLab shows it; the latter has `/-/tree/`. */
const address = /^(https:\/\/[^\s/?#@]+(?:\/[\w.~-]+){2,9}?)(\/-)?\/tree\/([^\s/?#]+)((?:\/[^\s/?#]+)*)\/?$/;

const repository = described<Reader<Repository>>(
  (value, report) => {
    const written = text(value, report);
    if (written === undefined) return undefined;
    const [, url, isGitLab, ref, folder = ""] = address.exec(written.trim()) ?? [];
    if (url !== undefined && ref !== undefined) return { kind: isGitLab ? "gitlab" : "github", url, ref, folder };
    return wrong(
      value,
      report,
      'the address of the site\'s folder at GitHub or GitLab, such as "https://github.com/acme/docs/tree/main/guide"',
    );
  },
  () => ({ type: "string", pattern: "\\S" }),
);

export const feedback: Reader<SiteConfig["feedback"]> = withDefaults<SiteConfig["feedback"]>(
  configDefaults.feedback,
  // Thumbs need a server that counts them.
  object({ thumbs: ignored, edits: flag, issues: flag, repository }),
);

const metatags = map(textOfScalar, (name) => name.trim() !== "", "the name of a meta tag is not blank");

/** A folder, without leading and trailing slashes. */
const metatagsPath = described<Reader<string>>(
  (value, report) => {
    const path = text(value, report)?.replace(/^\/+|\/+$/g, "");
    if (path === undefined) return undefined;
    const isFolder = path !== "" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
    return isFolder ? path : wrong(value, report, 'a folder of the site, such as "guides/advanced"');
  },
  () => ({ type: "string", pattern: "\\S" }),
);

export const seo = withDefaults<SiteConfig["seo"]>(
  configDefaults.seo,
  object({
    indexing: oneOf(["navigable", "all"]),
    metatags,
    paths: list(object({ path: metatagsPath, metatags }, { required: ["path", "metatags"] })),
    organization: object({ id: text, name: text, legalName: text, url: href, logo: text, sameAs: list(href) }),
    trailingSlash: flag,
  }),
);
