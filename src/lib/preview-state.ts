import type { Diagnostic, FrameLine } from "./diagnostic/index.js";

/** What the overlay of one page shows: texts of the site, to be shown as texts. */
export interface PreviewState {
  /** About this page, or what keeps it from being as written. */
  readonly problems: readonly PreviewProblem[];
  /** About other parts of the site, as far as they are known. */
  readonly others: readonly PreviewProblem[];
  /** `page`: the last text that parsed is shown. `site`: the last plan applies. */
  readonly outdated?: "page" | "site" | undefined;
  readonly mark?: PreviewMark | undefined;
  readonly hidden: readonly HiddenPage[];
}

export interface PreviewProblem extends Pick<Diagnostic, "severity" | "code" | "what" | "fix"> {
  /** `guides/install.mdx:3:7` */
  readonly where?: string;
  readonly frame: readonly FrameLine[];
}

export interface PreviewMark {
  readonly label: string;
  readonly reason: string;
}
export interface HiddenPage {
  readonly title: string;
  readonly href: string;
  readonly label: string;
}

/** The style sheets that have another name now, and the version of the page with them. */
export interface PreviewStyles {
  readonly version: string;
  readonly sheets: readonly (readonly [before: string, now: string])[];
}
