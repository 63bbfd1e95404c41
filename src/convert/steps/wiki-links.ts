/** Links of Obsidian and other wikis, which name a page wherever it is: `[[Page#Heading|label]]`, `![[picture.png|300]]`. */
import { rememberedFor } from "../../lib/memo.js";
import { folderOf, nameOf } from "../../lib/url/index.js";
import type { SiteFiles } from "../../site/source/index.js";
import { type Line, mapText, type PageText } from "../page-text.js";
import type { PageContext } from "../project.js";
import { insertFiles, isPage } from "../tools/shared.js";
import { githubSlugs } from "./anchors.js";
import { sectionOf } from "./parts.js";

const wikiLink =
  /(!?)\[\[(?![ \t]*(?:["']|[-.\d]{1,20}[,\]]))([^[\]|#\n]{0,300}?)((?:#[^[\]|#\n]{1,300})*)(?:\\?\|([^[\]\n]{0,300}))?\]\]/g;
const embeddedPage = /^\s*!\[\[([^[\]|#\n]{1,300}?)(?:\.md)?((?:#[^[\]|#\n]{1,300})*)(?:\|[^[\]\n]{0,300})?\]\]\s*$/;
/** The name of a block, at the end of its last line or below it: ` ^soil-types`. */
const blockName = /(?:^|\s)\^(?=[\w-]*[a-z])([\w-]{3,100})\s*$/i;

/** The files of a site by their names in lower case, with and without `.md`; the least nested first. */
const namesOf = rememberedFor(({ paths }: SiteFiles): ReadonlyMap<string, readonly string[]> => {
  const byDepth = paths.toSorted((a, b) => a.split("/").length - b.split("/").length);
  return Map.groupBy(byDepth, (path) => nameOf(path).toLowerCase().replace(/\.md$/, ""));
});

/** The file that a link names: by its path from the page or any folder, or by its name alone. */
function fileNamed(written: string, { files, page }: PageContext): string | undefined {
  const path = written
    .trim()
    .replace(/^\/|\.md$/g, "")
    .replace(/^(?:\.\.?\/)+/, "")
    .toLowerCase();
  const candidates = (namesOf(files).get(nameOf(path)) ?? []).filter((file) =>
    `/${file.toLowerCase().replace(/\.md$/, "")}`.endsWith(`/${path}`),
  );
  return candidates.find((file) => folderOf(file) === folderOf(page.source)) ?? candidates[0];
}

export function wikiLinks(lines: PageText, context: PageContext): PageText {
  const { report, page } = context;
  const inserted = insertFiles(
    withoutComments(lines),
    { ...context, include: (path) => context.include(`/${fileNamed(path, context)}`, "") },
    ({ text, code }) => {
      const name = code ? undefined : embeddedPage.exec(text)?.[1];
      return name !== undefined && isPage(fileNamed(name, context) ?? "") ? name : undefined;
    },
    (text, _, line) => partOf(text, embeddedPage.exec(line)![2]!),
  );
  return mapText(inserted, (text, { line, generated }) => {
    if (generated || !/\[\[|\^|%%/.test(text)) return text;
    return text
      .replace(/%%[^%\n]{0,2000}%%/g, "")
      .replace(blockName, ' <a id="$1"></a>')
      .replace(wikiLink, (whole, mark: string, written: string, fragments: string, label?: string) => {
        const file = written === "" ? page.source : fileNamed(written, context);
        const shown = label?.trim() || [written, ...fragments.split("#").slice(1)].filter(Boolean).join(" > ");
        if (file === undefined) {
          report("link", `"${whole}" does not name a file in the folder.`, line);
          return whole;
        }
        if (mark !== "" && !isPage(file)) return embedded(file, label);
        const id = anchorIn(fragments);
        return `[${shown}](<${written === "" ? "" : `@repo/${file}`}${id === undefined ? "" : `#${id}`}>)`;
      });
  });
}

/** The anchor of `#Heading`, `#Heading#Inner` and `#^block`. */
const anchorIn = (fragments: string): string | undefined => {
  const last = fragments.split("#").at(-1);
  if (last === undefined || last === "") return undefined;
  return last.startsWith("^") ? last.slice(1) : githubSlugs.slug(last);
};

/** A whole page, the part below a heading, or the paragraph with a name. */
function partOf(text: string, fragments: string): string | undefined {
  const id = anchorIn(fragments);
  if (id === undefined) return text;
  if (!fragments.includes("#^")) return sectionOf(text, id, githubSlugs.slug);
  const blocks = text.split(/\n{2,}/);
  const at = blocks.findIndex((part) => part.split("\n").some((line) => blockName.exec(line)?.[1] === id));
  const without = (part: string | undefined) => part?.replace(new RegExp(blockName, "gim"), "").trimEnd();
  return without(blocks[at]) || without(blocks[at - 1]);
}

/** A picture, a video or a sound; any other file is a link. */
function embedded(file: string, label: string | undefined): string {
  const name = nameOf(file).replace(/"/g, "");
  const [, width, height] = /^(\d+)(?:x(\d+))?$/.exec(label?.trim() ?? "") ?? [];
  const size = `${width ? ` width="${width}"` : ""}${height ? ` height="${height}"` : ""}`;
  if (/\.(?:mp4|webm|mov|m4v|ogv)$/i.test(file)) return `<video src="@repo/${file}" controls${size}></video>`;
  if (/\.(?:mp3|wav|ogg|m4a)$/i.test(file)) return `<audio src="@repo/${file}" controls></audio>`;
  if (!/\.(?:png|jpe?g|gif|webp|avif|svg|bmp)$/i.test(file)) return `[${label || name}](<@repo/${file}>)`;
  return width ? `<img src="@repo/${file}" alt="${name}"${size} />` : `![${label || name}](<@repo/${file}>)`;
}

/** Removes Obsidian's comments that span lines: `%%` to `%%`. */
function withoutComments(lines: PageText): PageText {
  const isMark = ({ text, code }: Line): boolean => !code && /^\s*%%\s*$/.test(text);
  if (lines.filter(isMark).length % 2 === 1) return lines;
  let isInside = false;
  return lines.filter((line) => {
    const wasInside = isInside;
    if (isMark(line)) isInside = !isInside;
    return !wasInside && !isInside;
  });
}
