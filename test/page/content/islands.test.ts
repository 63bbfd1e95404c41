/** What only a JavaScript engine can run becomes an island: its source, and the content that it places. */
import { expect, test } from "vitest";
import { outline, readPage } from "./read-page.js";

/** The page's tree, and the root of each island. */
async function read(source: string, files: Record<string, string> = {}) {
  const page = await readPage(source, { files });
  const { modules = {}, roots = [] } = page.islands ?? {};
  const rootOf = ({ module, name }: { module: string; name: string }): string =>
    new RegExp(`export const ${name} = \\(\\) => (.*(?:\\n\\}.*)*);`)
      .exec(modules[module]!)![1]!
      .replaceAll("\n}", "}");
  return {
    page,
    tree: outline(page.tree),
    modules,
    roots: roots.map(rootOf),
    codes: page.diagnostics.map(({ code }) => code),
  };
}

const hook = "export const C = ({ children }) => { const [a] = useState(0); return <b/> }";

const islands = [
  // what, source, tree, root
  ["a call", "{f()}", "island()", "(<>{f()}</>)"],
  ["a call in text", "a {[1].map(x => x)} b", 'p("a ", island( inline), " b")', "(<>{[1].map(x => x)}</>)"],
  ["a function", "export const f = () => 1\n\n{f}", "island()", "(<>{f}</>)"],
  ["new", "{new Date()}", "island()", "(<>{new Date()}</>)"],
  ["an assignment", "export let a = 1\n\n{a = 2}", "island()", "(<>{a = 2}</>)"],
  ["a method of a string", "{'a'.padEnd(2)}", "island()", "(<>{'a'.padEnd(2)}</>)"],
  ["a method that is not called", "{'a'.at}", "island()", "(<>{'a'.at}</>)"],
  ["a member of the window", "{window.origin}", "island()", "(<>{window.origin}</>)"],
  ["a component with a hook", `${hook}\n\n<C/>`, "island(C)", "(<C />)"],
  ["text between its tags", `${hook}\n\n<C>d</C>`, "island(C)", '(<C>{"d"}</C>)'],
  ["code between its tags", `${hook}\n\n<C>{\`d\`}</C>`, "island(C)", "(<C>{`d`}</C>)"],
  ["a function between its tags", `${hook}\n\n<C>{(a) => a}</C>`, "island(C)", "(<C>{(a) => a}</C>)"],
  [
    "Markdown between its tags",
    `${hook}\n\n<C>\n**d** e\n</C>`,
    'island(C 0:[p(strong("d"), " e")])',
    "(<C><__Slot n={0} /></C>)",
  ],
  [
    "the layout of a page with a hook",
    "export default function P(p) { useState(0); return <div>{p.children}</div> }\n\n**d**",
    'island(P 0:[p(strong("d"))])',
    "(<P><__Slot n={0} /></P>)",
  ],
  [
    "components and Markdown between its tags",
    `${hook}\n\n<C>\n<C a={1}>\n- d\n</C>\n\ne\n\n<C/>\n</C>`,
    'island(C 0:[list(listItem(p("d")))] 1:[p("e")])',
    "(<C><C a={1}><__Slot n={0} /></C><__Slot n={1} /><C /></C>)",
  ],
  [
    "components in the Markdown between its tags",
    `${hook}\n\n<C>\na <C/> **b <C/>** c\n\nd\n</C>`,
    'island(C 0:[p("d")])',
    '(<C><p>{"a "}<C />{" "}<strong>{"b "}<C /></strong>{" c"}</p><__Slot n={0} /></C>)',
  ],
  [
    "what a function of React made a component, between its tags",
    `${hook}\nexport const D = memo(C)\n\n<C>\n<D/>\n</C>`,
    "island(C)",
    "(<C><D /></C>)",
  ],
  [
    "a class",
    "export class C extends React.Component { render() { return <b/> } }\n\n<C a/>",
    "island(C)",
    "(<C a />)",
  ],
  [
    "HTML as text in a component",
    "export const C = () => <b dangerouslySetInnerHTML={{ __html: 'a' }} />\n\n<C/>",
    "island(C)",
    "(<C />)",
  ],
  [
    "attributes as written",
    `${hook}\n\n<C a='x"y' b={() => 1} {...{ c: 2 }} d />`,
    "island(C)",
    '(<C a={"x\\"y"} b={() => 1} {...{ c: 2 }} d />)',
  ],
  [
    "a handler of an element",
    "<button onClick={() => go()}>a</button>",
    "island(button)",
    '(<button onClick={() => go()}>{"a"}</button>)',
  ],
  ["a call in an attribute", "<Card title={t('x')}>a</Card>", "island(Card)", `(<Card title={t('x')}>{"a"}</Card>)`],
  [
    "a component that uses one with a hook",
    `${hook}\nexport const D = () => <p><C/></p>\n\n<D/>`,
    "island(D)",
    "(<D />)",
  ],
  ["a component with a call", "export const C = () => <b>{go()}</b>\n\n<C/>", "island(C)", "(<C />)"],
  ["a class", "export class C extends React.Component { render() { return <b/> } }\n\n<C/>", "island(C)", "(<C />)"],
  [
    "HTML as a property in a component",
    "export const C = () => <b dangerouslySetInnerHTML={{ __html: '<i>x</i>' }}/>\n\n<C/>",
    "island(C)",
    "(<C />)",
  ],
  [
    "HTML as a property of an element",
    "<b dangerouslySetInnerHTML={{ __html: '<i>x</i>' }} title='t' />",
    "island(b)",
    "(<b dangerouslySetInnerHTML={{ __html: '<i>x</i>' }} title={\"t\"} />)",
  ],
  ["a regular expression in a component", "export const C = () => <b>{/x/.source}</b>\n\n<C/>", "island(C)", "(<C />)"],
] as const;
for (const [what, source, tree, root] of islands)
  test(`an island: ${what}`, async () => {
    const read_ = await read(source);
    expect(read_.tree).toBe(tree);
    expect(read_.roots).toEqual([root]);
    expect(read_.codes).toEqual([]);
  });

