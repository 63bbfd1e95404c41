import { configDefaults } from "./defaults.js";
import { described } from "./described.js";
import { flag, list, map, object, oneOf, type Reader, text, textOfScalar, withDefaults, wrong } from "./readers.js";
import type { SiteConfig } from "./site-config.js";
import { href } from "./values.js";

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
