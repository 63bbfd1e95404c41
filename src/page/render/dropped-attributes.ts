/** Attributes that a writer typed and that the page does not get, and what to write in their place. */
import { type Location, quoted } from "../../lib/diagnostic/index.js";
import type { PageRender } from "./page-render.js";

interface Reason {
  readonly why: string;
  readonly fix: string;
}

const handler: Reason = {
  why: "runs code in the page, so it is left out",
  fix: "remove it, or do its work in a .js file of the site, which every page loads.",
};
const reasons: ReadonlyMap<string, Reason> = new Map([
  [
    "srcdoc",
    {
      why: "is a whole document that could run code, so it is left out",
      fix: "put the document into an .html file of the site and name it in src.",
    },
  ],
  [
    "dangerouslysetinnerhtml",
    { why: "would put unread HTML into the page, so it is left out", fix: "write the content between the tags." },
  ],
  ["style", { why: "could run code in some browsers, so it is left out", fix: "remove what is no plain style." }],
]);

/** Event handlers of whatever kind: elements have no other attribute that begins so. */
export const isHandler = (lowerCaseName: string): boolean => lowerCaseName.startsWith("on");

/** Once for each name in a page: a table of buttons repeats it hundreds of times. */
export function reportDroppedAttribute(page: PageRender, tagName: string, name: string, location: Location): void {
  const lower = name.toLowerCase();
  const reason = isHandler(lower) ? handler : reasons.get(lower);
  if (!reason) return;
  page.collector.reportOnce(`ATTRIBUTE_DROPPED ${lower}`, () => ({
    code: "ATTRIBUTE_DROPPED",
    severity: "warning",
    what: `${quoted(name)} of <${tagName}> ${reason.why}.`,
    location,
    fix: reason.fix,
  }));
}
