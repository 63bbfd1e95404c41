/** An address of a specification as a URL; an invalid one becomes the URL of the page. */
export function resolveUrl(text: string): URL {
  try {
    return new URL(text, document.baseURI);
  } catch {
    return new URL(document.baseURI);
  }
}
