import { create } from "../dom.js";
import type { AssistantHost } from "./assistant-host.js";
import type { Turn } from "./session.js";

/**
 * The address of a section in this bundle, so that it opens from wherever the bundle is. Other web addresses are
 * unchanged; undefined: not an address that a page may open.
 */
export function localAddress(root: string, url: string, found: Turn["found"]): string | undefined {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const [target = "", anchor] = url.split("#");
  for (const { path, url: whole } of found) {
    const [address, place] = [whole, path].map((each) => each.split("#")[0]!.replace(/\/$/, "")) as [string, string];
    const base = address.slice(0, address.length - place.length);
    if (!address.endsWith(place) || !`${target}/`.startsWith(`${base}/`)) continue;
    const file = target.slice(base.length).replace(/^\/|\/$/g, "") || "index";
    return `${root}${file}.html${anchor ? `#${anchor}` : ""}`;
  }
  return url;
}

/** A link of an answer. The number of a source becomes a mark. */
export function answerLink({ root, texts }: AssistantHost, turn: Turn, url: string, label: string) {
  const href = localAddress(root, url, turn.found);
  if (href === undefined) return undefined;
  const link = create("a", { href });
  if (href === url) Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
  const number = /^\[?(\d{1,3})\]?$/.exec(label)?.[1];
  if (number === undefined) return link;
  const title = turn.sources.find(({ id }) => id === number)?.title;
  link.className = "assistant-mark";
  link.append(number);
  link.ariaLabel = `${texts.source.replace("%", number)}${title ? `: ${title}` : ""}`;
  if (title) link.title = title;
  return link;
}
