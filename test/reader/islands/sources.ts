import type { IslandSource } from "./island-pages.js";

const kept = '<p id="kept">Content of <a href="#x">the page</a></p>';

/** One page for each thing that components do. */
export const islandPages = {
  "counter.html": {
    source: `
      import { useEffect, useLayoutEffect, useRef, useState } from "react";
      const Add = ({ onAdd, count }) => {
        const button = useRef(null);
        useLayoutEffect(() => { window.log.push("layout " + button.current.tagName); }, []);
        useEffect(() => { window.log.push("effect " + count); return () => window.log.push("clean " + count); }, [count]);
        return <button id="add" ref={button} onClick={onAdd}>Add</button>;
      };
      const Counter = () => {
        const [count, setCount] = useState(0);
        const [shown, setShown] = useState(true);
        return (
          <div className="counter">
            <p id="count">Count: {count} {"clicks"}</p>
            {shown && <Add count={count} onAdd={() => setCount((last) => last + 1)} />}
            <button id="hide" onClick={() => setShown(false)}>Hide</button>
          </div>
        );
      };
      export const __i0 = () => <Counter />;`,
  },
  "form.html": {
    source: `
      const Form = () => {
        const [name, setName] = useState("");
        const [agree, setAgree] = useState(false);
        const [kind, setKind] = useState("b");
        const [digits, setDigits] = useState("");
        const [sent, setSent] = useState("");
        const [notes, setNotes] = useState("first\\nsecond");
        return (
          <form onSubmit={(event) => { event.preventDefault(); setSent("sent"); }}>
            <input id="name" value={name} onChange={(event) => setName(event.target.value)} />
            <input id="agree" type="checkbox" checked={agree} onChange={(event) => setAgree(event.target.checked)} />
            <select id="kind" value={kind} onChange={(event) => setKind(event.target.value)}>
              {["a", "b", "c"].map((each) => <option key={each} value={each}>{each.toUpperCase()}</option>)}
            </select>
            <input id="digits" value={digits} onChange={(event) => setDigits(event.target.value.replace(/\\D/g, ""))} />
            <input id="fixed" type="checkbox" checked={false} readOnly />
            <select id="first" defaultValue="y"><option>x</option><option>y</option></select>
            {sent && <select id="second" defaultValue="y"><option>x</option><option>y</option></select>}
            <textarea id="notes" value={notes} onChange={(event) => setNotes(event.target.value)} />
            <button id="send">Send</button>
            <p id="shown">{name}|{String(agree)}|{kind}|{sent}</p><p id="noted">{notes}</p>
          </form>
        );
      };
      export const __i0 = () => <Form />;`,
  },
  "list.html": {
    source: `
      const List = () => {
        const [items, setItems] = useState(["a", "b", "c"]);
        return <div>
          <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>
          <button id="turn" onClick={() => setItems([...items].reverse())}>Turn</button>
          <button id="cut" onClick={() => setItems(items.slice(0, 2))}>Cut</button>
        </div>;
      };
      export const __i0 = () => <List />;`,
  },
  "context.html": {
    modules: {
      "./theme.jsx": "export const Theme = React.createContext('none');",
      "./label.jsx": `
        import { Theme } from "./theme.jsx";
        export const Label = () => <Theme.Consumer>{(theme) => <i>{theme}</i>}</Theme.Consumer>;`,
    },
    source: `
      import { Theme } from "./theme.jsx";
      import { Label } from "./label.jsx";
      const Name = React.memo(() => useContext(Theme));
      const Provider = ({ children }) => {
        const [theme, setTheme] = useState("light");
        return <Theme.Provider value={theme}>
          <div id="outer">{children}</div>
          <button id="switch" onClick={() => setTheme("dark")}>Switch</button>
        </Theme.Provider>;
      };
      export const __i0 = () => <Provider><Name /><b>/</b><Label /></Provider>;`,
  },
  "slots.html": {
    slots: { 0: kept, 1: '<p id="late">shown later</p>' },
    source: `
      const Panel = ({ children, more }) => {
        const [state, setState] = useState({ shown: true, aside: false, times: 0, more: false });
        const change = (values) => setState({ ...state, ...values, times: state.times + 1 });
        return <section>
          {state.aside ? <aside>{state.shown && children}</aside> : <div>{state.shown && children}</div>}
          {state.more && more}
          <p id="rest">updated {state.times} times</p>
          <button id="toggle" onClick={() => change({ shown: !state.shown })}>Toggle</button>
          <button id="move" onClick={() => change({ aside: true })}>Move</button>
          <button id="more" onClick={() => change({ more: true })}>More</button>
        </section>;
      };
      export const __i0 = () => <Panel more={<__Slot n={1} />}><__Slot n={0} /></Panel>;`,
  },
  "slot-context.html": {
    slots: { 0: "<p>In <inner/></p>" },
    source: `
      const Unit = React.createContext("m");
      const Switch = ({ children }) => {
        const [unit, setUnit] = useState("m");
        return <Unit.Provider value={unit}><div>{children}</div><button id="feet" onClick={() => setUnit("ft")}>Feet</button></Unit.Provider>;
      };
      const Level = () => <output>{useContext(Unit)}</output>;
      export const __i0 = () => <Switch><__Slot n={0} /></Switch>;
      export const inner = () => <Level />;`,
  },
  "slot-moved.html": {
    slots: { 0: "<p>One</p><p>Two</p>" },
    // A paragraph of HTML cannot contain another one.
    repair: (html) => html.replace("<p>", "<div>").replace("</p>", "</div>"),
    source: `
      const Lead = ({ children }) => {
        const [count, setCount] = useState(0);
        return <section><p>{children}</p><button id="more" onClick={() => setCount(count + 1)}>{count}</button></section>;
      };
      export const __i0 = () => <Lead><__Slot n={0} /></Lead>;`,
  },
  "slot-twice.html": {
    slots: { 0: '<p id="only" class="both">Both</p>' },
    source: `
      const Twice = ({ children }) => {
        const [first, setFirst] = useState(true);
        const [third, setThird] = useState(false);
        return <div>
          <div>{first && children}</div>
          <div>{children}</div>
          <div>{third && children}</div>
          <button id="third" onClick={() => setThird(!third)}>Third</button>
          <button id="first-away" onClick={() => setFirst(false)}>First</button>
        </div>;
      };
      export const __i0 = () => <Twice><__Slot n={0} /></Twice>;`,
  },
  "styles.html": {
    source: `
      const Box = () => {
        const [on, setOn] = useState(false);
        return <div className="themed" style={{ "--edge": "3px", borderTop: "var(--edge) solid" }}>
          <div id="box" onClick={() => setOn(true)}
            style={{ color: on ? "blue" : "red", width: on ? 60 : 120, lineHeight: 2, fontSize: 16, margin: on && 4 }}>Box</div>
        </div>;
      };
      export const __i0 = () => <Box />;`,
  },
  "sheet.html": {
    source: `
      const Sheet = () => {
        const [color, setColor] = useState("black");
        return <div>
          <style>{".painted { color: " + color + "; }"}</style>
          {color === "red" ? <style dangerouslySetInnerHTML={{ __html: ".painted { top: 0 }" }} /> : null}
          <p className="painted">Painted</p>
          <button id="paint" onClick={() => setColor(color === "black" ? "green" : "purple")}>Paint</button>
          <button id="clear" onClick={() => setColor("black")}>Clear</button>
        </div>;
      };
      export const __i0 = () => <Sheet />;`,
  },
  "drawing.html": {
    source: `
      const Drawing = () => {
        const [width, setWidth] = useState(0);
        return <div>
          <svg viewBox="0 0 9 9" fill="none" strokeLinecap="round">
            <circle cx="4" cy="4" r="2" strokeWidth="1" />
            {width > 0 && <path id="line" className="thick" d="M0 0h9" strokeWidth={width} />}
          </svg>
          <button id="draw" onClick={() => setWidth(3)}>Draw</button>
        </div>;
      };
      export const __i0 = () => <Drawing />;`,
  },
  "error.html": {
    source: `
      const Bad = () => {
        if (typeof window === "object" && window.log) throw new Error("on purpose");
        return <p id="bad">fine</p>;
      };
      const Alive = () => {
        const [count, setCount] = useState(0);
        return <button id="alive" onClick={() => setCount(count + 1)}>alive {count}</button>;
      };
      export const __i0 = () => <div className="a"><p>Text <b>before</b></p><Bad /></div>;
      export const __i1 = () => <Alive />;`,
  },
  "late-error.html": {
    source: `
      const Render = () => {
        const [count, setCount] = useState(0);
        if (count > 0) throw new Error("render fails");
        return <button id="render" className="kept" onClick={() => setCount(count + 1)}>render {count}</button>;
      };
      const Effect = () => {
        const [on, setOn] = useState(false);
        useEffect(() => { if (on) throw new Error("effect fails"); }, [on]);
        return <button id="effect" className="kept" onClick={() => setOn(true)}>effect</button>;
      };
      const Clean = () => {
        const [on, setOn] = useState(false);
        useEffect(() => () => { throw new Error("clean fails"); }, [on]);
        return <button id="clean" className="kept" onClick={() => setOn(true)}>clean</button>;
      };
      const First = () => {
        useEffect(() => { throw new Error("first fails"); }, []);
        return <i>first</i>;
      };
      const Steady = () => {
        const [count, setCount] = useState(0);
        useEffect(() => setCount((last) => last + 1), []);
        return <button id="steady" onClick={() => setCount(count + 1)}>steady {count}</button>;
      };
      export const __i0 = () => <div><First /><Render /><Effect /><Clean /><Steady /></div>;`,
  },
  "client-only.html": {
    clientOnly: true,
    slots: { 0: "<b>slot</b>" },
    source: `
      const Width = ({ children }) => {
        const [text, setText] = useState("width " + window.innerWidth + " ");
        return <p><span id="client" onClick={() => setText("clicked")}>{text}</span>{children}</p>;
      };
      export const __i0 = () => <Width><__Slot n={0} /></Width>;`,
  },
  "client-error.html": {
    clientOnly: true,
    source: `export const __i0 = () => { throw new Error("never works"); };`,
  },
  "deep/links.html": {
    links: { "/guides/start": "guides/start.html", "/pictures/a.svg": "pictures/a.svg" },
    source: `
      const hrefs = ["/guides/start", "/guides/start#a", "/guides/start?b#c", "/unknown", "//host/guides/start", "https://example.com/"];
      const Links = () => {
        const [shown, setShown] = useState(false);
        return <div>
          <button id="show" onClick={() => setShown(true)}>Show</button>
          {shown && <div id="links">{hrefs.map((href) => <a key={href} href={href}>x</a>)}<i id="ground" style={{ background: "url('/pictures/a.svg')" }} /><img src="/pictures/a.svg" alt="" /></div>}
        </div>;
      };
      export const __i0 = () => <Links />;`,
  },
  "ids.html": {
    source: `
      const Field = () => {
        const id = useId();
        return <p><label htmlFor={id}>Label</label><input id={id} /></p>;
      };
      const Fields = () => {
        const [count, setCount] = useState(2);
        return <div>
          {Array.from({ length: count }, (_, i) => <Field key={i} />)}
          <button id="more-fields" onClick={() => setCount(count + 1)}>More</button>
        </div>;
      };
      export const __i0 = () => <Fields />;
      export const __i1 = () => <div><Field /><Field /></div>;`,
  },
  "table.html": {
    // The parser of HTML puts rows into a body.
    repair: (html) => html.replace("<table>", "<table><tbody>").replace("</table>", "</tbody></table>"),
    source: `
      const Name = () => "Ada";
      const Table = () => {
        const [first, setFirst] = useState(1);
        return <div>
          <table>{["a", "b"].map((name, i) => <tr key={name}><td>{name}</td><td>{first + i}</td></tr>)}</table>
          <p id="greeting">Hello <Name />, you have {first} news.</p>
          <button id="next" onClick={() => setFirst(2)}>Next</button>
        </div>;
      };
      export const __i0 = () => <Table />;`,
  },
  "markup.html": {
    source: `
      const Markup = () => {
        const [html, setHtml] = useState("<b>one</b>");
        return <div>
          <div id="markup" dangerouslySetInnerHTML={{ __html: html }} />
          <button id="swap" onClick={() => setHtml("<i>two</i>")}>Swap</button>
        </div>;
      };
      export const __i0 = () => <Markup />;`,
  },
  "nested.html": {
    slots: { 0: "<inner/>", 1: "<p>Later: <inner/></p>" },
    source: `
      const Outer = ({ children, more }) => {
        const [count, setCount] = useState(0);
        return <div>
          {children}
          <button id="outer-more" onClick={() => setCount(count + 1)}>outer {count}</button>
          {count > 0 && more}
        </div>;
      };
      const Inner = () => {
        const [count, setCount] = useState(0);
        return <button className="inner" onClick={() => setCount(count + 1)}>inner {count}</button>;
      };
      export const __i0 = () => <Outer more={<__Slot n={1} />}><__Slot n={0} /></Outer>;
      export const inner = () => <Inner />;`,
  },
  "react.html": {
    source: `
      import React, { Component, forwardRef, memo, Suspense, useImperativeHandle, useSyncExternalStore } from "react";
      import { createPortal } from "react-dom";
      class Counter extends Component {
        state = { count: 0 };
        render() {
          return <button id="class" onClick={() => this.setState({ count: this.state.count + 1 })}>{this.state.count}</button>;
        }
      }
      let renders = 0;
      const Still = memo(({ name }) => <p id="renders" title={name}>{++renders}</p>);
      const Field = forwardRef((props, ref) => {
        const own = React.useRef(null);
        useImperativeHandle(ref, () => ({ focus: () => own.current.focus() }));
        return <input id="target" ref={own} />;
      });
      let value = 7;
      const subscribe = (changed) => {
        const listen = () => { value++; changed(); };
        addEventListener("store", listen);
        return () => removeEventListener("store", listen);
      };
      const Store = () => <p id="store">{useSyncExternalStore(subscribe, () => value)}</p>;
      const All = () => {
        const [state, setState] = React.useState({});
        const field = React.useRef(null);
        return <div>
          <Counter /><Still name="x" /><Field ref={field} /><Store />
          <button id="open" onClick={() => setState({ ...state, open: true })}>Open</button>
          <button id="focus" onClick={() => field.current.focus()}>Focus</button>
          <button id="load" onClick={() => setState({ ...state, load: true })}>Load</button>
          {state.open && createPortal(<p className="portal">in the body</p>, document.body)}
          <p id="suspense">{state.load && <Suspense fallback="waiting">here</Suspense>}</p>
        </div>;
      };
      export const __i0 = () => <All />;`,
  },
  "events.html": {
    source: `
      const Events = () => {
        const log = (text) => () => window.log.push(text);
        return <div onFocus={log("focus")} onBlur={(event) => {
          log("blur")();
          event.persist();
          event.preventDefault();
          window.log.push("native " + (event.nativeEvent === event));
        }}>
          <input id="field" />
          <span id="twice" tabIndex={0} onDoubleClick={log("double")} onFocus={(event) => event.stopPropagation()}
            onBlur={(event) => event.stopPropagation()}>Twice</span>
        </div>;
      };
      export const __i0 = () => <Events />;`,
  },
  "ui.html": {
    icons: {
      star: '<svg class="icon" width="16" height="16" viewBox="0 0 24 24" aria-hidden="true"><g fill="none"><path d="M0 0h9"/></g></svg>',
    },
    links: { "/guides/start": "guides/start.html" },
    source: `
      const Ui = () => {
        const [on, setOn] = useState(false);
        return <Columns cols={2}>
          <Card title="Start" icon="star" href="/guides/start">{on ? "on" : "off"}</Card>
          <Card title="Switch" onClick={() => setOn(!on)}>Click</Card>
          <Expandable title="more">{on && <Icon icon="star" size={20} />}</Expandable>
          <CodeGroup>
            <CodeBlock filename="a.sh" language="bash">{"one " + on}</CodeBlock>
            <CodeBlock filename="b.sh" language="bash">two</CodeBlock>
          </CodeGroup>
          <Note>Other <b>components</b></Note>
          <Tree.Folder>show their children</Tree.Folder>
        </Columns>;
      };
      export const __i0 = () => <Ui />;`,
  },
} satisfies Readonly<Record<string, IslandSource>>;
