import { nearestName } from "../../lib/diagnostic/index.js";
import { configDefaults } from "./defaults.js";
import { described, schemaOf } from "./described.js";
import { locationOf, locationOfSpan } from "./json-value.js";
import knownNames from "./known-names.json" with { type: "json" };
import { byForm, list, object, type Reader, text, withDefaults } from "./readers.js";
import type { Footer } from "./site-config.js";
import { href } from "./values.js";

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
