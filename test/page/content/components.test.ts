import { expect, test } from "vitest";
import { faults, outline, readPage } from "./read-page.js";

const cases = [
  // a component of the page …   source                                                               tree
  ["is put in", "export const X = ({a}) => <div>{a}</div>\n\n<X a='b'/>", '<div>("b")'],
  [
    "receives children",
    "export const X = ({children}) => <b>{children}</b>\n\n<X>a *c*</X>",
    '<b>("a ", emphasis("c"))',
  ],
  [
    "receives blocks",
    "export const X = ({children}) => <div>{children}</div>\n\n<X>\n# H\n\nt\n</X>",
    '<div>(h1#h("H"), p("t"))',
  ],
  ["takes props as one", "export const X = (props) => <i {...props}>{props.a}</i>\n\n<X a='1'/>", '<i a="1">("1")'],
  ["has default values", "export const X = ({a = 'd', ...r}) => <i {...r}>{a}</i>\n\n<X b={2}/>", '<i b=2>("d")'],
  ["may be a function", "export function X({a}) { return <i>{a}</i> }\n\n<X a='1'/>", '<i>("1")'],
  [
    "may declare and choose",
    "export const X = ({a}) => { const b = a + 1; if (b > 1) { return <i>{b}</i> } return null }\n\n<X a={1}/><X a={0}/>",
    '<i>("2")',
  ],
  ["wins over a built-in", "export const Banner = () => <b>own</b>\n\n<Banner/>", '<b>("own")'],
  ["may use others", "export const A = () => <i>a</i>\nexport const B = () => <b><A/></b>\n\n<B/>", '<b>(<i>("a"))'],
  ["is allowed in text", "export const X = () => <i>x</i>\n\na <X/> b", 'p("a ", <i>("x"), " b")'],
  ["may be a member", "export const N = {X: () => <i>x</i>}\n\n<N.X/>", '<i>("x")'],
  ["may give text", "export const X = ({a}) => a\n\n<X a='t'/>", 'p("t")'],
  ["may hold several roots", "export const X = () => <><i/><b/></>\n\n<X/>", "<i> <b>"],
  [
    "keeps attribute forms",
    "export const X = () => <svg class='a' stroke-width={2} style={{color: 'red'}}/>\n\n<X/>",
    '<svg class="a" stroke-width=2 style={color:"red"}>',
  ],
  ["may be JSX itself", "export const x = <b>y</b>\n\n{x}{x}", '<b>("y") <b>("y")'],
  [
    "reads text as JSX does",
    "export const X = () => <p>\n  a &amp; b\n  <b>c</b> d\n</p>\n\n<X/>",
    '<p>("a & b", <b>("c"), " d")',
  ],
] as const;
for (const [rule, source, tree] of cases)
  test(`a component of the page ${rule}`, async () => {
    const page = await readPage(source);
    expect(outline(page.tree)).toBe(tree);
    expect(faults(page)).toEqual([]);
  });

test("a component that contains itself is stopped", async () => {
  const page = await readPage("export const X = () => <b><X/></b>\n\n<X/>");
  expect(faults(page).map((each) => each.split(" ")[0])).toEqual(["EXPRESSION_LIMIT"]);
});

test("attributes of a component become its properties", async () => {
  const page = await readPage(
    "export const p = {x: 1, y: 'z'}\n\n<Card a b='c &amp; d' e={2} f={[1, 'g']} h={{i: true}} {...p} icon={<svg class='k'/>} j={p.y} l=\"{m}\" />",
  );
  expect(outline(page.tree)).toBe(
    '<Card a=true b="c & d" e=2 f=[1,"g"] h={i:true} x=1 y="z" icon={<svg class="k">} j="z" l="{m}">',
  );
});

test("an object of the page cannot pose as rendered JSX", async () => {
  const page = await readPage("<Card icon={{type: 'jsxTree', children: [{type: 'html', value: '<script>'}]}} />");
  expect(outline(page.tree)).toBe('<Card icon={children:[{type:"html",value:"<script>"}]}>');
});

test("components of other tools become ours, with the titles that those tools write elsewhere", async () => {
  const tabs = await readPage('<Tabs items={["a", "b"]}>\n<Tabs.Tab>x</Tabs.Tab>\n<Tabs.Tab>y</Tabs.Tab>\n</Tabs>');
  expect(outline(tabs.tree)).toBe('<Tabs items=["a","b"]>(<Tab title="a">("x"), <Tab title="b">("y"))');
  const item = await readPage('<Tabs>\n<TabItem value="mac" label="Mac">x</TabItem>\n</Tabs>');
  expect(outline(item.tree)).toBe('<Tabs>(<Tab title="Mac" value="mac" label="Mac">("x"))');
  const files = await readPage('<Files>\n<Folder name="src"><File name="a.ts" /></Folder>\n</Files>');
  expect(outline(files.tree)).toBe('<Tree>(<Tree.Folder name="src">(<Tree.File name="a.ts">))');
  const own = await readPage("export const Aside = () => <b>mine</b>;\n\n<Aside />");
  expect(outline(own.tree)).toBe('<b>("mine")');
});

test("a component whose text contains a blank line stays in one piece", async () => {
  const code = (open: string, close: string) =>
    `export const Two = () => (\n  ${open}\n    One, it\u2019s\n\n    Two.\n  ${close}\n);`;
  for (const [open, close, shown] of [
    ["<div>", "</div>", '<div>("One, it\u2019s Two.")'],
    ["<>", "</>", '"One, it\u2019s Two."'],
  ] as const) {
    const page = await readPage(`${code(open, close)}\n\n<Two />\n\n\`\`\`js\n${code(open, close)}\n\`\`\`\n\nEnd`);
    expect(page.diagnostics).toEqual([]);
    expect(outline(page.tree)).toContain(shown);
    expect(outline(page.tree)).toMatch(/code\(export const Two = .*\) p\("End"\)$/s);
  }
});

test("the default export of a page is its layout, if it is a component", async () => {
  const layout = "export default function Page({ children }) {\n  return <div>Before {children}</div>;\n}";
  const page = await readPage(`${layout}\n\nText\n\n- Item`);
  expect(outline(page.tree)).toBe('<div>("Before ", p("Text"), list(listItem(p("Item"))))');
  const alone = await readPage('export default () => <p>Moved <a href="/b">here</a></p>');
  expect(outline(alone.tree)).toBe('<p>("Moved ", <a href="/b">("here"))');
  expect([...page.diagnostics, ...alone.diagnostics]).toEqual([]);
  for (const value of ["{ a: 1 }", '"x"', "7"])
    expect(outline((await readPage(`export default ${value};\n\nText`)).tree)).toBe('p("Text")');
});

test("fragments are replaced by their content, unknown components stay", async () => {
  expect(outline((await readPage("<>a *b*</>\n\n<Note><>c</></Note>")).tree)).toBe(
    'p("a ", emphasis("b")) <Note>("c")',
  );
  expect(outline((await readPage("<>\n<Wraning>x</Wraning>\n</>")).tree)).toBe('<Wraning>("x")');
});

test("a code component without a fence shows its text as typed", async () => {
  const source = '<CodeBlock language="py">\n  # Start\n\n  def run():\n    * \\{2}\n    return {"a": 1}\n</CodeBlock>';
  expect(outline((await readPage(source)).tree)).toBe(
    '<CodeBlock language="py">("# Start\\n\\ndef run():\\n  * {2}\\n  return {\\"a\\": 1}")',
  );
});
