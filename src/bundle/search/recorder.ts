import type { RenderedPage } from "../../page/render/index.js";
import type { PagePlan, Site } from "../../site/site.js";
import { createRecordWriter } from "./search-record.js";

/**
 * Records a page for the search; undefined for a page that is not searchable. Of other pages the record has nothing, so it
 * may be kept for the next export. Valid until the next call.
 */
export type Recorder = (plan: PagePlan, rendered: RenderedPage) => Uint8Array | undefined;

/** One for each page thread. */
export function createRecorder(site: Site): Recorder {
  const write = createRecordWriter();
  return (plan, rendered) => {
    if (!plan.searchable) return undefined;
    const { keywords } = plan.frontmatter;
    const [first, ...sections] = rendered.sections;
    const description = plainWords(plan.description ?? "");
    return write({
      href: plan.outputPath.toWellFormed().split("/").map(encodeURIComponent).join("/"),
      title: plan.title.toWellFormed(),
      marker: plan.marker ?? "",
      trail: trailOf(site, plan),
      keywords: Array.isArray(keywords) ? keywords.filter((each) => typeof each === "string") : [],
      description,
      boost: plan.boost,
      // As on the page: before everything else.
      sections: [{ ...first!, text: `${description} ${first!.text}`.trim() }, ...sections],
    });
  };
}

/** A description without Markdown marks. */
const plainWords = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]+/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();

/** The sections around a page (tab, product ...), without language and version, then its groups. */
function trailOf(site: Site, plan: PagePlan): string[] {
  const sections = (site.divisions[plan.division]?.sections ?? []).map((id) => site.sections[id]!);
  const named = sections.filter(({ kind }) => kind !== "root" && kind !== "language" && kind !== "version");
  const labels = [...(plan.listed ? named : []), ...plan.breadcrumbs].map(({ label }) => label.toWellFormed());
  return labels.filter((label, at) => label !== "" && label !== labels[at - 1]);
}
