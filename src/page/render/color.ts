/** A CSS colour that cannot break out of a style or an attribute; undefined for any other text. */
export function safeColor(written: string): string | undefined {
  const color = written.trim();
  if (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(color)) return color;
  if (/^[0-9a-f]{6}$/i.test(color) && /\d/.test(color)) return `#${color}`;
  if (/^[a-z]{3,30}$/i.test(color)) return color;
  const isFunction =
    /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|var)\([\w\s.,%/+#()-]{1,200}\)$/i;
  return isFunction.test(color) && balanced(color) ? color : undefined;
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
}
