/** True for a link that may be written into a page: to a place in the site, to the web, to mail or telephone. */
export function isSafeHref(href: string): boolean {
  return /^(?:https?:|mailto:|tel:)/i.test(href) || !/^[\s\p{Cc}]*[a-z][a-z0-9+.\s\p{Cc}-]*:/iu.test(href);
}

/** A page's address as a link in a setting: each part percent-encoded. */
export const hrefOfPath = (urlPath: string): string => urlPath.split("/").map(encodeURIComponent).join("/");
