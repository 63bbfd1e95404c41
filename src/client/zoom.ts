import { all, create, makeButton, showDialog } from "./dom.js";
import { pageMessage } from "./page-message.js";

/** Images shown smaller than their natural size open large, by click or by key. */
export function wireZoom(): void {
  for (const image of all<HTMLImageElement>(".mdx-content img[data-zoom]"))
    if (image.complete) offerZoom(image);
    else image.addEventListener("load", () => offerZoom(image), { once: true });
}

function offerZoom(image: HTMLImageElement): void {
  // A vector drawing can be shown at any size.
  const isVector = /\.svg(?:[?#]|$)|^data:image\/svg/.test(image.currentSrc);
  if (image.naturalWidth === 0 || (!isVector && image.naturalWidth <= image.width * 1.1)) return;
  image.tabIndex = 0;
  image.dataset.zoom = "ready";
  if (image.alt.trim() === "") image.setAttribute("aria-label", pageMessage("enlarge"));
  makeButton(image, () => openLarge(image));
}

function openLarge(image: HTMLImageElement): void {
  const large = create("img", { src: image.currentSrc, alt: image.alt });
  showDialog("zoom-dialog", image.alt || pageMessage("enlarge"), large, () => true);
}
