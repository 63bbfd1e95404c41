import { all, create } from "../dom.js";
import { say } from "./say.js";

/** A menu of the other endpoints in the sidebar, each of which opens its playground. */
export function endpointsMenu(): HTMLElement | undefined {
  const links = all<HTMLAnchorElement>("#sidebar-content a").filter((link) => link.querySelector(".method-nav-pill"));
  if (links.length < 2) return undefined;
  const select = create("select", {
    id: "endpoints-menu-trigger",
    class: "playground-choice playground-endpoints",
    "aria-label": say("endpoints"),
  });
  for (const link of links) {
    const option = create(
      "option",
      { value: link.href },
      [...link.childNodes]
        .map((node) => node.textContent?.trim())
        .join(" ")
        .trim(),
    );
    option.selected = link.getAttribute("aria-current") === "page";
    select.append(option);
  }
  select.addEventListener("change", () => location.assign(`${select.value}?playground=open`));
  return select;
}
