/** About as much HTML as fills a window. */
const firstScreen = 4000;
const lazyImage = '<img loading="lazy"';

/** Images wait until they come near the window. The first one of a page that starts with it loads at once instead. */
export function loadFirstImage(html: string): string {
  const at = html.slice(0, firstScreen).indexOf(lazyImage);
  return at < 0 ? html : `${html.slice(0, at)}<img fetchpriority="high"${html.slice(at + lazyImage.length)}`;
}
