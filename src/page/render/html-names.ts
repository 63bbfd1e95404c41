/** Elements that pages may use. Names with a hyphen are custom elements and are always allowed. */
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const html = words(
  "a abbr acronym address area article aside audio b bdi bdo big blockquote body br button canvas caption center cite " +
    "code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font " +
    "footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark " +
    "marquee menu meter nav nobr object ol optgroup option output p param picture pre progress q rb rbc rp rt rtc ruby s " +
    "samp script search section select slot small source span strike strong style sub summary sup table tbody td textarea " +
    "tfoot th thead time title tr track tt u ul var video wbr",
);
const svg = words(
  "a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer " +
    "feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB " +
    "feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting " +
    "feSpotLight feTile feTurbulence filter foreignObject g image line linearGradient marker mask metadata mpath path " +
    "pattern polygon polyline radialGradient rect set stop svg switch symbol text textPath tspan use view",
);
const math = words(
  "annotation annotation-xml maction math menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom " +
    "mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics",
);
/** Never shown: they would load, redirect or reinterpret the document, or their content is not markup. */
const dropped = words(
  "applet base basefont bgsound frame frameset isindex keygen listing meta noembed noframes noscript plaintext portal " +
    "template xmp",
);

/** SVG names by their lower-case form. */
const lowerCased = new Map([...svg].map((name) => [name.toLowerCase(), name]));

/** The name as HTML spells it; undefined if there is no such element. */
export function elementName(written: string): string | undefined {
  if (html.has(written) || svg.has(written) || math.has(written)) return written;
  const lower = written.toLowerCase();
  if (written !== lower) return lowerCased.get(lower);
  if (lowerCased.has(lower)) return lowerCased.get(lower);
  return /^[a-z][a-z0-9.]*-[a-z0-9._-]*$/.test(written) ? written : undefined;
}
export const isDropped = (name: string): boolean => dropped.has(name.toLowerCase());

/** Elements without content. */
export const voidElements = words("area br col embed hr img input link param source track wbr");

/** Elements at which an HTML parser closes an open `p`. */
export const blockElements = words(
  "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 header hgroup hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul caption",
);

/** Text-level elements: a paragraph that holds only these is still a paragraph. */
export const textElements = words(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub " +
    "sup time tt u var",
);

/** Elements that allow no blocks: paragraphs inside them are unwrapped. */
export const phrasingOnly = words(
  "abbr acronym b bdi bdo big button cite code data dfn em font h1 h2 h3 h4 h5 h6 i kbd label legend mark meter output p " +
    "progress q rp rt s samp small span strike strong sub summary sup text time tspan tt u var",
);

/** HTML elements at which a parser leaves `svg` and `math`. */
export const breaksOutOfForeign = words(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol " +
    "p pre ruby s small span strike strong sub sup table tt u ul var",
);
