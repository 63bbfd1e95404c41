/** Reports addresses that no browser can show where a page uses them, and files that are not what their name says. */
import { type Diagnostic, type Location, quoted } from "../../../lib/diagnostic/index.js";
import type { ImageMeter } from "../image-meter.js";
import type { PageRender } from "../page-render.js";
import type { ExternalUse } from "../rendered-page.js";

type Kind = ExternalUse["kind"];
type Fault = NonNullable<NonNullable<ReturnType<ImageMeter>>["fault"]>;
interface Rule {
  readonly of: Kind;
  readonly address: RegExp;
  readonly what: string;
  /** The address to write in place of the match, with its groups. */
  readonly replacement?: string;
  /** What to do if no other address helps; `$&` is the address. */
  readonly fix?: string;
}

const copyIt = "copy the image into the site, and write its path, such as /images/screen.png.";
const rules: readonly Rule[] = [
  {
    of: "image",
    address: /^https:\/\/github\.com\/([^/?#]+\/[^/?#]+)\/blob\/([^?#]+)(?:$|#.*|\?raw=false.*)/i,
    what: "leads to a page of GitHub about the image, not to the image",
    replacement: "https://raw.githubusercontent.com/$1/$2",
  },
  {
    of: "image",
    address: /^(https:\/\/(?:www\.)?dropbox\.com\/[^#]*[?&])dl=0\b(.*)$/i,
    what: "leads to a page of Dropbox about the image, not to the image",
    replacement: "$1raw=1$2",
  },
  {
    of: "image",
    address: /^https:\/\/(?:drive\.google\.com\/(?:file|open)\b|imgur\.com\/\w+$|photos\.app\.goo\.gl\/)/i,
    what: "leads to a web page about the image, not to the image",
    fix: copyIt,
  },
  {
    of: "image",
    address: /^(?:https?:\/\/(?:localhost|127\.0\.0\.1)\b|(?:attachment|cid|sandbox):)/i,
    what: "exists only on the computer or in the program where it was written",
    fix: copyIt,
  },
  {
    of: "image",
    address: /^[^?#]+\.(?:mp4|webm|mov|m4v|ogv)(?:[?#].*)?$/i,
    what: "is a video, which no image can show",
    fix: 'write <video src="$&" controls />',
  },
  {
    of: "image",
    address: /^[^?#]+\.pdf(?:[?#].*)?$/i,
    what: "is a PDF, which no image can show",
    fix: "write a link: [what it is]($&)",
  },
  {
    of: "image",
    address: /^[^?#]+\.(?:heic|heif|tiff?|psd|eps|ai|raw)(?:[?#].*)?$/i,
    what: "has a format that most browsers cannot show",
    fix: "convert it to PNG, WebP or AVIF.",
  },
  {
    of: "media",
    address:
      /^(?:https?:)?\/\/(?:www\.|m\.)?(?:youtube\.com\/|youtu\.be\/|vimeo\.com\/|(?:www\.)?loom\.com\/(?:share|embed)\/).*$/i,
    what: "leads to a page with a player, not to a video file",
    fix: 'write <iframe src="$&" />',
  },
  {
    of: "media",
    address: /^[^?#]+\.(?:avi|wmv|mkv|flv)(?:[?#].*)?$/i,
    what: "has a format that browsers cannot play",
    fix: "convert it to MP4.",
  },
  {
    of: "embed",
    address: /^http:\/\/(?!localhost\b|127\.)(.*)$/i,
    what: "has no encryption, so browsers do not load it into pages that begin with https://",
    replacement: "https://$1",
  },
  {
    of: "embed",
    address:
      /^(?:https?:)?\/\/(?:www\.)?(?:(?:github|linkedin|twitter|x|medium)\.com(?!\/embed)|google\.com\/maps\/(?!embed))(?:\/|$).*$/i,
    what: "does not allow other sites to show its pages, so the frame stays empty",
    fix: "write a link: [what it is]($&)",
  },
];

/** @param written an address that is not blank. */
export function reportUnusable(page: PageRender, written: string, kind: Kind, location: Location): void {
  const address = written.trim();
  const rule = rules.find((each) => each.of === kind && each.address.test(address));
  if (!rule) return;
  const right = rule.replacement && address.replace(rule.address, rule.replacement);
  report(page, written, location, {
    what: `${quoted(written)} ${rule.what}.`,
    fix: right === undefined ? rule.fix!.replace("$&", () => address) : `write ${quoted(right)}.`,
    ...(right !== undefined && { rewrites: [{ written, replacement: right, certain: true, places: [] }] }),
  });
}

/** Reports an image of the site whose bytes are not what its name says. @param fault of `image-meter`. */
export function reportFile(page: PageRender, written: string, { what, severity }: Fault, location: Location): void {
  report(page, written, location, {
    severity,
    what: `${quoted(written)} ${what}.`,
    fix: what.includes("Git LFS")
      ? "run git lfs pull before the export."
      : what.includes("xmlns")
        ? 'write <svg xmlns="http://www.w3.org/2000/svg" at the start of the file.'
        : "export the image again from the program that made it, or rename the file.",
  });
}

const report = (
  page: PageRender,
  written: string,
  location: Location,
  rest: Pick<Diagnostic, "what" | "fix" | "rewrites"> & Partial<Diagnostic>,
) =>
  page.collector.reportAt(location, `MEDIA_UNUSABLE ${written}`, () => ({
    code: "MEDIA_UNUSABLE",
    severity: "warning",
    location,
    ...rest,
  }));
