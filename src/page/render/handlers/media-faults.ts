/** Reports addresses that no browser can show in their place, and files that do not match their names. */
import { type Diagnostic, type Location, quoted, warningOf } from "../../../lib/diagnostic/index.js";
import type { ImageMeter } from "../image-meter.js";
import type { PageRender } from "../page-render.js";
import type { ExternalUse } from "../rendered-page.js";
import list from "./media-faults.json" with { type: "json" };

type Kind = ExternalUse["kind"];
type Fault = NonNullable<NonNullable<ReturnType<ImageMeter>>["fault"]>;
/** An entry of `media-faults.json`. `address` is a pattern that ignores case; `replacement` may refer to its groups. */
interface Rule {
  readonly of: string;
  readonly address: string;
  readonly what: string;
  /** The address to write in place of the match, with its groups. */
  readonly replacement?: string;
  /** The fix if there is no replacement; `$&` is the address. */
  readonly fix?: string;
}
const rules = (list as readonly Rule[]).map((rule) => ({ ...rule, address: new RegExp(rule.address, "i") }));

/** @param written an address that is not blank. */
export function reportUnusable(page: PageRender, written: string, kind: Kind, location: Location): void {
  const address = written.trim();
  const rule = rules.find((candidate) => candidate.of.split(" ").includes(kind) && candidate.address.test(address));
  if (!rule) return;
  const right = rule.replacement && address.replace(rule.address, rule.replacement);
  report(page, written, location, {
    what: `${quoted(written)} ${rule.what}.`,
    fix: right === undefined ? rule.fix!.replace("$&", () => address) : `write ${quoted(right)}.`,
    about: [`image ${location.sourcePath}:${location.line}:${location.column}`],
    ...(right !== undefined && { rewrites: [{ written, replacement: right, certain: true, places: [] }] }),
  });
}

/** Reports an address that is the only content of a frame, which shows it as text. */
export function reportShownAddress(page: PageRender, address: string, location: Location): void {
  const rule = rules.find(({ of, replacement, address: form }) => of === "embed" && replacement && form.test(address));
  const isHosted = rule !== undefined && /^https:/.test(rule.replacement!);
  const fix = /\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(address)
    ? `![what it shows](${address})`
    : /\.(?:mp4|webm|mov)$/i.test(address)
      ? `<video controls src=${quoted(address)} />`
      : isHosted && `<iframe src=${quoted(address.replace(rule.address, rule.replacement!))} title="what it shows" />`;
  if (fix) {
    const what = `${quoted(address)} is shown as text: the frame needs an image or a player.`;
    report(page, address, location, { what, fix: `write ${fix}` });
  }
}

/** Reports an image of the site whose content does not match its name. @param fault as `image-meter` returns it. */
export function reportFile(page: PageRender, written: string, { what, severity }: Fault, location: Location): void {
  const fix = what.includes("Git LFS")
    ? "run git lfs pull before the export."
    : what.includes("xmlns")
      ? 'write <svg xmlns="http://www.w3.org/2000/svg" at the start of the file.'
      : what.includes("viewBox")
        ? 'write viewBox="0 0 WIDTH HEIGHT" into the <svg>, with the numbers of its width and height.'
        : what.includes(" MB")
          ? "make it smaller: at most 1600 pixels wide, as WebP or AVIF."
          : "export the image again from the program that made it, or rename the file.";
  report(page, written, location, { severity, what: `${quoted(written)} ${what}.`, fix });
}

const report = (
  page: PageRender,
  written: string,
  location: Location,
  rest: Pick<Diagnostic, "what" | "fix" | "rewrites"> & Partial<Diagnostic>,
) =>
  page.collector.reportAt(location, `MEDIA_UNUSABLE ${written}`, () => ({
    ...warningOf("MEDIA_UNUSABLE", location),
    ...rest,
  }));
