/** Reports attributes that are left out of the page, and says what to write instead. */
import { type Location, quoted } from "../../lib/diagnostic/index.js";
import type { PageRender } from "./page-render.js";

interface Reason {
  readonly why: string;
  readonly fix: string;
}

const handler: Reason = {
  why: "runs code in the page, so it is left out",
  fix: "remove it, or move its code to a .js file of the site, which every page loads.",
};
const reasons: Readonly<Record<string, Reason>> = {
  srcdoc: {
    why: "is a whole document that could run code, so it is left out",
    fix: "put the document in an .html file of the site and name it in src.",
  },
  dangerouslysetinnerhtml: {
    why: "would add unchecked HTML to the page, so it is left out",
    fix: "write the content between the tags.",
  },
  style: {
    why: "could run code in some browsers, so it is left out",
    fix: "remove everything that is not a plain style.",
  },
};

/** Event handlers. No other attribute begins with `on`. */
export const isHandler = (lowerCaseName: string): boolean => lowerCaseName.startsWith("on");

/** Once for each name in a page, because a table of buttons can repeat it hundreds of times. */
export function reportDroppedAttribute(page: PageRender, tagName: string, name: string, location: Location): void {
  const lower = name.toLowerCase();
  const reason = isHandler(lower) ? handler : reasons[lower];
  if (!reason) return;
  page.collector.reportOnce(`ATTRIBUTE_DROPPED ${lower}`, () => ({
    code: "ATTRIBUTE_DROPPED",
    severity: "warning",
    what: `${quoted(name)} of <${tagName}> ${reason.why}.`,
    location,
    fix: reason.fix,
  }));
}
