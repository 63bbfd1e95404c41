// What a page shows, measured in the browser: the functions here run in the page and take nothing from outside of themselves.

/** A fault that a reader can see. */
export interface Fault {
  readonly kind: string;
  readonly what: string;
  readonly selector: string;
}

/** A text on a picture or gradient: its contrast is measured on pixels. */
export interface TextOnPicture {
  readonly region: string;
  readonly selector: string;
  readonly text: string;
  /** Red, green, blue from 0 to 255. */
  readonly color: readonly [number, number, number];
  /** Least ratio. */
  readonly least: number;
  /** Of the document, in CSS pixels. */
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

export interface Inspection {
  readonly faults: readonly Fault[];
  /** How many texts, boxes and tables were looked at, by kind of fault. */
  readonly checked: Readonly<Record<string, number>>;
  readonly onPictures: readonly TextOnPicture[];
}

/** Everything that can be measured without pictures. */
export function inspectPage({ isPhone, isFile }: { readonly isPhone: boolean; readonly isFile: boolean }): Inspection {
  const faults: Fault[] = [];
  const onPictures: TextOnPicture[] = [];
  const checked: Record<string, number> = {};
  const count = (kind: string): void => {
    checked[kind] = (checked[kind] ?? 0) + 1;
  };
  const report = (kind: string, element: Element, what: string): void => {
    if (faults.length < 400) faults.push({ kind, what, selector: selectorOf(element) });
  };

  function selectorOf(element: Element): string {
    const parts: string[] = [];
    for (let each: Element | null = element; each && parts.length < 3; each = each.parentElement) {
      const names = [...each.classList].slice(0, 2).map((name) => `.${name}`);
      parts.unshift(each.id === "" ? each.localName + names.join("") : `#${each.id}`);
      if (each.id !== "") break;
    }
    return parts.join(" > ");
  }

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
  type Color = readonly [number, number, number, number];
  const colors = new Map<string, Color>();
  /** @returns red, green and blue from 0 to 255, and opacity from 0 to 1. */
  function colorOf(css: string): Color {
    let color = colors.get(css);
    if (color === undefined) {
      const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(css);
      if (plain) color = [Number(plain[1]), Number(plain[2]), Number(plain[3]), Number(plain[4] ?? 1)];
      else {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = css;
        canvas.fillRect(0, 0, 1, 1);
        const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
        color = [r, g, b, a / 255];
      }
      colors.set(css, color);
    }
    return color;
  }
  const over = (top: Color, below: Color): Color => {
    const [r, g, b] = [0, 1, 2].map((i) => top[i]! * top[3] + below[i]! * (1 - top[3]));
    return [r!, g!, b!, 1];
  };
  const lightness = (color: Color): number => {
    const [r, g, b] = color.slice(0, 3).map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const contrastOf = (a: Color, b: Color): number => {
    const [high, low] = [lightness(a), lightness(b)].sort((x, y) => y - x);
    return (high! + 0.05) / (low! + 0.05);
  };

  const isShown = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false });

  /** Rules of the site's own styles, and of styles in the page, that set a colour of text. */
  const authorRules: string[] = [];
  for (const sheet of document.styleSheets) {
    const isAuthors = /\/site\/|_offprint\/i\/|utilities\./.test(sheet.href ?? "/site/");
    try {
      if (isAuthors) collectRules(sheet.cssRules);
    } catch {
      // A style of another host.
    }
  }
  function collectRules(rules: CSSRuleList): void {
    for (const rule of rules)
      if (rule instanceof CSSStyleRule) {
        const { color, opacity, filter } = rule.style;
        const fill = rule.style.getPropertyValue("-webkit-text-fill-color");
        if (color || opacity || filter || fill) authorRules.push(rule.selectorText);
      } else if ("cssRules" in rule) collectRules(rule.cssRules as CSSRuleList);
  }
  /** Whether the author of the site chose the colour of a text: on the element, or on one from which it inherits. */
  function isAuthorsColor(element: Element): boolean {
    const color = getComputedStyle(element).color;
    for (let each: Element | null = element; each && each.localName !== "body"; each = each.parentElement) {
      if (getComputedStyle(each).color !== color) return false;
      const style = (each as HTMLElement).style;
      if (style?.color || style?.opacity || each.getAttribute("color")) return true;
      if (authorRules.some((selector) => matches(each!, selector))) return true;
    }
    return false;
  }
  function matches(element: Element, selector: string): boolean {
    try {
      return element.matches(selector);
    } catch {
      return false;
    }
  }

