import type { Element, Properties } from "hast";
import type { Image, ImageReference } from "mdast";
import { hintOf, type Location, warningOf } from "../../../lib/diagnostic/index.js";
import type { ImageSource } from "../../components/index.js";
import type { PropValue } from "../../content/index.js";
import { element, type Handler, pageOf } from "../nodes.js";
import { fileFor } from "../page-links.js";
import { locationOf, type PageRender } from "../page-render.js";
import { embedLink } from "./embed.js";
import { definitionOf } from "./link.js";
import { reportFile } from "./media-faults.js";

export const image: Handler<Image> = (state, node) => {
  const page = pageOf(state);
  return markdownImage(page, node.url, node.alt, node.title, locationOf(page, node));
};

export const imageReference: Handler<ImageReference> = (state, node) => {
  const page = pageOf(state);
  const definition = definitionOf(state, node.identifier);
  if (definition) return markdownImage(page, definition.url, node.alt, definition.title, locationOf(page, node));
  return { type: "text", value: `![${node.alt ?? ""}]` };
};

function markdownImage(
  page: PageRender,
  url: string,
  alt: string | null | undefined,
  title: string | null | undefined,
  location: Location,
): Element {
  const source = imageSource(page, url, location);
  if (!source) return missingImage(page, alt ?? "");
  const [typed, words, size] = /^(.*)\|(\d{1,4})(?:x\d{1,4})?$/.exec(alt ?? "") ?? [];
  if (typed !== undefined)
    page.collector.reportOnce(`FOREIGN_MARKUP ${location.line} ${typed}`, () => ({
      ...warningOf("FOREIGN_MARKUP", location),
      what: `"|${typed.slice(words!.length + 1)}" sets the size of an image in other tools; here it is part of the alt text.`,
      fix: `write <img src="${url}" alt="${words}" width="${size}" />`,
    }));
  if (!alt) reportNoAlt(page, { ...location, length: "![](".length });
  const properties: Properties = { alt: alt ?? "" };
  if (title) properties["title"] = title;
  return imageElement(page, { ...source, ...properties }, true, location);
}

/** The rule MD045 of markdownlint. With an empty `alt`, the image is decoration. */
function reportNoAlt(page: PageRender, location: Location): void {
  page.collector.reportOnce(`IMAGE_WITHOUT_ALT ${location.line}:${location.column}`, () => ({
    ...hintOf("IMAGE_WITHOUT_ALT", location),
    what: "The image has no alt text for readers who cannot see it.",
    about: [`image ${location.sourcePath}:${location.line}:${location.column}`],
    fix: 'describe it: ![what it shows](…), or write alt="" if it is only decorative.',
  }));
}

/** Shows the description of an image or a video that cannot be loaded, so that readers know what is missing. */
export function missingImage(page: PageRender, alt: string): Element {
  const text = alt.trim() === "" ? page.context.messages.pictureMissing : alt;
  const properties = { className: ["missing-image"], role: "img", ariaLabel: text };
  return element("span", properties, [{ type: "text", value: text }]);
}

/** An image as components receive it; undefined for one that may not or cannot be loaded. */
export function imageSource(page: PageRender, written: string, location: Location): ImageSource | undefined {
  const file = fileFor(page, written, "image", location);
  if (!file) return undefined;
  const measured = file.sourcePath === undefined ? undefined : page.context.tools.measure(file.sourcePath);
  const { fault, ...size } = measured ?? {};
  if (fault) reportFile(page, written, fault, location);
  return { src: file.src, ...(file.size ?? size) };
}

/** An image written as an `img` tag. @param attributes filtered, without the address. @param address as written. */
export function sizedImage(page: PageRender, attributes: Properties, address: PropValue, location: Location): Element {
  const { noZoom, ...properties } = attributes;
  const source = typeof address === "string" ? imageSource(page, address, location) : undefined;
  if (!source) return missingImage(page, String(properties["alt"] ?? ""));
  if (!("alt" in properties)) {
    reportNoAlt(page, { ...location, length: "<img".length });
    properties["alt"] = "";
  }
  const zoom = noZoom === undefined || /^false$/i.test(String(noZoom));
  const complete = { src: source.src, ...sizeBeside(properties, source), ...properties };
  return imageElement(page, complete, zoom, location);
}

/** The size that the author did not write: as measured, or in proportion to the side that is written. */
function sizeBeside(written: Properties, source: ImageSource): Properties {
  if (source.width === undefined || source.height === undefined) return {};
  if (written["width"] === undefined && written["height"] === undefined)
    return { width: source.width, height: source.height };
  const width = pixels(written["width"]);
  const height = pixels(written["height"]);
  if (width !== undefined && written["height"] === undefined)
    return { height: Math.round((width * source.height) / source.width) };
  if (height !== undefined && written["width"] === undefined)
    return { width: Math.round((height * source.width) / source.height) };
  return {};
}

function pixels(value: unknown): number | undefined {
  const text = String(value).replace(/px$/, "");
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const videoFile = /^[^?#]+\.(?:mp4|webm|mov|m4v|ogv)(?:[?#].*)?$/i;

function imageElement(page: PageRender, properties: Properties, zoom: boolean, location: Location): Element {
  const { src, alt, title, id, className, style, width, height } = properties;
  if (videoFile.test(String(src))) {
    const label = alt ? { "aria-label": alt } : {};
    const written = Object.entries({ title, id, className, style, width, height }).filter(([, value]) => value != null);
    const video: Properties = { src: src!, controls: true, ...label, ...Object.fromEntries(written) };
    return embedLink(page, "video", video, [], location) ?? element("video", video, []);
  }
  const complete: Properties = { loading: "lazy", decoding: "async", ...properties };
  if (zoom) complete["dataZoom"] = "";
  return element("img", complete, []);
}
