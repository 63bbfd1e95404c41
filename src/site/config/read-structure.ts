import { nearestName } from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults, partDefaults } from "./defaults.js";
import { type JsonValue, locationOf, locationOfSpot, memberOf } from "./json-value.js";
import {
  byForm,
  flag,
  inQuotes,
  list,
  map,
  object,
  oneOf,
  oneOrList,
  type Reader,
  text,
  textOfScalar,
  turned,
  withDefaults,
  wrong,
} from "./readers.js";
import type {
  Banner,
  Contextual,
  ContextualOption,
  Footer,
  Navbar,
  NavbarLink,
  Redirect,
  SiteConfig,
} from "./site-config.js";
import { colorPair, foldIcon, href, hrefOrBarePath, icon } from "./values.js";

/** Readers of what stands around the pages, and of what the site gives beside them. */

const linkFields = object(
  { type: oneOf(["link", "button", "github", "discord"]), label: text, href, icon, iconType: text },
  { required: ["href"], hints: { url: 'write "href".', name: 'write "label".', title: 'write "label".' } },
);

function navbarLink(usualType: NavbarLink["type"]): Reader<NavbarLink> {
  return (value, report) => {
    const read = linkFields(value, report);
    if (read === undefined) return undefined;
    const { type = usualType, label, href } = read;
    if (label === undefined && (type === "link" || type === "button") && read.icon === undefined) {
      return wrong(value, report, 'an object with a "label"', 'add "label".');
    }
    return withoutUndefined({ type, label, href, icon: foldIcon(read), location: locationOf(value) });
  };
}

export const navbar = withDefaults<Navbar>(
  configDefaults.navbar,
  object({ links: list(navbarLink("link")), primary: navbarLink("button") }),
);

const socialTypes =
  "x website facebook youtube discord slack github linkedin instagram hacker-news medium telegram twitter x-twitter earth-americas bluesky threads reddit podcast".split(
    " ",
  );

const socials: Reader<Footer["socials"]> = byForm({
  object: (value, report) => {
    if (value.kind !== "object") return undefined;
    return value.members.flatMap((member) => {
      const link = href(member.value, report);
      if (link === undefined) return [];
      if (!socialTypes.includes(member.name)) report(() => unknownSocial(member.name, locationOfSpot(member.nameAt)));
      return [{ type: member.name, href: link }];
    });
  },
  array: list(object({ type: text, href }, { required: ["type", "href"] })),
});

function unknownSocial(name: string, location: ReturnType<typeof locationOf>) {
  const near = nearestName(name, socialTypes);
  return {
    code: "CONFIG_UNKNOWN_KEY",
    severity: "warning",
    what: `${JSON.stringify(name)} is no known social network; its link is shown with a plain icon.`,
    location,
    fix: near ? `write "${near}".` : `use one of ${socialTypes.join(", ")}.`,
  } as const;
}

const footerItemFields = object(
  { label: text, href },
  { required: ["label", "href"], hints: { url: 'write "href".', name: 'write "label".', title: 'write "label".' } },
);

const footerItem: Reader<Footer["links"][number]["items"][number]> = (value, report) => {
  const read = footerItemFields(value, report);
  return read && { ...read, location: locationOf(value) };
};

export const footer = withDefaults<Footer>(
  configDefaults.footer,
  object({ socials, links: list(object({ header: text, items: list(footerItem) }, { required: ["items"] })) }),
);

const bannerFields = object(
  { content: text, dismissible: flag, type: oneOf(["info", "warning", "critical"]), color: colorPair },
  { required: ["content"] },
);

export const banner: Reader<Banner> = (value, report) => {
  const read = bannerFields(value, report);
  if (read === undefined || value.kind !== "object") return undefined;
  return { ...partDefaults.banner, ...read, location: locationOf(memberOf(value, "content") ?? value) };
};

const contextualNames = [
  ...[
    "copy",
    "view",
    "chatgpt",
    "claude",
    "perplexity",
    "grok",
    "aistudio",
    "devin",
    "devin-desktop",
    "cursor",
    "vscode",
  ],
  ...["devin-mcp", "mcp", "add-mcp", "assistant", "download-spec", "download-pdf"],
];

