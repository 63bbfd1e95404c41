/** Thrown for what a pattern holds that has no counterpart in this engine. */
export class Unsupported extends Error {}
