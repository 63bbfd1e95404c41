/**
 * Pages, videos and players of other hosts. The page shows a link instead, with title, host and, if the export copies
 * it, a picture: it is useful from disk, offline and on paper. A click replaces it by the content, which is in a
 * `template`, where browsers load nothing.
 */
import type { Element, ElementContent, Properties } from "hast";
import type { Location } from "../../../lib/diagnostic/index.js";
import { parseHttpUrl } from "../../../lib/url/index.js";
import { labelOf } from "../../components/index.js";
import { element } from "../nodes.js";
import { copyOf } from "../page-links.js";
import type { PageRender } from "../page-render.js";
import players from "../players.json" with { type: "json" };
import { linkElement } from "./link.js";

/** The URLs of a host for one video or tool. `$1` is the first group of `address`, a pattern without protocol. */
interface Player {
  readonly name: string;
  readonly address: string;
  /** URL that the frame loads. Default: the address in the page. */
  readonly content?: string;
  /** URL of the link. Default: the address in the page. */
  readonly page?: string;
  readonly picture?: string;
  /** The query that starts to play at once, since the reader has clicked already. */
  readonly play?: string;
  /** Whether it refuses pages without a host: from disk, the reader gets the link. */
  readonly needsHost?: boolean;
  /** Whether it is not a video. */
  readonly isTool?: boolean;
}
const knownPlayers = (players as readonly Player[]).map(({ address, ...player }) => ({
  ...player,
  form: new RegExp(address, "i"),
}));

/** Elements that load a page, video or audio, with the attribute for the address. */
const addressNames: ReadonlyMap<string, string> = new Map([
  ["iframe", "src"],
  ["embed", "src"],
  ["object", "data"],
  ["video", "src"],
  ["audio", "src"],
]);

/** Whether an element may show content of another host. @param name in HTML's spelling. */
export const isEmbedded = (name: string): boolean => addressNames.has(name);

/**
 * The link that replaces an element with content of another host; undefined for content of the site, and for an
 * invisible element.
 *
 * @param properties filtered, with resolved addresses.
 */
export function embedLink(
  page: PageRender,
  name: string,
  properties: Properties,
  children: readonly ElementContent[],
  location: Location,
): Element | undefined {
  const addressName = addressNames.get(name);
  if (addressName === undefined) return undefined;
  const isFilm = name === "video" || name === "audio";
  const sources = isFilm ? children.filter(isSource).map((child) => child.properties["src"]) : [];
  const addresses = [properties[addressName], ...sources].filter((address) => typeof address === "string");
  const urls = addresses.map((address) => parseHttpUrl(address.startsWith("//") ? `https:${address}` : address));
  const url = urls[0];
  // A browser takes the first source that it can play, so one file of the site is enough.
  if (url === undefined || urls.includes(undefined) || isInvisible(properties)) return undefined;
  const player = isFilm ? undefined : playerOf(url);
  const attributes = new Map(Object.entries(properties).map(([key, value]) => [key.toLowerCase(), value]));
  const written: WrittenText = (attribute) => {
    const value = attributes.get(attribute);
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const [style, width, height, poster] = ["style", "width", "height", "poster"].map(written);
  const classes = classNames(properties["className"]);
  const heading = [written("title"), written("aria-label"), captionAround(page)].find((text) => text?.trim());
  const host = url.hostname.replace(/^www\./, "");
  const label = heading ?? player?.name ?? (name === "iframe" ? undefined : fileName(url)) ?? host;
  const content = isFilm
    ? element(name, { ...without(properties, boxAttributes), className: [...classes, ...styleClasses(page, style)] }, [
        ...children,
      ])
    : element("iframe", { title: label, ...frameProperties(written, player, url) }, []);
  const picture = poster !== undefined ? localOnly(poster) : copyOf(page, player?.picture, location);
  const link = linkElement({ className: ["embed-link"], href: player?.page ?? url.href }, [
    ...(picture === undefined ? [] : [pictureElement(picture)]),
    element("span", { className: ["embed-mark"], ariaHidden: "true" }, []),
    textElement("embed-title", label),
    ...(label === host ? [] : [textElement("embed-host", host)]),
  ]);
  const isPlayer = isFilm || (player !== undefined && !player.isTool);
  // A box of a fixed ratio around it would have a hole below a lower link.
  const fillsBox = classes.includes("absolute") || /position\s*:\s*absolute/i.test(style ?? "");
  const kinds = [isPlayer && "embed-player", name === "audio" && "embed-audio", fillsBox && "embed-fill"];
  const size = name === "audio" ? undefined : isPlayer ? ratioOf(width, height) : heightOf(height);
  const box: Properties = {
    className: ["embed", ...kinds.filter((kind) => kind !== false), ...classes, ...styleClasses(page, size, style)],
    ...(written("id") !== undefined && { id: written("id")! }),
    ...(player?.needsHost && { dataNeedsHost: "" }),
    ...(isFilm && attributes.get("autoplay") === true && { dataAuto: "" }),
  };
  return element("span", box, [link, element("template", { dataEmbed: "" }, [content])]);
}

/** The value of an attribute, by its name in lower case. */
type WrittenText = (attribute: string) => string | undefined;

/** Attributes that the box has instead of its content. */
const boxAttributes = new Set(["id", "class", "classname", "style", "title"]);

const without = (properties: Properties, names: ReadonlySet<string>): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name.toLowerCase())));

