import { configDefaults } from "./defaults.js";
import { described, schemaOf } from "./described.js";
import {
  flag,
  inQuotes,
  list,
  map,
  object,
  oneOrList,
  type Reader,
  reportAt,
  text,
  textOfScalar,
  turned,
  withDefaults,
} from "./readers.js";
import type { SiteConfig } from "./site-config.js";

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
