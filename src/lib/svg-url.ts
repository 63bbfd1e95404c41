/** A larger drawing stays a file: a style that contains it would be slow to read. */
const maxLength = 64 * 1024;

/**
 * A drawing as an address that holds it; undefined for a large one. Browsers refuse masks from other files where a page is
 * opened from disk.
 */
export const svgUrl = (svg: string): string | undefined =>
  svg.length > maxLength ? undefined : `data:image/svg+xml,${encodeURIComponent(svg.toWellFormed())}`;
