/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export const storable = (text: string): string => text.replaceAll("\0", "\ufffd").toWellFormed();
