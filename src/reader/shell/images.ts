import { all, create, makeButton, pageMessage, showDialog } from "../dom.js";

/** Replaces an image that fails to load with a box that shows its description, and a logo with the site's name. */
export function wireMissingImages(): void {
  // `error` does not bubble.
  document.addEventListener("error", (event) => replaceImage(event.target), true);
  // An image may have failed before this script runs; `decode` tells it from an SVG without a size.
  for (const image of all<HTMLImageElement>(".mdx-content img, .nav-logo"))
    if (image.complete && image.naturalWidth === 0) image.decode().catch(() => replaceImage(image));
}

function replaceImage(target: EventTarget | null): void {
  if (!(target instanceof HTMLImageElement)) return;
  // Without a network, pictures further down fail as well. Load them now, so that none moves the text when it comes into view.
  if (isForeign(target))
    for (const other of all<HTMLImageElement>('img[loading="lazy"]')) if (isForeign(other)) other.loading = "eager";
  const [first, ...others] = target.classList;
  if (first === "nav-logo") target.replaceWith(create("span", ["nav-name", ...others].join(" "), target.alt));
  if (!target.closest(".mdx-content")) return;
  // A missing icon next to its text needs no replacement.
  if (target.classList.contains("icon-image")) {
    target.remove();
    return;
  }
  const description = target.alt.trim();
  const room = target.width || target.parentElement!.clientWidth;
  // A small ornament has no room for words.
  if (description === "" && room > 0 && room < 96) {
    target.style.visibility = "hidden";
    return;
  }
  const text = description || pageMessage("pictureMissing");
  // Keep its classes, which may hide it in one colour mode.
  const names = `missing-image ${target.className}`.trim();
  target.replaceWith(create("span", { class: names, role: "img", "aria-label": text }, text));
}

const isForeign = ({ src }: HTMLImageElement): boolean => /^https?:/.test(src) && !src.startsWith(location.origin);

/** A click or a key enlarges an image that is shown smaller than its natural size. */
export function wireZoom(): void {
  const images = all<HTMLImageElement>(".mdx-content img[data-zoom]");
  // Measure all before the first change, so that the page is laid out once.
  for (const image of images.filter((image) => image.complete && isReduced(image))) offerZoom(image);
  for (const image of images)
    if (!image.complete) image.addEventListener("load", () => isReduced(image) && offerZoom(image), { once: true });
}

/** Whether an image can be shown larger. A vector image always can. */
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
