/** Blurs what scrolls below the header. At the top of a page nothing does, and the blur would delay the first paint. */
export function wireHeader(): void {
  const header = document.querySelector(".site-header");
  addEventListener("scroll", () => header?.toggleAttribute("data-over", scrollY > 0), { passive: true });
}
