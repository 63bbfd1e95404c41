import type { Diagnostic, FrameLine } from "./diagnostic/index.js";

/** What the overlay of one page shows. It contains texts of the site, which must be escaped. */
export interface PreviewState {
  /** Problems of this page, and of the site's settings if they keep the page from being updated. */
  readonly problems: readonly PreviewProblem[];
  /** Problems found so far in other parts of the site. */
  readonly others: readonly PreviewProblem[];
  /** `page`: the last text that could be parsed is shown. `site`: the last plan that could be made applies. */
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

/** The style sheets whose names have changed, and the version of the page that uses them. */
export interface PreviewStyles {
  readonly version: string;
  readonly sheets: readonly (readonly [before: string, now: string])[];
}
