/** Selects links to pages of the bundle that a click opens: they are relative and end in `.html`. */
export const pageLinks =
  "a:is([href$='.html'],[href*='.html#']):not([href*='//'],[target],[download],[data-nav-group])";
