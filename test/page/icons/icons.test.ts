import assert from "node:assert/strict";
import type { Element } from "hast";
import { test } from "vitest";
import { createIcons, formerNames, signStandIn, standIns } from "../../../src/page/icons/create-icons.js";
import { type IconSetName, iconSet } from "../../../src/page/icons/icon-set.js";
import { cleanSvg } from "../../../src/page/icons/svg-source.js";

const icons = createIcons({ library: "fontawesome" });
const bodyOf = (
  name: string,
  more: { style?: string; library?: "fontawesome" | "lucide" | "tabler" } = {},
): string | undefined => {
  const node = icons.icon({ name, ...more }).node as Element | undefined;
  const child = node?.children[0];
  return child?.type === "raw" ? child.value : undefined;
};
const inSet = (set: IconSetName, name: string): string => iconSet(set).find(name)!.body;

const cases = [
  // icon …                                        choice                                            set             name
  ["takes a regular drawing by default", { name: "star" }, "fa7-regular", "star"],
  ["takes the solid one where no regular is free", { name: "rocket" }, "fa7-solid", "rocket"],
  ["takes the solid one when asked", { name: "star", style: "solid" }, "fa7-solid", "star"],
  ["takes the nearest free style for Pro's", { name: "star", style: "sharp-duotone-solid" }, "fa7-solid", "star"],
  ["takes regular for thin and light", { name: "star", style: "thin" }, "fa7-regular", "star"],
  ["knows brands", { name: "github" }, "fa7-brands", "github"],
  ["knows brands by style", { name: "github", style: "brands" }, "fa7-brands", "github"],
  ["ignores case", { name: "GitHub" }, "fa7-brands", "github"],
  ["reads a prefix", { name: "fa-rocket" }, "fa7-solid", "rocket"],
  ["reads class names", { name: "fa-solid fa-star" }, "fa7-solid", "star"],
  ["reads short class names", { name: "fas fa-star" }, "fa7-solid", "star"],
  ["knows names of earlier versions", { name: "external-link-alt" }, "fa7-solid", "external-link-alt"],
  ["knows names of version 4", { name: "envelope-o" }, "fa7-regular", "envelope"],
  ["draws Pro's icons with a free one", { name: "brackets-curly" }, "lucide", "braces"],
  ["takes Font Awesome's where it has one", { name: "rocket-launch" }, "fa7-solid", "rocket"],
  ["draws names of Heroicons", { name: "document" }, "fa7-regular", "file"],
  ["draws a replacement in the style asked for", { name: "document", style: "solid" }, "fa7-solid", "file"],
  ["draws amounts", { name: "square-dollar" }, "lucide", "circle-dollar-sign"],
  ["draws pointers", { name: "cursor-click", library: "lucide" }, "lucide", "mouse-pointer-click"],
  ["reads names of Material", { name: "rocket_launch" }, "fa7-solid", "rocket"],
  ["reads names of components", { name: "CircleCheck" }, "fa7-regular", "circle-check"],
  ["leaves out the style of other sets", { name: "ph:gear-six-bold" }, "fa7-solid", "gear"],
  ["reads class names of other sets", { name: "bi bi-gear-fill" }, "fa7-solid", "gear"],
  ["reads a folder as a set", { name: "material/home_outlined" }, "fa7-regular", "home"],
  ["draws Pro's signs with a free one", { name: "circle-1" }, "tabler", "circle-number-1"],
  ["looks into other libraries last", { name: "git-compare-arrows" }, "lucide", "git-compare-arrows"],
  ["takes the chosen library first", { name: "rocket", library: "lucide" }, "lucide", "rocket"],
  ["takes another library as well", { name: "rocket", library: "tabler" }, "tabler", "rocket"],
  ["follows aliases", { name: "x-square", library: "lucide" }, "lucide", "square-x"],
  ["knows Tabler's brands", { name: "github", library: "tabler" }, "tabler", "brand-github"],
  ["falls back to Font Awesome", { name: "magnifying-glass", library: "lucide" }, "fa7-solid", "magnifying-glass"],
  ["knows brands of the whole world", { name: "ClickHouse" }, "simple-icons", "clickhouse"],
] as const;
for (const [rule, { name, ...more }, set, wanted] of cases) {
  test(`icon ${rule}`, () => assert.equal(bodyOf(name, more), inSet(set, wanted)));
}

test("an icon is an SVG that screen readers ignore", () => {
  const node = icons.icon({ name: "rocket" }).node as Element;
  assert.equal(node.tagName, "svg");
  assert.deepEqual(node.properties, {
    className: ["icon"],
    width: 16,
    height: 16,
    viewBox: "0 0 640 640",
    ariaHidden: "true",
  });
});

test("an unknown name is a dot of the same size, and is reported with the nearest name at its location", () => {
  const { node, diagnostics } = icons.icon({ name: "rockett" }, { sourcePath: "a.mdx", line: 3 });
  assert.deepEqual(node, {
    type: "element",
    tagName: "svg",
    properties: { className: ["icon"], width: 16, height: 16, viewBox: "0 0 16 16", ariaHidden: "true" },
    children: [
      { type: "raw", value: '<circle cx="8" cy="8" r="2.5" fill="currentColor"/>', data: { isSvg: true } },
    ] as never,
  });
  assert.deepEqual(diagnostics, [
    {
      code: "ICON_NOT_FOUND",
      severity: "warning",
      what: 'There is no icon "rockett".',
      location: { sourcePath: "a.mdx", line: 3 },
      fix: 'write "rocket".',
      rewrites: [{ written: "rockett", replacement: "rocket", certain: false }],
    },
  ]);
});

