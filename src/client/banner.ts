import { onClick } from "./dom.js";
import { remember } from "./memory.js";

/** A closed banner stays hidden until its content changes; on the next pages the script in the head hides it. */
export function wireBanner(): void {
  onClick(".banner-dismiss", () => {
    const root = document.documentElement;
    root.classList.add("banner-closed");
    remember("banner", root.dataset.bannerKey ?? "");
  });
}
