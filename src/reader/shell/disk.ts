/**
 * Runs on the page for unknown addresses. Its links start with the path of the site's address, since servers show it at any
 * address. If it is opened from disk, they are made relative: the page is at the root of the bundle.
 */
if (location.protocol === "file:")
  document.addEventListener("DOMContentLoaded", () => {
    const html = document.documentElement;
    const { root = "" } = html.dataset;
    html.dataset.root = "";
    for (const name of ["href", "src", "data-nav-script"])
      for (const element of document.querySelectorAll<HTMLElement>(`[${name}]`)) {
        const written = element.getAttribute(name)!;
        if (!written.startsWith(root) || written.startsWith("//")) continue;
        const relative = written.slice(root.length) || "index.html";
        if (element instanceof HTMLScriptElement) reload(element, relative);
        else element.setAttribute(name, relative);
      }
  });

/** A script that could not be loaded does not run again, so another one takes its place. */
function reload(failed: HTMLScriptElement, src: string): void {
  const script = document.createElement("script");
  // In the order of the document.
  script.async = false;
  script.src = src;
  failed.replaceWith(script);
}