const nearest = [
  // An unknown name shows …                             name               icon shown   fix
  ["the thing without what is added to it", "building-memo", "building", 'write "building".'],
  ["another word of the same meaning, not one like it", "wave", "water", 'write "water".'],
  ["a picture of a notion that no set has, not a word like it", "billing", "credit-card", 'write "credit-card".'],
  ["one of several", "robots", "robot", 'write "robot".'],
  ["what is in a frame", "circle-rocket", "rocket", 'write "rocket".'],
  ["a dot where only the spelling is near", "building2-ngox", undefined, "choose a name from fontawesome.com/icons."],
  ["a dot for a slip in a long word, named in the fix", "rokcet", undefined, 'write "rocket".'],
] as const;
for (const [rule, name, shown, fix] of nearest)
  test(`an unknown name shows ${rule}`, () => {
    const { node, diagnostics } = icons.icon({ name });
    assert.equal((node as Element).data?.iconName, shown);
    assert.deepEqual(
      diagnostics.map((each) => [each.code, each.fix]),
      [["ICON_NOT_FOUND", fix]],
    );
  });

test("an unknown name is found without comparing each of its letters with all similar names", () => {
  const cost = (work: (name: string) => unknown): number => {
    // The best of five rounds: other processes on the machine slow some of them.
    const rounds = Array.from({ length: 5 }, (_, round) => {
      const before = process.cpuUsage();
      for (let i = 0; i < 200; i++) work(`strange-arrow-up-right-${round}-${i}`);
      return process.cpuUsage(before).user;
    });
    return Math.min(...rounds);
  };
  const compare = (one: string, other: string): number => {
    let same = 0;
    for (let i = 0; i < one.length; i++)
      for (let k = 0; k < other.length; k++) if (one.charCodeAt(i) === other.charCodeAt(k)) same++;
    return same;
  };
  const find = (name: string) => icons.icon({ name, library: "tabler" });
  const compareAll = (name: string) =>
    iconSet("tabler")
      .namesLike(name)
      .map((each) => compare(name, each));
  find("rocket");
  assert.ok(cost(find) < cost(compareAll));
});

test("an emoji is shown unchanged", () => {
  assert.deepEqual((icons.icon({ name: "🚀" }).node as Element).children, [{ type: "text", value: "🚀" }]);
});

test("an address is shown as a picture", () => {
  assert.equal((icons.icon({ name: "/images/a.svg" }).node as Element).properties["src"], "/images/a.svg");
});

test("an empty name shows nothing", () => assert.deepEqual(icons.icon({ name: " " }), { diagnostics: [] }));

test("every replacement icon exists, and replaces a name that the free icons lack", () => {
  const free = ["fa7-solid", "fa7-regular", "fa7-brands"] as const;
  const missing = [...standIns.values()].filter((target) => {
    const [set, name] = target.split(":") as [IconSetName, string];
    return name === undefined ? !free.some((each) => iconSet(each).find(target)) : !iconSet(set).find(name);
  });
  assert.deepEqual(missing, []);
  assert.deepEqual(
    [...standIns.keys()].filter((name) => free.some((set) => iconSet(set).find(name))),
    [],
  );
  for (const name of ["circle-9", "square-z"])
    assert.ok(iconSet("tabler").find(signStandIn(name)!.split(":")[1]!), name);
  for (const name of Object.values(formerNames)) assert.ok(iconSet("fa7-solid").find(name), name);
});

test("names that are part of JSON find nothing", () => {
  for (const name of ["icons", "aliases", "width", "prefix", "__proto__", 'a"', "constructor"])
    assert.equal(iconSet("lucide").find(name), undefined);
});

const svgs = [
  // cleanSvg …                                    source                                                     body
  ["keeps shapes", `<svg viewBox="0 0 2 2"><path d="M0 0h2"/></svg>`, `<path d="M0 0h2"/>`],
  [
    "keeps gradients",
    `<svg><defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><path fill="url(#a)"/></svg>`,
    `<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><path fill="url(#a)"/>`,
  ],
  ["drops scripts with what they hold", `<svg><script>alert(1)</script><g/></svg>`, "<g/>"],
  ["drops handlers", `<svg><path onload="alert(1)" d="M0"/></svg>`, `<path d="M0"/>`],
  ["drops styles", `<svg><style>*{}</style><path style="fill:url(//x)" d="M0"/></svg>`, `<path d="M0"/>`],
  [
    "drops references to elsewhere",
    `<svg><use href="//x#a"/><image href="x"/><path fill="url(//x)" d="M0"/></svg>`,
    `<path d="M0"/>`,
  ],
  ["drops HTML inside", `<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>`, ""],
  ["drops comments", `<svg><!-- <script> --><g/></svg>`, "<g/>"],
  ["closes what was left open", `<svg><g><path d="M0"></svg>`, `<g><path d="M0"></path></g>`],
  [
    "keeps case where SVG has it",
    `<SVG VIEWBOX="0 0 1 1"><CLIPPATH id="c"></CLIPPATH></SVG>`,
    `<clipPath id="c"></clipPath>`,
  ],
  ["escapes text", `<svg><title>a & b > c</title></svg>`, "<title>a &amp; b &gt; c</title>"],
  ["ends at the end", `<svg><g/></svg><script>alert(1)</script>`, "<g/>"],
] as const;
for (const [rule, source, body] of svgs) test(`cleanSvg ${rule}`, () => assert.equal(cleanSvg(source)?.body, body));

test("cleanSvg recognizes text that is not SVG", () => {
  for (const source of ["<p>x</p>", "<", "x", "<svg", `<script>1</script>`]) assert.equal(cleanSvg(source), undefined);
});
