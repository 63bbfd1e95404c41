const colorForms =
  /^(?:#[\da-f]{3,8}|[a-z]+|var\(--[\w-]+\)|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\w\s.,%/+-]*\))$/i;

/** Whether the text has the form of one CSS colour, so that it loads nothing and ends nothing; names are not looked up. */
export const isCssColor = (text: string): boolean => text.length <= 100 && colorForms.test(text.trim());
