/**
 * Runs on the 404 page. Servers show that page at any URL, so its links start with the path of the site. If the page is
 * opened from disk, this makes the links relative to the root of the bundle, where the page is.
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

/** Replaces a script that failed to load: an element's script is not loaded again. */
function reload(failed: HTMLScriptElement, src: string): void {
  const script = document.createElement("script");
  // Run the scripts in the order of the document.
  script.async = false;
  script.src = src;
  failed.replaceWith(script);
}
