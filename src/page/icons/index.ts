/**
 * In:  the name of an icon as writers type it, an emoji, a picture's address or SVG.
 * Out: a drawing, or a diagnostic with the nearest name.
 */
export { createIcons } from "./create-icons.js";
