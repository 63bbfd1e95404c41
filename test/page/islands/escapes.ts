/**
 * What code of a site may try to get out of the interpreter, to reach the process around it, or to change what is
 * rendered after it: what it is, the body of a function whose value is shown, and how its text or the reason for which
 * it is left to the browser begins. `FILE`, `PORT` and `FOLDER` are targets.
 */
export const escapes: readonly (readonly [name: string, body: string, outcome: string])[] = [
  ["the process by name", "return typeof process + typeof require('fs').readFileSync(FILE)", "undefinedundefined"],
  [
    "the constructor chain",
    "return ({}).constructor.constructor('return process')().env.SECRET",
    "threw process is not defined",
  ],
  [
    "the constructor of a function that React gives",
    "return useState.constructor('return this.process || this.global')().env",
    "threw cannot read property 'env' of undefined",
  ],
  [
    "an indirect eval",
    "return (0, eval)('typeof process + typeof global + typeof Deno + typeof Bun')",
    "undefinedundefinedundefinedundefined",
  ],
  [
    "a generator's constructor",
    "return Object.getPrototypeOf(function* () {}).constructor('yield process')().next().value",
    "threw process is not defined",
  ],
  [
    "an async function's constructor",
    `(async () => {}).constructor('await import("node:fs")')(); return 'started'`,
    "started",
  ],
  [
    "an import at run time",
    "import('node:fs').then((fs) => fs.writeFileSync(FOLDER + '/written', 'x')); return 'started'",
    "started",
  ],
  [
    "an import of a file that is computed",
    "const f = FILE; import(f); import('file://' + f); return 'started'",
    "started",
  ],
  ["an import in evaluated code", `return eval('import("std").then((std) => std.loadFile(FILE))')`, "[object Promise]"],
  [
    "std and os of QuickJS",
    "return typeof std + typeof os + typeof scriptArgs + typeof bjs + typeof print()",
    "threw not a function",
  ],
  ["std by require", "return require('std').loadFile(FILE) + require('os').exec(['touch', FOLDER + '/os'])", "NaN"],
  ["a module by a path of the host", "return require(FILE) + require('../../../../../../etc/passwd')", "NaN"],
  ["process.binding", "return process.binding('fs').internalModuleReadJSON(FILE)", "threw process is not defined"],
  [
    "the built-in modules",
    "return globalThis.process.getBuiltinModule('node:fs').readFileSync(FILE, 'utf8')",
    "threw cannot read property 'getBuiltinModule' of undefined",
  ],
  ["the environment", "return JSON.stringify(process.env)", "threw process is not defined"],
  [
    "a callee's caller",
    "return (function f() { return f.caller.caller.arguments })()",
    "threw cannot read property 'caller' of undefined",
  ],
  [
    "host callbacks by their name",
    "return Object.getOwnPropertyNames(globalThis).filter((n) => /host|qjs|wasm|__/.test(n)).join()",
    "<p title></p>",
  ],
  [
    "the functions that the host calls",
    "return typeof host + typeof evaluate + typeof render",
    "undefinedundefinedundefined",
  ],
  ["WebAssembly", "return typeof WebAssembly", "undefined"],
  [
    "shared memory",
    "return new Int32Array(new SharedArrayBuffer(8)).length + ' ' + Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 100)",
    "threw Atomics is not defined",
  ],
  [
    "all memory of the interpreter",
    "return new Uint8Array(new ArrayBuffer(64, { maxByteLength: 2 ** 40 })).length",
    "threw invalid max array buffer length",
  ],
  [
    "a typed array beyond its buffer",
    "const b = new ArrayBuffer(8, { maxByteLength: 64 }); const a = new Uint8Array(b); b.resize(0); return [a[0], a.length, a.at(-1)].join()",
    ",0,",
  ],
  [
    "a transferred buffer",
    "const b = new ArrayBuffer(8); const v = new DataView(b); b.transfer(); return v.getInt8(0)",
    "threw ArrayBuffer is detached",
  ],
  [
    "a sort that changes its array",
    "const a = Array.from({ length: 999 }, (_, i) => i); a.sort((x, y) => { a.length = 0; a.push({}); return y - x; }); return a.length",
    "999",
  ],
  [
    "a regular expression that changes itself",
    "const r = /(?<a>.)*/y; return 'aaaa'.replace(r, () => { r.compile && r.compile('b{4000}'); return 'c'; })",
    "c",
  ],
  [
    "a species that lies",
    "class A extends Array { static get [Symbol.species]() { return function () { return { length: 2 ** 32 }; }; } } return new A(1, 2, 3).map((x) => x).length",
    "4294967296",
  ],
  [
    "a finalizer",
    "new FinalizationRegistry(() => { globalThis.later = process; }).register({}, 1); return new WeakRef({}).deref() === undefined",
    "true",
  ],
  [
    "DOMException and performance",
    "return new DOMException('x').stack + performance.timeOrigin",
    "it reads the current time",
  ],
  ["the stack of an error", "return new Error('x').stack", ""],
  ["the stack of a broken rule", "try { null.x } catch (e) { return e.stack + e.fileName + e.lineNumber }", ""],
  [
    "a prepared stack",
    "Error.prepareStackTrace = (e, frames) => frames.map((f) => f.getThis && f.getThis()).join(); return new Error('x').stack",
    ",,,,,,,,,",
  ],
  [
    "the stack of an overflow",
    "let s = ''; const f = () => { try { f(); } catch (e) { s = e.stack; throw e; } }; try { f(); } catch {} return s.slice(0, 300)",
    "",
  ],
  [
    "the cause of a missing module",
    "try { require(FILE) } catch (e) { return e.stack + e.message }; return 'no error'",
    "no error",
  ],
  ["fetch", "return fetch('http://127.0.0.1:' + PORT)", "threw not a function"],
  [
    "XMLHttpRequest",
    "const x = new XMLHttpRequest(); x.open('GET', 'http://127.0.0.1:' + PORT); x.send(); return x",
    "threw not a function",
  ],
  ["a web socket", "return new WebSocket('ws://127.0.0.1:' + PORT)", "threw not a function"],
  ["a picture", "new Image().src = 'http://127.0.0.1:' + PORT; return 'sent'", "threw not a function"],
  ["a worker", "return new Worker('data:text/javascript,postMessage(1)')", "threw not a function"],
  [
    "a timer that comes later",
    "setTimeout(() => { globalThis.later = 1; }, 0); queueMicrotask(() => { for (;;); }); return 'set'",
    "set",
  ],
  [
    "Object.prototype",
    "Object.prototype.html = 'poison'; Object.prototype.toJSON = () => 'poison'; Object.defineProperty(Object.prototype, 'live', { set() { throw 1 } }); return 'set'",
    "(It returns no HTML.)",
  ],
  [
    "Array.prototype",
    "for (const n of ['push', 'map', 'join', 'includes', 'slice', 'flat']) Array.prototype[n] = () => 'poison'; return 'set'",
    "set",
  ],
  [
    "String.prototype",
    "for (const n of ['slice', 'replace', 'startsWith', 'indexOf', 'charCodeAt']) String.prototype[n] = () => 'poison'; return 'set'",
    "set",
  ],
  [
    "iterators",
    "Array.prototype[Symbol.iterator] = function* () { yield 'poison'; }; return 'set'",
    '<p 0="p" 1="o" 2="i" 3="s" 4="o" 5="n"></p>',
  ],
  [
    "regular expressions",
    "RegExp.prototype.exec = () => null; RegExp.prototype[Symbol.replace] = () => 'poison'; RegExp.prototype.test = () => true; return 'set'",
    // Every name looks unsafe to the renderer.
    "(p is not a valid HTML tag name in <p>)",
  ],
  [
    "JSON",
    `JSON.stringify = () => '{"html":"poison","__proto__":{"live":true}}'; JSON.parse = () => ({}); return 'set'`,
    "set",
  ],
  [
    "the function that reports",
    "const d = Object.getOwnPropertyDescriptor(globalThis, 'JSON'); globalThis.JSON = new Proxy(d.value, { get: () => () => '{}' }); return 'set'",
    "set",
  ],
  [
    "the registry",
    "offprintIslands.exportsOf = () => ({ __i0: () => 'poison' }); offprintIslands.define = () => {}; delete globalThis.offprintIslands; return 'set'",
    "set",
  ],
  [
    "React's functions",
    "React.createElement = () => 'poison'; React.useState = () => ['poison']; Object.assign(React, { Fragment: 'script' }); return 'set'",
    "set",
  ],
  ["options of Preact", "const v = <p />; v.constructor = undefined; v.__proto__.type = 'script'; return 'set'", "set"],
  [
    "Map and Promise",
    "Map.prototype.get = () => 'poison'; Promise.prototype.then = () => 'poison'; return 'set'",
    "set",
  ],
  [
    "the global object",
    "Object.setPrototypeOf(globalThis, new Proxy({}, { get: () => 'poison', has: () => true })); Object.freeze(globalThis); return 'set'",
    "set",
  ],
  [
    "undefined and NaN",
    "try { undefined = 1; NaN = 2; } catch {} globalThis.String = () => 'poison'; globalThis.Object = 1; return 'set'",
    "poison",
  ],
  [
    "a proxy as a result",
    "return new Proxy({}, { get: (_, n) => { throw n; }, ownKeys: () => ['a', 'a'] })",
    "(Symbol(Symbol.toPrimitive))",
  ],
  [
    "a getter as a result",
    "return { get type() { throw 'type'; }, get props() { for (;;) throw 'props'; } }",
    "[object Object]",
  ],
  ["a text that is none", "return { toString() { throw { message: { toString: null } }; } }", "([object Object])"],
  [
    "an error that cannot be read",
    "throw new Proxy(new Error('x'), { get() { throw new Error('again'); } })",
    "(again)",
  ],
  ["nothing thrown", "throw null", "(TypeError: cannot read property 'then' of null)"],
  ["a symbol thrown", "throw Symbol('x')", "(Symbol(x))"],
  ["a promise thrown", "throw Promise.resolve(1)", "threw undefinedundefined"],
  [
    "an element of any name",
    "return React.createElement('img src=x onerror=alert(1)>', null)",
    "(img src=x onerror=alert(1)> is not a valid HTML tag name in <img src=x onerror=alert(1)>>)",
  ],
  [
    "an attribute of any name",
    "return React.createElement('p', { 'x><script>alert(1)</script': 1, 'a onload': 'b' })",
    "[object Object]",
  ],
  ["a text of half characters", "return 'a\\ud800\\0\\u2028b' + '\\ufffe'", "a\ufffd\u0000\u2028b\ufffe"],
];
