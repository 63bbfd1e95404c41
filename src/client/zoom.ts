import { all, create, makeButton, showDialog } from "./dom.js";
import { pageMessage } from "./page-message.js";

/** Images shown smaller than their natural size open large, by click or by key. */
export function wireZoom(): void {
  const images = all<HTMLImageElement>(".mdx-content img[data-zoom]");
  // All are measured before the first change, so that the page is laid out once.
  for (const image of images.filter((each) => each.complete).filter(isReduced)) offerZoom(image);
  for (const image of images)
    if (!image.complete) image.addEventListener("load", () => isReduced(image) && offerZoom(image), { once: true });
}

/** A vector drawing can be shown at any size. */
function isReduced(image: HTMLImageElement): boolean {
  const isVector = /\.svg(?:[?#]|$)|^data:image\/svg/.test(image.currentSrc);
  return image.naturalWidth > 0 && (isVector || image.naturalWidth > image.width * 1.1);
}

function offerZoom(image: HTMLImageElement): void {
  image.tabIndex = 0;
  image.dataset.zoom = "ready";
  if (image.alt.trim() === "") image.setAttribute("aria-label", pageMessage("enlarge"));
  makeButton(image, () => openLarge(image));
}

function openLarge(image: HTMLImageElement): void {
  const large = create("img", { src: image.currentSrc, alt: image.alt });
  showDialog("zoom-dialog", image.alt || pageMessage("enlarge"), large, () => true);
}
