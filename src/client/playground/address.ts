/** An address as a URL, whatever a specification has in its place; one that is none at all leads to the page. */
export function urlOf(text: string): URL {
  try {
    return new URL(text, document.baseURI);
  } catch {
    return new URL(document.baseURI);
  }
}
