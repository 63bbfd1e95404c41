import { nearestName } from "../../lib/diagnostic/index.js";
import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults, partDefaults } from "./defaults.js";
import { locationOf, locationOfSpan, memberOf } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import {
  byForm,
  described,
  flag,
  list,
  object,
  oneOf,
  type Reader,
  schemaOf,
  text,
  withDefaults,
  wrong,
} from "./readers.js";
import type { Banner, Footer, Navbar, NavbarLink } from "./site-config.js";
import { colorPair, foldIcon, href, icon } from "./values.js";

const bannerFields = object(
  { content: text, dismissible: flag, type: oneOf(["info", "warning", "critical"]), color: colorPair },
  { required: ["content"] },
);

export const banner = described<Reader<Banner>>(
  (value, report) => {
    const read = bannerFields(value, report);
    if (read === undefined || value.kind !== "object") return undefined;
    return { ...partDefaults.banner, ...read, location: locationOf(memberOf(value, "content") ?? value) };
  },
  () => schemaOf(bannerFields),
);

const linkFields = object(
  { type: oneOf(["link", "button", "github", "discord"]), label: text, href, icon, iconType: text },
  { required: ["href"], hints: { url: 'write "href".', name: 'write "label".', title: 'write "label".' } },
);

function navbarLink(usualType: NavbarLink["type"]): Reader<NavbarLink> {
  return described<Reader<NavbarLink>>(
    (value, report) => {
      const read = linkFields(value, report);
      if (read === undefined) return undefined;
      const { type = usualType, label, href } = read;
      if (label === undefined && (type === "link" || type === "button") && read.icon === undefined) {
        return wrong(value, report, 'an object with a "label"', 'add "label": "…".');
      }
      return withoutUndefined({ type, label, href, icon: foldIcon(read), location: locationOf(value) });
    },
    () => schemaOf(linkFields),
  );
}

export const navbar = withDefaults<Navbar>(
  configDefaults.navbar,
  object({ links: list(navbarLink("link")), primary: navbarLink("button") }),
);

const socialTypes = knownNames.socialNetworks;

const socials: Reader<Footer["socials"]> = byForm({
  object: described<Reader<Footer["socials"]>>(
    (value, report) => {
      if (value.kind !== "object") return undefined;
      return value.members.flatMap((member) => {
        const link = href(member.value, report);
        if (link === undefined) return [];
        if (!socialTypes.includes(member.name)) report(() => unknownSocial(member.name, locationOfSpan(member.nameAt)));
        return [{ type: member.name, href: link }];
      });
    },
    () => ({ type: "object", additionalProperties: schemaOf(href) }),
  ),
  array: list(object({ type: text, href }, { required: ["type", "href"] })),
});

function unknownSocial(name: string, location: ReturnType<typeof locationOf>) {
  const near = nearestName(name, socialTypes);
  return {
    code: "CONFIG_UNKNOWN_KEY",
    severity: "warning",
    what: `${JSON.stringify(name)} is not a known social network; its link is shown with a plain icon.`,
    location,
    fix: near ? `write "${near}".` : `use one of ${socialTypes.join(", ")}.`,
  } as const;
}

const footerItemFields = object(
  { label: text, href },
  { required: ["label", "href"], hints: { url: 'write "href".', name: 'write "label".', title: 'write "label".' } },
);

const footerItem = described<Reader<Footer["links"][number]["items"][number]>>(
  (value, report) => {
    const read = footerItemFields(value, report);
    return read && { ...read, location: locationOf(value) };
  },
  () => schemaOf(footerItemFields),
);

export const footer = withDefaults<Footer>(
  configDefaults.footer,
  object({ socials, links: list(object({ header: text, items: list(footerItem) }, { required: ["items"] })) }),
);
