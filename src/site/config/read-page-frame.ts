/** Readers of the frame of each page: banner, navbar and footer, which an entry of the navigation may have of its own. */

import { nearestName } from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults, partDefaults } from "./defaults.js";
import { type JsonValue, locationOf, locationOfSpan, memberOf, type Report } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import {
  byKind,
  converted,
  flag,
  list,
  maybeBlank,
  object,
  oneOf,
  type Reader,
  reader,
  text,
  withDefaults,
} from "./readers.js";
import { inQuotes, reportAt } from "./report-setting.js";
import type { Banner, Footer, Navbar, NavbarLink } from "./site-config.js";
import { colorPair, href, icon, iconWithType, targetName } from "./values.js";

export const banner: Reader<Banner> = converted(
  object(
    { content: text, dismissible: flag, type: oneOf(["info", "warning", "critical"]), color: colorPair },
    { required: ["content"] },
  ),
  (read, value) => ({ ...partDefaults.banner, ...read, location: locationOf(memberOf(value, "content") ?? value) }),
);

/** `title` is the name of a link that shows only its icon. */
const linkSettings = { label: maybeBlank, title: maybeBlank, href, icon, iconType: text };

type LinkText = Pick<NavbarLink, "label" | "title" | "icon" | "href">;

/** A link without a label shows its icon, if it has one. A link without any name gets the name of its target. */
function linkText(
  read: LinkText & { readonly iconType?: string },
  value: JsonValue,
  report: Report,
  isNamed = false,
): LinkText {
  const { href, label } = read;
  const icon = iconWithType(read);
  if (label !== undefined || isNamed || socialNetworks.includes(icon?.name ?? ""))
    return { label, title: read.title, icon, href };
  const name = read.title ?? targetName(href);
  if (read.title === undefined) {
    const what = `${inQuotes(value)} has no text to show, so ${JSON.stringify(name)}, the name of its target, is shown.`;
    const wanted = icon === undefined ? "label" : "title";
    reportAt(value, report, "NAV_LABEL_MISSING", what, `add "${wanted}": ${JSON.stringify(name)}, or a better name.`);
  }
  return icon === undefined ? { label: name, href } : { title: name, icon, href };
}

const linkFields = object(
  { ...linkSettings, type: oneOf(["link", "button", "github", "discord"]) },
  { required: ["href"] },
);

const navbarLink = (usualType: NavbarLink["type"]): Reader<NavbarLink> =>
  converted(linkFields, ({ type = usualType, ...read }, value, report) => {
    const link = linkText(read, value, report, type === "github" || type === "discord");
    return withoutUndefined({ type, ...link, location: locationOf(value) });
  });

export const navbar = withDefaults<Navbar>(
  configDefaults.navbar,
  object({ links: list(navbarLink("link")), primary: navbarLink("button") }),
);

export const { socialNetworks } = knownNames;
const socials: Reader<Footer["socials"]> = byKind({
  object: reader<Footer["socials"]>(
    (value, report) =>
      value.kind === "object"
        ? value.members.flatMap(({ name, nameAt, value: written }) => {
            const link = href(written, report);
            if (link === undefined) return [];
            checkSocial(name, nameAt, report);
            return [{ type: name, href: link, location: locationOf(written) }];
          })
        : undefined,
    () => ({ type: "object", additionalProperties: href.schema() }),
  ),
  array: list(
    converted(object({ type: text, href }, { required: ["type", "href"] }), (read, value, report) => {
      checkSocial(read.type, memberOf(value, "type")!.at, report);
      return { ...read, location: locationOf(memberOf(value, "href")!) };
    }),
  ),
});

function checkSocial(name: string, at: JsonValue["at"], report: Report): void {
  if (socialNetworks.includes(name)) return;
  const near = nearestName(name, socialNetworks);
  const what = `${JSON.stringify(name)} is not a known social network; its link is shown with a plain icon.`;
  const fix = near ? `write "${near}".` : `use one of ${socialNetworks.join(", ")}.`;
  report({ code: "CONFIG_UNKNOWN_KEY", severity: "warning", what, location: locationOfSpan(at), fix });
}

const footerItem = converted(object(linkSettings, { required: ["href"] }), (read, value, report) =>
  withoutUndefined({ ...linkText(read, value, report), location: locationOf(value) }),
);

export const footer = withDefaults<Footer>(
  configDefaults.footer,
  object({ socials, links: list(object({ header: maybeBlank, items: list(footerItem) }, { required: ["items"] })) }),
);

export const frameFields = { navbar, footer, banner };
