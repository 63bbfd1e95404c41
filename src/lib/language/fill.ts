/** The phrase with a value in its gap: `fill("Link to %", "the end")`. */
export const fill = (phrase: string, value: string | number): string => phrase.replace("%", () => String(value));
