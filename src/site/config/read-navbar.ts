import { withoutUndefined } from "../../lib/without-undefined.js";
import { configDefaults } from "./defaults.js";
import { described, schemaOf } from "./described.js";
import { locationOf } from "./json-value.js";
import { list, object, oneOf, type Reader, text, withDefaults, wrong } from "./readers.js";
import type { Navbar, NavbarLink } from "./site-config.js";
import { foldIcon, href, icon } from "./values.js";

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