  function regionOf(element: Element): string {
    if (element.closest("[id*=banner]")) return "banner";
    if (element.closest("header")) return "header";
    if (element.closest("pre")) return "code";
    if (element.closest("button, [role=button], .topbar-cta-button")) return "button";
    if (element.closest("#table-of-contents, [id*=outline], [class*=outline], .toc")) return "table of contents";
    if (element.closest("nav, #sidebar")) return "navigation";
    if (element.closest("footer")) return "footer";
    return element.closest("[class*=card], [class*=tile]") ? "card" : "content";
  }

  // Contrast of text.
  const seen = new Set<string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  // From a file, a page may not read its styles, so that the colours of authors cannot be told apart.
  for (let node = isFile ? null : walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement!;
    const text = node.nodeValue!.trim();
    if (!/[\p{L}\p{N}]/u.test(text) || /^(?:script|style|template|noscript|title|option)$/.test(element.localName))
      continue;
    if (element.closest("svg, [disabled], [aria-disabled=true]") || !isShown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width < 3 || box.height < 3 || box.right <= 0 || box.left >= innerWidth) continue;
    const own = element.getBoundingClientRect();
    if (own.width <= 2 || own.height <= 2) continue;
    const style = getComputedStyle(element);
    if (style.backgroundClip === "text" || style.getPropertyValue("-webkit-background-clip") === "text") continue;
    const fill = style.getPropertyValue("-webkit-text-fill-color");
    let color = colorOf(fill === "" ? style.color : fill);
    if (color[3] === 0) continue;
    const layers: Color[] = [];
    let opacity = 1;
    let hasPicture = false;
    let isCovered = false;
    for (let each: Element | null = element; each; each = each.parentElement) {
      // What the body paints is below the page, unless the root paints, too.
      const isBelow =
        each === document.body && colorOf(getComputedStyle(document.documentElement).backgroundColor)[3] === 0;
      const above = isBelow && document.querySelector("#background-color");
      const isClear = !above || colorOf(getComputedStyle(above).backgroundColor)[3] === 0;
      const { backgroundColor, backgroundImage, opacity: part, filter } = getComputedStyle(isClear ? each : above);
      opacity *= Number(part);
      if (backgroundImage !== "none" || filter !== "none") hasPicture = true;
      const layer = colorOf(backgroundColor);
      if (layer[3] > 0) layers.push(layer);
      if (layer[3] === 1 || hasPicture) {
        isCovered = true;
        break;
      }
    }
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const least = isLarge ? 3 : 4.5;
    const region = regionOf(element);
    const kind = `contrast in ${region}`;
    count(kind);
    if (hasPicture) {
      if (onPictures.length < 12 && !isAuthorsColor(element))
        onPictures.push({
          ...{ region, least, selector: selectorOf(element), text: text.slice(0, 40) },
          color: [color[0], color[1], color[2]],
          box: { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height },
        });
      continue;
    }
    const page = colorOf(getComputedStyle(document.documentElement).backgroundColor);
    let below: Color = isCovered ? layers.pop()! : page[3] === 1 ? page : [255, 255, 255, 1];
    for (const layer of layers.reverse()) below = over(layer, below);
    color = over([color[0], color[1], color[2], color[3] * opacity], below);
    const ratio = contrastOf(color, below);
    if (ratio >= least - 0.02) continue;
    const shown = (each: Color): string => `rgb(${each.slice(0, 3).map(Math.round).join(" ")})`;
    const name = isAuthorsColor(element) ? "contrast that the author chose" : kind;
    const key = `${name}${color}${below}`;
    if (seen.has(key)) continue;
    seen.add(key);
    report(name, element, `${ratio.toFixed(2)}: ${shown(color)} on ${shown(below)}, "${text.slice(0, 40)}"`);
  }