test("inner HTML of a built-in component is no island, nor is a value without HTML", async () => {
  const { page } = await read(
    "<Card dangerouslySetInnerHTML={{ __html: 'a' }} /> <b dangerouslySetInnerHTML='a' /> <b dangerouslySetInnerHTML={{}} />",
  );
  expect(page.islands).toBeUndefined();
});

test("an expression that the interpreter can evaluate is no island", async () => {
  const { tree, page } = await read("export const C = ({ a }) => <b>{a ? `x${a}` : 'y'}</b>\n\n<C a={1}/> {1 + 1}");
  expect(tree).toBe('<b>("x1") p("2")');
  expect(page.islands).toBeUndefined();
});

test("the content of an island is expanded once, including the islands in it", async () => {
  const { tree, roots } = await read(`${hook}\n\n<C>\n## Title\n\n<div>a</div> {f()}\n\n</C>`);
  expect(tree).toBe('island(C 0:[h2#title("Title") <div>("a") island()])');
  expect(roots).toEqual(["(<>{f()}</>)", "(<C><__Slot n={0} /></C>)"]);
});

test("the modules of a page are its own statements and those of the Markdown files that they import; scripts are listed", async () => {
  const files = {
    "b.jsx": "import { D } from './d.jsx'\nexport const B = () => { useEffect(() => {}); return <D/> }",
    "d.jsx": "export const D = () => <i/>",
    "s.mdx": `${hook}\n\n<C>{props.word}</C>`,
  };
  const source = "import { B } from '/b.jsx'\nimport S from '/s.mdx'\n\n<B/>\n\n<S word='w' list={[1]} />";
  const { page, modules, roots, tree } = await read(source, files);
  expect(tree).toBe("island(B) island(C)");
  expect(page.islands!.roots.map(({ module }) => module)).toEqual(["page.mdx", "s.mdx"]);
  expect(roots).toEqual([
    "(<B />)",
    '{ const props = {"word":"w","list":[1]}; const { word, list } = props; return (<C>{props.word}</C>); }',
  ]);
  expect(Object.keys(modules).sort()).toEqual(["page.mdx", "s.mdx"]);
  expect(modules["page.mdx"]).toContain("import { B } from '/b.jsx'");
  expect(page.snippets).toEqual(["b.jsx", "d.jsx", "s.mdx"]);
});

test("the 201st island of a page is shown as source, with an error at its location", async () => {
  const { page } = await read(Array.from({ length: 201 }, (_, i) => `{f(${i})}`).join("\n\n"));
  expect(page.islands!.roots).toHaveLength(200);
  expect(page.diagnostics.map(({ code, location }) => [code, location?.line])).toEqual([["ISLAND_LIMIT", 401]]);
  expect(page.diagnostics[0]!.cause, "a report names those of a page once").toBe("page.mdx");
});
