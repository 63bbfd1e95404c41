import { partDefaults } from "./defaults.js";
import { jsonFile, memberOf, type Report } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { parseJson } from "./parse-json.js";
import { byForm, flag, list, object, oneOf, type Reader, text, textOfScalar, turned } from "./readers.js";
import type { Contextual, ContextualOption } from "./site-config.js";
import { href, icon } from "./values.js";

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
