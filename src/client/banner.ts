import { onClick } from "./dom.js";
import { remember } from "./memory.js";

/** A banner once closed stays away until its content changes; the head's script hides it on the next page. */
export function wireBanner(): void {
  onClick(".banner-dismiss", () => {
    const root = document.documentElement;
    root.classList.add("banner-closed");
    remember("banner", root.dataset.bannerKey ?? "");
  });
}
