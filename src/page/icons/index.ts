/**
 * In:  the name of an icon as pages write it, an emoji, the address of an image, or SVG.
 * Out: an icon, or a diagnostic with the nearest name.
 */
export { createIcons } from "./create-icons.js";
