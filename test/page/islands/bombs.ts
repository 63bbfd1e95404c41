/**
 * Islands that take too much: what of, the body of a component, and what becomes of them.
 * Where it depends on the speed of the machine which limit is met first, both are named, the usual one first.
 */
export const bombs: readonly (readonly [name: string, body: string, kind: string])[] = [
  ["a loop", "for (;;);", "deadline"],
  ["a loop that goes on finally", "for (;;) { try { for (;;); } finally { continue; } }", "deadline"],
  ["a loop in a getter of a result", "return { get type() { for (;;); }, constructor: undefined };", "deadline"],
  ["a loop when it is made a text", "throw { message: undefined, toString() { for (;;); } };", "deadline"],
  ["a loop of promises", "const f = () => Promise.resolve().then(f); f(); return 'x';", "live"],
  ["an endless generator", "return [...(function* () { for (;;) yield 1; })()];", "memory|deadline"],
  ["a regular expression", "return /^(a+)+$/.test('a'.repeat(60) + '!');", "deadline"],
  ["an array", "const a = []; for (;;) a.push(new Array(1000).fill(a));", "memory"],
  ["a text", "let s = 'x'; for (;;) s += s + s.slice(1);", "memory"],
  ["a repeated text", "return 'x'.repeat(2 ** 29).length;", "memory"],
  ["a buffer", "const all = []; for (;;) all.push(new Uint8Array(2 ** 24));", "memory"],
  ["a sparse array filled", "return new Array(2 ** 32 - 1).fill(1);", "memory|deadline"],
  ["a joined array", "return new Array(2 ** 28).join('xxxxxxxx');", "deadline|memory"],
  [
    "a sort",
    "return Array.from({ length: 3e5 }, (_, i) => i).sort((a, b) => { for (let i = 0; i < 1e4; i++); return b - a; });",
    "deadline",
  ],
  ["a large number", "let n = 3n; for (;;) n *= n;", "memory|deadline"],
  ["digits of a large number", "return (1n << 4000000n).toString(10).length;", "memory"],
  ["a map", "const m = new Map(); for (let i = 0; ; i++) m.set({}, i);", "memory|deadline"],
  ["recursion", "const f = () => f() + 1; return f();", "stack"],
  ["recursion through a getter", "const o = { get a() { return this.a; } }; return o.a;", "stack"],
  [
    "recursion through JSON",
    "let o = {}; for (let i = 0; i < 2e5; i++) o = { o }; return JSON.stringify(o).length;",
    "stack|deadline",
  ],
  ["nested JSON", "return JSON.parse('['.repeat(3e5) + ']'.repeat(3e5)).length;", "stack"],
  ["nested groups", "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('');", "client only"],
  ["a component of itself", "return <Bomb />;", "stack"],
  ["elements in elements", "let e = <b />; for (let i = 0; i < 1e5; i++) e = <b>{e}</b>; return e;", "deadline|stack"],
  ["many elements", "return Array.from({ length: 1e6 }, () => <b>x</b>);", "deadline|memory"],
  ["long HTML", "return 'x'.repeat(1024 * 1024 + 1);", "size"],
  ["a long attribute", "return <p title={'\"'.repeat(5e5)} />;", "size"],
  ["a long message", "throw new Error('x'.repeat(1e6));", "client only"],
];
