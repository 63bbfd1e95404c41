import { all, create, makeButton, pageMessage, showDialog } from "../dom.js";

/** An image of the page that does not load becomes the box with its description that missing files of the site have. */
export function wireMissingImages(): void {
  // The event does not bubble.
  document.addEventListener("error", (event) => replaceImage(event.target), true);
  // Some have failed before this script runs; a drawing without a size has not.
  for (const image of all<HTMLImageElement>(".mdx-content img"))
    if (image.complete && image.naturalWidth === 0) image.decode().catch(() => replaceImage(image));
}

function replaceImage(target: EventTarget | null): void {
  if (!(target instanceof HTMLImageElement) || !target.closest(".mdx-content")) return;
  // Next to its text an icon is not missed.
  if (target.classList.contains("icon-image")) {
    target.remove();
    return;
  }
  const text = target.alt.trim() || pageMessage("pictureMissing");
  // Its own classes may hide it in one of the colour modes.
  const names = `missing-image ${target.className}`.trim();
  target.replaceWith(create("span", { class: names, role: "img", "aria-label": text }, text));
}

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
