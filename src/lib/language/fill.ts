/** Puts a value in place of the `%`: `fill("Link to %", "the end")`. */
export const fill = (message: string, value: string | number): string => message.replace("%", () => String(value));
