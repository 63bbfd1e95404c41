import { all, create } from "./dom.js";
import { pageMessage } from "./page-message.js";

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