  // Boxes that take up space and show nothing.
  const isLocal = (url: string): boolean =>
    /^(?:data:|blob:|about:)/.test(url) ||
    url.startsWith(location.origin) ||
    (location.protocol === "file:" && url.startsWith("file:"));
  const media =
    "img, svg, canvas, video, audio, iframe, object, embed, input, textarea, select, progress, meter, math, hr";
  function paintsItself(element: Element): boolean {
    const style = getComputedStyle(element);
    if (style.backgroundImage !== "none" || style.maskImage !== "none") return true;
    return ["::before", "::after"].some((part) => {
      const { content, backgroundImage, backgroundColor, maskImage, borderTopWidth, width } = getComputedStyle(
        element,
        part,
      );
      if (content === "none" || content === "normal") return false;
      return (
        content.length > 2 ||
        backgroundImage !== "none" ||
        maskImage !== "none" ||
        borderTopWidth !== "0px" ||
        (colorOf(backgroundColor)[3] > 0 && width !== "0px")
      );
    });
  }
  for (const element of document.body.querySelectorAll("*")) {
    if (element.closest("svg svg") || (element.closest("svg") && element.localName !== "svg") || !isShown(element))
      continue;
    const box = element.getBoundingClientRect();
    const { localName: name } = element;
    if (name === "img") {
      const image = element as HTMLImageElement;
      count("broken picture");
      // A lazy picture has not begun, and nothing is known about it.
      if (image.complete && image.naturalWidth === 0 && image.currentSrc !== "" && box.width > 2)
        report(
          isLocal(image.currentSrc) ? "broken picture" : "picture of another host",
          element,
          image.currentSrc.slice(0, 120),
        );
      continue;
    }
    if (box.width < 6 || box.height < 6 || box.right <= 0 || box.left >= innerWidth) continue;
    const mask = getComputedStyle(element).maskImage;
    const [, url] = /url\("?([^")]+)/.exec(mask) ?? [];
    if (url !== undefined) {
      count("icon that cannot load");
      // Chromium loads no mask from a file: that is another origin.
      if (!/^data:/.test(url) && (location.protocol === "file:" || !isLocal(url)))
        report("icon that cannot load", element, url.slice(0, 120));
    }
    if (name === "iframe") {
      count("empty box");
      const { src: source, srcdoc } = element as HTMLIFrameElement;
      if (srcdoc === "" && !isLocal(source))
        report("empty box", element, `a frame of ${source.slice(0, 100)} before any click`);
    } else if (name === "video") {
      count("empty box");
      const video = element as HTMLVideoElement;
      if (video.poster === "" && video.readyState === 0) {
        const source = video.currentSrc || video.querySelector("source")?.src || "";
        // A player that loads on demand shows a grey area with a button.
        if (video.preload === "none" || source === "" || !isLocal(source) || video.error || video.networkState === 3)
          report("empty box", element, `a video without a picture: ${source.slice(0, 100)}`);
      }
    } else if (name === "svg") {
      count("icon without a drawing");
      const drawing = element as SVGSVGElement;
      const size = drawing.getBBox();
      if (size.width === 0 && size.height === 0 && !paintsItself(element))
        report("icon without a drawing", element, drawing.outerHTML.slice(0, 100));
    } else if (!element.closest("[aria-hidden=true]") || /icon/.test(element.className)) {
      // An empty cell says that there is nothing.
      if (element.matches(`${media}, td, th`) || (element.textContent ?? "").trim() !== "" || box.height > 4_000)
        continue;
      if (element.querySelector(media) || paintsItself(element)) continue;
      const inner = [...element.querySelectorAll("*")];
      if (inner.some((each) => isShown(each) && paintsItself(each))) continue;
      const style = getComputedStyle(element);
      const parent = getComputedStyle(element.parentElement!);
      const isPainted =
        (colorOf(style.backgroundColor)[3] > 0 && style.backgroundColor !== parent.backgroundColor) ||
        style.boxShadow !== "none" ||
        (Number.parseFloat(style.borderTopWidth) > 0 &&
          Number.parseFloat(style.borderLeftWidth) > 0 &&
          colorOf(style.borderTopColor)[3] > 0);
      // A background that is behind its parent's content.
      const around = element.parentElement!;
      if (style.position === "absolute" && (around.textContent!.trim() !== "" || around.querySelector(media))) continue;
      const isIcon = /icon/.test(element.className) && box.width <= 80;
      if (!isPainted && !isIcon && !/^(?:figure|pre|button)$/.test(name)) continue;
      // A box with a name is what it shows, like a sample of a color.
      if (element.hasAttribute("aria-label") || element.hasAttribute("title")) continue;
      if (/^(?:separator|presentation|none|progressbar)$/.test(element.getAttribute("role") ?? "")) continue;
      count("empty box");
      if (isIcon || (box.width >= 24 && box.height >= 24))
        report("empty box", element, `${Math.round(box.width)} × ${Math.round(box.height)} with nothing in it`);
    }
  }

  // Content that overflows.
  const root = document.scrollingElement!;
  count("page wider than the window");
  if (root.scrollWidth > root.clientWidth + 1) {
    const wide = [...document.body.querySelectorAll("*")].find((each) => {
      const box = each.getBoundingClientRect();
      return (
        box.right > root.clientWidth + 1 &&
        box.width > 0 &&
        isShown(each) &&
        getComputedStyle(each).position !== "fixed"
      );
    });
    report("page wider than the window", wide ?? document.body, `${root.scrollWidth} in ${root.clientWidth}`);
  }
  if (!isPhone)
    for (const table of document.querySelectorAll<HTMLTableElement>("main table")) {
      const row = table.rows[0];
      if (!row || !isShown(table)) continue;
      count("table column out of view");
      let edge = root.clientWidth;
      for (let each = table.parentElement; each; each = each.parentElement)
        if (getComputedStyle(each).overflowX !== "visible") edge = Math.min(edge, each.getBoundingClientRect().right);
      const hidden = [...row.cells].filter((cell) => {
        const box = cell.getBoundingClientRect();
        return box.width > 0 && box.left > edge - 24;
      });
      if (hidden.length > 0)
        report(
          "table column out of view",
          table,
          `${hidden.length} of ${row.cells.length}: "${hidden[0]!.textContent!.trim().slice(0, 40)}"`,
        );
    }

  // Words in place of a value, also those that scripts wrote.
  for (const element of document.querySelectorAll("a, button, span, p, li, td, h1, h2, h3, h4, summary, div")) {
    // The type of a field can be null.
    if (element.childElementCount > 0 || element.closest("pre, code, .field-pill") || !isShown(element)) continue;
    count("placeholder word");
    const text = element.textContent!.trim();
    if (/^(?:undefined|NaN|null|Link|Invalid Date)$|\[object Object\]/.test(text))
      report("placeholder word", element, text);
  }
  for (const element of document.querySelectorAll("a, button")) {
    if (!isShown(element)) continue;
    count("control without a name");
    const name = `${element.textContent} ${element.getAttribute("aria-label") ?? ""} ${element.getAttribute("title") ?? ""}`;
    const picture = element.querySelector("img[alt]:not([alt='']), svg [id], svg[aria-label], svg title");
    if (
      name.trim() === "" &&
      !picture &&
      element.getBoundingClientRect().width > 0 &&
      !element.hasAttribute("aria-labelledby")
    )
      report("control without a name", element, element.outerHTML.slice(0, 100));
  }
  return { faults, checked, onPictures };
}

/**
 * Contrast of a text on the pixels behind it: the ratio that nine tenths of them reach.
 *
 * @param picture of the place, without the text, as a data URL
 */
export async function contrastOnPicture([picture, color]: readonly [
  string,
  readonly [number, number, number],
]): Promise<number> {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d")!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const lightness = (parts: readonly number[]): number => {
    const [r, g, b] = parts.map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const own = lightness(color);
  const ratios: number[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const below = lightness([data[at]!, data[at + 1]!, data[at + 2]!]);
    ratios.push((Math.max(own, below) + 0.05) / (Math.min(own, below) + 0.05));
  }
  ratios.sort((a, b) => a - b);
  return ratios[Math.floor(ratios.length / 10)] ?? 21;
}
