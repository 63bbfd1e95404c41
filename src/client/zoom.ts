import { all, create } from "./dom.ts";

/** Pictures of the page that are shown smaller than they are open large on a click. */
export function wireZoom(): void {
  for (const image of all<HTMLImageElement>(".mdx-content img[data-zoom]")) {
    image.tabIndex = 0;
    image.setAttribute("role", "button");
    image.setAttribute("aria-haspopup", "dialog");
    image.addEventListener("click", () => open(image));
    image.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open(image);
    });
  }
}

function open(image: HTMLImageElement): void {
  const large = create("img", { src: image.currentSrc || image.src, alt: image.alt });
  const dialog = create("dialog", { class: "zoom-dialog", "aria-label": image.alt }, large);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
