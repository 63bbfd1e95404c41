import { fileURLToPath } from "node:url";

/**
 * Absolute path of something that the build makes, by its path in `dist/`; the same from compiled and uncompiled code.
 * Only this file and others beside it may ask where they are: the build joins the rest into files of this folder.
 */
export const builtFile = (path: string): string => fileURLToPath(new URL(`../dist/${path}`, import.meta.url));
