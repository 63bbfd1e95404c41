/** Readers of what is around each page: banner, navbar and footer, which a language may have of its own. */

import { type Location, nearestName } from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults, partDefaults } from "./defaults.js";
import { locationOf, locationOfSpan, memberOf } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import {
  byKind,
  converted,
  flag,
  list,
  located,
  object,
  oneOf,
  type Reader,
  reader,
  text,
  withDefaults,
} from "./readers.js";
import { reportInvalid } from "./report-setting.js";
import type { Banner, Footer, Navbar, NavbarLink } from "./site-config.js";
import { colorPair, href, icon, iconWithType } from "./values.js";

export const banner: Reader<Banner> = converted(
  object(
    { content: text, dismissible: flag, type: oneOf(["info", "warning", "critical"]), color: colorPair },
    { required: ["content"] },
  ),
  (read, value) => ({ ...partDefaults.banner, ...read, location: locationOf(memberOf(value, "content") ?? value) }),
);

/** Names that other formats have for these fields. */
const linkHints = { url: 'write "href".', name: 'write "label".', title: 'write "label".' };

const linkFields = object(
  { type: oneOf(["link", "button", "github", "discord"]), label: text, href, icon, iconType: text },
  { required: ["href"], hints: linkHints },
);

const navbarLink = (usualType: NavbarLink["type"]): Reader<NavbarLink> =>
  converted(linkFields, (read, value, report) => {
    const { type = usualType, label, href } = read;
    if (label === undefined && (type === "link" || type === "button") && read.icon === undefined)
      return reportInvalid(value, report, 'an object with a "label"', 'add "label": "…".');
    return withoutUndefined({ type, label, href, icon: iconWithType(read), location: locationOf(value) });
  });

export const navbar = withDefaults<Navbar>(
  configDefaults.navbar,
  object({ links: list(navbarLink("link")), primary: navbarLink("button") }),
);

const socials: Reader<Footer["socials"]> = byKind({
  object: reader<Footer["socials"]>(
    (value, report) =>
      value.kind === "object"
        ? value.members.flatMap(({ name, nameAt, value: written }) => {
            const link = href(written, report);
            if (link === undefined) return [];
            if (!knownNames.socialNetworks.includes(name)) report(() => unknownSocial(name, locationOfSpan(nameAt)));
            return [{ type: name, href: link }];
          })
        : undefined,
    () => ({ type: "object", additionalProperties: href.schema() }),
  ),
  array: list(object({ type: text, href }, { required: ["type", "href"] })),
});

function unknownSocial(name: string, location: Location) {
  const near = nearestName(name, knownNames.socialNetworks);
  const what = `${JSON.stringify(name)} is not a known social network; its link is shown with a plain icon.`;
  const fix = near ? `write "${near}".` : `use one of ${knownNames.socialNetworks.join(", ")}.`;
  return { code: "CONFIG_UNKNOWN_KEY", severity: "warning", what, location, fix } as const;
}

const footerItem = located(object({ label: text, href }, { required: ["label", "href"], hints: linkHints }));

export const footer = withDefaults<Footer>(
  configDefaults.footer,
  object({ socials, links: list(object({ header: text, items: list(footerItem) }, { required: ["items"] })) }),
);

export const frameFields = { navbar, footer, banner };