const textElement = (className: string, value: string): Element =>
  element("span", { className: [className] }, [{ type: "text", value }]);

const pictureElement = (src: string): Element =>
  element("img", { className: ["embed-picture"], src, alt: "", loading: "lazy" }, []);

const isSource = (child: ElementContent): child is Element => child.type === "element" && child.tagName === "source";

/** Whether it is a frame that only counts visits. */
const isInvisible = ({ width, height, style, hidden }: Properties): boolean =>
  hidden === true ||
  [width, height].some((size) => /^[01](?:px)?$/.test(String(size))) ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(String(style ?? ""));

type FoundPlayer = Omit<Player, "address">;

function playerOf({ host, pathname, search }: URL): FoundPlayer | undefined {
  for (const { form, ...player } of knownPlayers) {
    const match = form.exec(host + pathname + search);
    if (!match) continue;
    const filled = (["content", "page", "picture"] as const).flatMap((name) => {
      const pattern = player[name];
      return pattern === undefined
        ? []
        : [[name, pattern.replace(/\$(\d)/g, (_, group) => match[Number(group)] ?? "")]];
    });
    return { ...player, ...Object.fromEntries(filled) };
  }
  return undefined;
}

function frameProperties(written: WrittenText, player: FoundPlayer | undefined, url: URL): Properties {
  const address = new URL(player?.content ?? url);
  // Keep options such as the start of a video or the file of a sandbox.
  if (player?.content)
    for (const [key, value] of url.searchParams) if (key !== "v") address.searchParams.set(key, value);
  const [key, value] = player?.play?.split("=") ?? [];
  if (key !== undefined) address.searchParams.set(key, value ?? "");
  return {
    src: address.href,
    allow: written("allow") ?? "autoplay; fullscreen; encrypted-media; picture-in-picture; clipboard-write",
    allowFullScreen: true,
    ...(written("sandbox") !== undefined && { sandbox: written("sandbox")!.split(" ") }),
    referrerPolicy: written("referrerpolicy") ?? "strict-origin-when-cross-origin",
  };
}

/** The caption of the `Frame` around the current node. */
function captionAround({ position }: PageRender): string | undefined {
  const props = position.around.findLast(({ name }) => name === "Frame")?.props;
  return [props?.["caption"], props?.["description"]]
    .map((nodes) => labelOf(nodes as readonly ElementContent[] | undefined))
    .find(Boolean);
}

/** The name of a file in words, if it seems to be chosen by a person. */
const fileName = ({ pathname }: URL): string | undefined => {
  const name = /\/([^/]*)\.\w{2,4}$/.exec(pathname)?.[1];
  return name !== undefined && /^[a-z]{3}/i.test(name) && !/\d{6}|[%0-9a-f]{12}/i.test(name)
    ? name.replace(/[-_]+/g, " ")
    : undefined;
};

const localOnly = (src: string): string | undefined => (/^(?:[a-z][\w+.-]*:)?\/\//i.test(src) ? undefined : src);

const classNames = (written: Properties[string]): string[] =>
  Array.isArray(written)
    ? written.map(String)
    : typeof written === "string"
      ? written.split(/\s+/).filter(Boolean)
      : [];

/** Turns styles into classes, since a strict content security policy forbids `style` attributes. */
function styleClasses({ collector, context }: PageRender, ...styles: (string | undefined)[]): string[] {
  const declarations = styles.filter(Boolean).join(";");
  return declarations === "" ? [] : [collector.islandStyles.classOf(declarations, undefined, context.plan.outputPath)];
}

const pixels = (value: string | undefined): number | undefined => {
  const size = Number(/^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/.exec(value ?? "")?.[1]);
  return size > 0 ? size : undefined;
};

/** Undefined for 16:9, which most players have. */
function ratioOf(width: string | undefined, height: string | undefined): string | undefined {
  const [w, h] = [pixels(width), pixels(height)];
  if (w === undefined || h === undefined) return heightOf(w === undefined ? height : undefined);
  return Math.abs(w / h - 16 / 9) < 0.05 ? undefined : `aspect-ratio:${w}/${h}`;
}

function heightOf(height: string | undefined): string | undefined {
  const h = pixels(height);
  return h === undefined ? undefined : `height:${h}px;aspect-ratio:auto`;
}