const contextualOption: Reader<ContextualOption> = byForm<ContextualOption>({
  string: oneOf(contextualNames),
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
  object({ options: list(contextualOption), display: oneOf(["header", "toc"]) }, { required: ["options"] }),
  (read) => ({ ...partDefaults.contextual, ...read, options: [...new Set(read.options)] }),
);

/** A path without query and fragment; a slash before it may be left out. */
const redirectSource: Reader<string> = (value, report) => {
  const source = text(value, report);
  if (source === undefined) return undefined;
  if (/[?#]|^[a-z][a-z0-9+.-]*:\/\//i.test(source))
    return wrong(value, report, 'a path without "?" and "#", such as "/old/page"');
  return source.startsWith("/") ? source : `/${source}`;
};

const redirectFields = object(
  { source: redirectSource, destination: hrefOrBarePath, permanent: flag },
  { required: ["source", "destination"], hints: { from: 'write "source".', to: 'write "destination".' } },
);

/** Of two with the same source the first counts. */
export const redirects: Reader<readonly Redirect[]> = (value, report) => {
  const bySource = new Map<string, Redirect>();
  const one: Reader<Redirect> = (item, report) => {
    const read = redirectFields(item, report);
    if (read === undefined) return undefined;
    const before = bySource.get(read.source);
    if (before) report(() => sourceTwice(item, read, before));
    else bySource.set(read.source, { ...partDefaults.redirect, ...read, location: locationOf(item) });
    return undefined;
  };
  return list(one)(value, report) && [...bySource.values()];
};

function sourceTwice(
  item: JsonValue,
  { source, destination }: { source: string; destination: string },
  before: Redirect,
) {
  return {
    code: "CONFIG_REDIRECT_TWICE",
    severity: "warning",
    what: `"${source}" is redirected to "${destination}" here, but to "${before.destination}" on line ${before.location?.line}, which counts.`,
    location: locationOf(item),
    fix: "remove one of the two.",
  } as const;
}

export const variables = map(
  textOfScalar,
  (name) => /^[a-z0-9_-]+$/i.test(name),
  "the name of a variable has letters, digits and hyphens only",
);

export const metadata = withDefaults<SiteConfig["metadata"]>(configDefaults.metadata, object({ timestamp: flag }));

/** `errors`, of which the page for unknown addresses is the only one. */
export const errors: Reader<SiteConfig["notFound"]> = turned(
  object({ "404": object({ redirect: flag, title: text, description: text }) }),
  (read) => ({ ...configDefaults.notFound, ...read["404"] }),
);

export const markdown = withDefaults<SiteConfig["markdown"]>(
  configDefaults.markdown,
  object({ schema: flag, instructions: oneOrList(text) }),
);

const metatags = map(textOfScalar, (name) => name.trim() !== "", "the name of a meta tag is not blank");

/** A folder, without slashes at its ends. */
const metatagsPath: Reader<string> = (value, report) => {
  const path = text(value, report)?.replace(/^\/+|\/+$/g, "");
  if (path === undefined) return undefined;
  const isFolder = path !== "" && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  return isFolder ? path : wrong(value, report, 'a folder of the site, such as "guides/advanced"');
};

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

export const search: Reader<SiteConfig["search"]> = object({ prompt: text });

export const variations: Reader<SiteConfig["variations"]> = (value, report) => {
  const seen = new Set<string>();
  const options = object({ options: list(object({ id: text, label: text }, { required: ["id", "label"] })) })(
    value,
    report,
  )?.options;
  return options?.filter(({ id }) => {
    if (!seen.has(id)) return seen.add(id);
    report({
      code: "CONFIG_BAD_VALUE",
      severity: "warning",
      what: `${inQuotes(value)} has two options with the id "${id}"; the second one is left out.`,
      location: locationOf(value),
      fix: "give it another id.",
    });
    return false;
  });
};
