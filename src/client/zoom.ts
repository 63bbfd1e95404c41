import { all, create, showDialog } from "./dom.js";
import { pageMessage } from "./page-message.js";

/** Pictures of the page that are shown smaller than they are open large, by click or by key. */
export function wireZoom(): void {
  for (const image of all<HTMLImageElement>(".mdx-content img[data-zoom]"))
    if (image.complete) offer(image);
    else image.addEventListener("load", () => offer(image), { once: true });
}

function offer(image: HTMLImageElement): void {
  // A vector drawing can be shown at any size.
  const isVector = /\.svg(?:[?#]|$)|^data:image\/svg/.test(image.currentSrc);
  if (image.naturalWidth === 0 || (!isVector && image.naturalWidth <= image.width * 1.1)) return;
  image.tabIndex = 0;
  image.setAttribute("role", "button");
  image.setAttribute("aria-haspopup", "dialog");
  image.dataset.zoom = "ready";
  if (image.alt.trim() === "") image.setAttribute("aria-label", pageMessage("enlarge"));
  image.addEventListener("click", () => open(image));
  image.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open(image);
  });
}

function open(image: HTMLImageElement): void {
  const large = create("img", { src: image.currentSrc, alt: image.alt });
  showDialog("zoom-dialog", image.alt || pageMessage("enlarge"), large, () => true);
}
