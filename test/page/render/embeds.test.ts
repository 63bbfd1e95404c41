/** What shows content of other hosts becomes a link that loads it. */
import { expect, test } from "vitest";
import { createIcons } from "../../../src/page/icons/create-icons.js";
import { iconAtAddress } from "../../../src/page/render/index.js";
import { renderPage } from "./render-markdown.js";

/** Address of the link, its texts, and the content that a click loads. */
async function linkOf(source: string) {
  const { html } = await renderPage(source, { staticFiles: ["a.mp4", "b.png"] });
  const [, href] = /<a class="embed-link" href="([^"]*)"/.exec(html) ?? [];
  const [, title] = /<span class="embed-title">([^<]*)/.exec(html) ?? [];
  const [, host] = /<span class="embed-host">([^<]*)/.exec(html) ?? [];
  const [, content = ""] = /<template data-embed="">(.*?)<\/template>/s.exec(html) ?? [];
  return { html, link: [href, title, host], loads: /\ssrc="([^"]*)"/.exec(content)?.[1]?.replaceAll("&amp;", "&") };
}

const video = "abcdefghi_1";
const rows = [
  // in                      source                                                                  link, title, host                                                               loads
  ["a player by its title", `<iframe src="https://www.youtube.com/embed/${video}?start=3" title="Tour" />`, [`https://www.youtube.com/watch?v=${video}`, "Tour", "youtube.com"], `https://www.youtube.com/embed/${video}?start=3&autoplay=1`],
  ["a watch page", `<iframe src="https://youtu.be/${video}" />`, [`https://www.youtube.com/watch?v=${video}`, "YouTube", "youtu.be"], `https://www.youtube.com/embed/${video}?autoplay=1`],
  ["a player in a frame, by its caption", '<Frame caption="The *console*"><iframe src="https://player.vimeo.com/video/12?h=a" /></Frame>', ["https://vimeo.com/12", "The console", "player.vimeo.com"], "https://player.vimeo.com/video/12?h=a&autoplay=1"],
  ["a recording", '<iframe src="https://www.loom.com/embed/0a1b" />', ["https://www.loom.com/share/0a1b", "Loom", "loom.com"], "https://www.loom.com/embed/0a1b?autoplay=1"],
  ["a sandbox", '<iframe src="https://codesandbox.io/embed/new-x1?file=/a.js" />', ["https://codesandbox.io/s/new-x1", "CodeSandbox", "codesandbox.io"], "https://codesandbox.io/embed/new-x1?file=/a.js"],
  ["any page, by its host", '<iframe src="https://www.forms.example/s/1" />', ["https://www.forms.example/s/1", "forms.example", undefined], "https://www.forms.example/s/1"],
  ["an embed", '<embed src="https://docs.example/report-2.pdf" />', ["https://docs.example/report-2.pdf", "report 2", "docs.example"], "https://docs.example/report-2.pdf"],
  ["an object", '<object data="https://docs.example/x"><param name="a" value="b" />Words</object>', ["https://docs.example/x", "docs.example", undefined], "https://docs.example/x"],
  ["a video", '<video controls src="https://m.example/v/first_steps.mp4" />', ["https://m.example/v/first_steps.mp4", "first steps", "m.example"], "https://m.example/v/first_steps.mp4"],
  ["a video with sources", '<video><source src="https://m.example/9f8e7d6c5b4a3f2e.mp4" /></video>', ["https://m.example/9f8e7d6c5b4a3f2e.mp4", "m.example", undefined], "https://m.example/9f8e7d6c5b4a3f2e.mp4"],
  ["a recording of a voice", '<audio src="https://m.example/talk.mp3" />', ["https://m.example/talk.mp3", "talk", "m.example"], "https://m.example/talk.mp3"],
  ["an image whose file is a video", "![Tour](https://m.example/v/tour.mp4)", ["https://m.example/v/tour.mp4", "Tour", "m.example"], "https://m.example/v/tour.mp4"],
  ["HTML of Markdown", '<video src="https://m.example/a.mp4" title="T"></video>', ["https://m.example/a.mp4", "T", "m.example"], "https://m.example/a.mp4"],
] as const; // biome-ignore format: a row is a sentence

for (const [rule, source, link, loads] of rows)
  test(`there is a link for ${rule}`, async () => {
    const found = await linkOf(source);
    expect(found.link).toEqual(link);
    expect(found.loads).toBe(loads);
  });

