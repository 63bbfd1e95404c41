/** Thrown for pattern features that this engine does not support. */
export class Unsupported extends Error {}
