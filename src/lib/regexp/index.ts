/** Regular expressions of a site's texts: read into a tree, so that their users never run them as they are. */
export { charSet, PatternError, type PatternNode, type PatternRepeat, parsePattern } from "./parse-pattern.js";
