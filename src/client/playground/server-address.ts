/** The address of a server in one spelling, without its default port; text that is no address stays as it is. */
export const serverAddress = (url: string): string =>
  URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).href.replace(/\/+$/, "") : url;
