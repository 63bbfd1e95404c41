import { type Shot, shotPath } from "./take-shots.ts";

const titles: Readonly<Record<Shot["group"], string>> = { pages: "Pages", themes: "Themes", opened: "Opened" };

/** One document: names on the left, screenshots of the chosen one on the right. Arrow keys go to the next. */
export function indexPage(shots: readonly Shot[]): string {
  const groups = Map.groupBy(shots, (shot) => shot.group);
  const ids = new Map<string, string>();
  for (const shot of shots) ids.set(shotKey(shot), `p${ids.size}`);
  const sections = [...groups].map(([group, of]) => [titles[group], [...Map.groupBy(of, shotKey).values()]] as const);
  const list = sections
    .map(([title, pages]) => `<h2>${title}</h2><ul>${pages.map((of) => entry(of[0]!, ids)).join("")}</ul>`)
    .join("\n");
  const views = sections.flatMap(([, pages]) => pages.map((of) => view(of, ids))).join("\n");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gallery</title>
<style>${css}</style>
<nav>${list}</nav>
<main>${views}</main>
<script>${script}</script>
</html>
`;
}

const shotKey = (shot: Shot): string => `${shot.group} ${shot.name}`;
const entry = (shot: Shot, ids: ReadonlyMap<string, string>): string =>
  `<li><a href="#${ids.get(shotKey(shot))}">${shot.name}</a></li>`;

function view(shots: readonly Shot[], ids: ReadonlyMap<string, string>): string {
  const [first] = shots;
  const pictures = shots.map((shot) => {
    const src = encodeURI(shotPath(shot));
    return `<figure class="${shot.look}"><figcaption>${shot.look}</figcaption><a href="${src}"><img loading="lazy" src="${src}" alt="${shot.name}, ${shot.look}"></a></figure>`;
  });
  return `<section id="${ids.get(shotKey(first!))}"><h1>${first!.name} <a href="${encodeURI(first!.file)}">open the page</a></h1><div>${pictures.join("")}</div></section>`;
}

const css = `
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:16rem 1fr;font:15px/1.5 system-ui,sans-serif;color:#1f2933;background:#eef1f4}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;background:#fff;border-right:1px solid #d5dce2}
h1{font-size:1.1rem;margin:0 0 1rem}h1 a{font-weight:400;font-size:.85rem;margin-inline-start:1rem}h2{font-size:.75rem;margin:1.2rem 0 .3rem;color:#5c6b78}
ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:.15rem .5rem;border-radius:.3rem;color:inherit;text-decoration:none;overflow-wrap:anywhere}nav a[aria-current]{background:#dbeafe}
main{padding:1.2rem}section{display:none}section.shown{display:block}div{display:flex;gap:1rem;align-items:start}
figure{margin:0;flex:5}figure.phone{flex:2}figcaption{font-size:.8rem;color:#5c6b78}img{display:block;width:100%;border:1px solid #d5dce2;background:#fff}`;

const script = `
const links = [...document.querySelectorAll("nav a")];
function show() {
  const link = links.find((each) => each.hash === location.hash) ?? links[0];
  for (const each of links) each.toggleAttribute("aria-current", each === link);
  for (const section of document.querySelectorAll("section")) section.classList.toggle("shown", "#" + section.id === link.hash);
  link.scrollIntoView({ block: "nearest" });
  scrollTo(0, 0);
}
addEventListener("hashchange", show);
addEventListener("keydown", ({ key }) => {
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  const at = links.findIndex((each) => each.hasAttribute("aria-current"));
  if (step !== 0 && links[at + step]) location.hash = links[at + step].hash;
});
show();`;