test("an image that is a video of the site becomes a player", async () =>
  expect((await linkOf('<img src="/a.mp4" alt="Tour" width="300" loading="lazy" />')).html).toMatch(
    /<video src="[^"]*a\.mp4" controls(?:="")? aria-label="Tour" width="300"><\/video>/,
  ));

test("content that the link does not load stays beside it", async () =>
  expect(
    (await linkOf('<object data="https://docs.example/x"><param name="a" value="b" />Words</object>')).html,
  ).toMatch(/<\/template><\/span>Words/));

const kept = [
  ["a video of the site", '<video controls src="/a.mp4" />'],
  [
    "a video with one source in the site",
    '<video><source src="https://m.example/a.webm" /><source src="/a.mp4" /></video>',
  ],
  ["an invisible frame that counts visits", '<iframe src="https://count.example/x" width="0" height="0" />'],
] as const;
for (const [rule, source] of kept)
  test(`${rule} stays unchanged`, async () => expect((await linkOf(source)).html).not.toContain("embed-link"));

test("a link keeps the size, classes and styles that the page gives its content, without a style attribute", async () => {
  const { html } = await linkOf(
    '<iframe src="https://a.example/x" height="400" className="w-full" style={{ border: 0 }} id="form" />',
  );
  expect(html).toMatch(/<span class="embed w-full style-\w+" id="form">/);
  expect(html).not.toContain("style=");
});

test("a video that starts by itself is marked, muted and looped in a frame", async () => {
  const { html } = await linkOf('<Frame><video autoPlay src="https://m.example/a.mp4" /></Frame>');
  expect(html).toContain('data-auto=""');
  expect(html).toMatch(/<video loop muted playsinline/);
});

test("a video whose file is missing shows its name, so that there is no empty box", async () =>
  expect((await linkOf('<video controls src="/films/tour.mp4" />')).html).toBe(
    '<span class="missing-image" role="img" aria-label="tour.mp4">tour.mp4</span>',
  ));

test("a video whose sources are all missing shows its name", async () =>
  expect(
    (await renderPage('<video controls><source src="/films/tour.mp4" type="video/mp4" />No film.</video>')).html,
  ).toContain('<span class="missing-image" role="img" aria-label="tour.mp4">tour.mp4</span>'));

test("the picture of a video is requested only if the export copies it", async () => {
  const { html } = await linkOf(`<iframe src="https://www.youtube.com/embed/${video}" />`);
  expect(html).not.toContain("<img");
  const { external } = await renderPage(`<iframe src="https://www.youtube.com/embed/${video}" />`);
  expect(external.map(({ kind, isOptional }) => [kind, isOptional])).toEqual([
    ["embed", undefined],
    ["image", true],
  ]);
});

const icon = /url\((?:"|&quot;)data:image\/svg\+xml,/;
const icons = createIcons({ library: "lucide" });
const addresses = [
  ["an icon of another host, by style and name", "https://icons.example/v6/regular/bolt.svg", true],
  ["an icon of a library's copy", "https://cdn.example/npm/lucide-static@0.4/icons/rocket.svg", true],
  ["an icon that no set has", "https://icons.example/v6/solid/qwertyuiop.svg", false],
  ["a drawing of another host", "https://img.example/logo.svg", false],
] as const;
for (const [rule, url, isOurs] of addresses)
  test(`${rule} ${isOurs ? "is one of ours" : "is none of ours"}`, () =>
    expect(/^data:image\/svg/.test(iconAtAddress(icons, url) ?? "")).toBe(isOurs));

test("an SVG of the site is in the page as a mask and as a variable, and a file as a background", async () => {
  const of = async (style: string) => (await renderPage(`<i style="${style}" />`, { staticFiles: ["a.svg"] })).html;
  for (const style of [
    "-webkit-mask: url('/a.svg') center",
    "color: red; mask-image:url(/a.svg)",
    "--icon: url(/a.svg)",
  ])
    expect(await of(style)).toMatch(icon);
  expect(await of("background: url(/a.svg)")).toContain("../a.svg");
});

test("a page in a box of a fixed ratio fills the box, so that there is no hole below it", async () => {
  const kinds = async (attributes: string) =>
    /class="(embed[^" ]*(?: embed[^" ]*)*)/.exec(
      (await renderPage(`<iframe src="https://a.example/x" ${attributes} />`)).html,
    )?.[1];
  expect(await kinds("style={{ position: 'absolute', height: '100%' }}")).toBe("embed embed-fill");
  expect(await kinds('className="absolute inset-0"')).toBe("embed embed-fill");
  expect(await kinds('height="500"')).toBe("embed");
});
