import { partDefaults } from "./defaults.js";
import knownNames from "./known-names.json" with { type: "json" };
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

export const contextual: Reader<Contextual> = turned(
  object(
    { options: list(contextualOption), display: oneOf(["header", "toc"]), print: flag },
    { required: ["options"] },
  ),
  (read) => ({ ...partDefaults.contextual, ...read, options: [...new Set(read.options)] }),
);
