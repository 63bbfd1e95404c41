/**
 * Runs inside the interpreter, around the settings of a site. Replaces Node and packages, which are not available there. The
 * function is sent as text, so it must not refer to anything outside of it.
 */

/** What the settings may read of their repository. */
export interface GuestFiles {
  /** Paths of all files. */
  readonly paths: readonly string[];
  /** Texts of the files that an earlier run requested, by path. */
  readonly texts: Readonly<Record<string, string>>;
  /** A file that is missing or fails is an unknown value instead of an error: the repository may be incomplete. */
  readonly isLenient: boolean;
  /** Names that were undefined in an earlier run. They become Node's module of that name, or an unknown value. */
  readonly globals: readonly string[];
}

/** The result of a run, as JSON. A value of a package is `{ $unknown: "name", list }`, and a call of one is `{ $call, args }`. */
export interface GuestResult {
  readonly values: readonly { readonly value?: unknown; readonly error?: string }[];
  /** Paths of the files that the next run needs. */
  readonly needs: readonly string[];
  /** Names of the environment that the settings read; they have no values here. */
  readonly environment: readonly string[];
  /** Values of packages that are part of a text, which shows their names: `{package.version}`. */
  readonly inserted: readonly string[];
}

export function settingsGuest({ paths, texts, isLenient, globals }: GuestFiles) {
  const root = "/repository";
  const needs = new Set<string>();
  // biome-ignore lint/suspicious/noExplicitAny: settings may contain values of any type
  type Any = any;

  /** Names of unknown values that became text, and those that a text of the settings contains. */
  const spelled = new Map<string, string>();
  const inserted = new Set<string>();

  /** @param place of the import that it comes from @param list the first argument of a call, if it is a list */
  const unknown = (name: string, place = "", list?: Any[]): Any => {
    const mark = { $unknown: place === "" ? name : `${name}" of "${place}` };
    // Only declared functions can also be constructors.
    function target() {}
    // A spread of the value copies this one entry. Notes show its key.
    const entryKey = `{${name}}`;
    const proxy: Any = new Proxy(target, {
      get(_, key) {
        if (key === Symbol.iterator) return [proxy][Symbol.iterator].bind([proxy]);
        if (key === Symbol.toPrimitive || key === "toString")
          return () => {
            spelled.set(name, mark.$unknown);
            return `{${name}}`;
          };
        if (key === "__esModule") return true;
        if (key === "$unknown") return mark.$unknown;
        if (key === entryKey) return Object.create(proxy, { $entry: { value: mark.$unknown } });
        if (key === "$list") return list;
        if (key === "then" || typeof key === "symbol") return undefined;
        return key === "default" ? proxy : unknown(`${name}.${key}`, place);
      },
      set: () => true,
      apply: (_, __, args) => call(name, args, place),
      construct: () => unknown(`${name}()`, place),
      has: () => true,
      ownKeys: (object) => [...Reflect.ownKeys(object), entryKey],
      getOwnPropertyDescriptor: (object, key) =>
        key === entryKey
          ? { value: proxy[key], enumerable: true, configurable: true }
          : Reflect.getOwnPropertyDescriptor(object, key),
    });
    return proxy;
  };

  const isPlain = (value: Any): boolean => typeof value === "object" && value !== null && !Array.isArray(value);
  const settingsOf = (value: Any): Any =>
    typeof value === "function" && value.$unknown === undefined
      ? value({ command: "build", mode: "production", env: {} })
      : value;

  /** The calls of packages: the file, the name of the function, and the first argument. */
  const calls: [file: string, name: string, first: Any][] = [];

  /** `defineConfig({ … })` is its argument; `starlight({ … })` is a call with its arguments. */
  const call = (name: string, args: Any[], place: string): Any => {
    const short = name.replace(/^.*[./]/, "");
    calls.push([place.replace(/:\d+$/, ""), short, args[0]]);
    // `nextra({ … })` returns a function that takes the settings of Next.js and returns them.
    if (/^(?:nextra|@next\/[\w-]+)$/.test(name) || /^create(?:MDX|Next\w+Plugin)$/.test(short)) return settingsOf;
    const first = args.find((arg) => isPlain(arg) || (typeof arg === "function" && arg.$unknown === undefined));
    if (/^(?:define|with|extend|create)(?:[A-Z]|$)/.test(short) && first !== undefined) {
      const settings = settingsOf(first);
      // The other arguments may be settings as well.
      const isMore = isPlain(settings) && args.some((arg) => arg !== first && typeof arg === "object" && arg !== null);
      return isMore ? { ...settings, $through: [settings.$through, short].filter(Boolean).join(" and ") } : settings;
    }
    if (/^(?:concat|flat|filter|slice|toSorted|sort|map|flatMap)$/.test(short)) return unknown(`${name}()`, place);
    // Some packages return a list of plugins: `...call({ … })`.
    const data: Any = { $call: short, args };
    // What the package adds to its result is unknown: `useSidebar({ … }).groups()`.
    const callValue: Any = new Proxy(data, {
      get: (_, key) =>
        typeof key === "symbol" || key in data || /^(?:\$|__|then$|type$|props$|toJSON$)/.test(key)
          ? data[key]
          : unknown(`${name}().${key}`, place),
    });
    Object.defineProperty(data, Symbol.iterator, { value: () => [callValue][Symbol.iterator]() });
    return isPlain(args[0]) ? callValue : unknown(`${name}()`, place, Array.isArray(args[0]) ? args[0] : undefined);
  };

  const normal = (path: string): string => {
    const parts: string[] = [];
    for (const part of path.split("/"))
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    return `/${parts.join("/")}`;
  };
  const resolve = (...segments: Any[]): string =>
    normal(
      segments.reduce((at: string, part) => (String(part).startsWith("/") ? String(part) : `${at}/${part}`), root),
    );
  const join = (...segments: Any[]): string => {
    const whole = segments.map(String).join("/");
    return whole.startsWith("/") ? normal(whole) : whole.replace(/\/{2,}/g, "/");
  };
  const basename = (path: Any, end = ""): string => {
    const name = String(path).replace(/\/+$/, "").split("/").at(-1)!;
    return end !== "" && name.endsWith(end) ? name.slice(0, -end.length) : name;
  };
  const extname = (path: Any): string => /.(\.[^.]*)$/.exec(basename(path))?.[1] ?? "";
  const dirname = (path: Any): string => String(path).replace(/\/?[^/]*\/*$/, "") || ".";
  const relative = (from: Any, to: Any): string => {
    const [a, b] = [resolve(from).split("/"), resolve(to).split("/")];
    let same = 0;
    while (same < a.length && a[same] === b[same]) same++;
    return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("/");
  };
  const parse = (path: Any) => ({
    root: "",
    dir: dirname(path),
    base: basename(path),
    ext: extname(path),
    name: basename(path, extname(path)),
  });
  const pathModule: Any = { resolve, join, basename, extname, dirname, relative, parse, sep: "/", delimiter: ":" };
  pathModule.normalize = (path: Any) => normal(String(path));
  pathModule.isAbsolute = (path: Any) => String(path).startsWith("/");
  pathModule.posix = pathModule;

  const fileURLToPath = (url: Any): string => String(url?.href ?? url).replace(/^file:\/\//, "");
  const inRepository = (path: Any): string => resolve(fileURLToPath(path)).slice(root.length + 1);
  const isFile = (path: Any): boolean => paths.includes(inRepository(path));
  const isFolder = (path: Any): boolean => {
    const folder = inRepository(path);
    return folder === "" || paths.some((file) => file.startsWith(`${folder}/`));
  };
  const stat = (path: Any) => ({ isFile: () => isFile(path), isDirectory: () => isFolder(path), mtime: new Date() });
  const readFileSync = (path: Any): Any => {
    const file = inRepository(path);
    if (!isFile(path) && isLenient) return unknown(`the file ${file}`);
    if (!isFile(path)) throw new Error(`There is no file "${file}"`);
    if (!Object.hasOwn(texts, file)) needs.add(file);
    return texts[file] ?? "";
  };
  const readdirSync = (path: Any, options: Any = {}): Any[] => {
    const folder = inRepository(path);
    const inside = paths.flatMap((file) =>
      folder === "" ? [file] : file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : [],
    );
    const names = options?.recursive ? inside : [...new Set(inside.map((file) => file.split("/")[0]!))];
    return options?.withFileTypes
      ? names.map((name) => ({ name, parentPath: path, path, ...stat(join(path, name)) }))
      : names;
  };
  const promises = { readFile: readFileSync, readdir: readdirSync, stat, access: (path: Any) => stat(path) };
  const fs = {
    readFileSync,
    readdirSync,
    existsSync: (path: Any) => isFile(path) || isFolder(path),
    statSync: stat,
    lstatSync: stat,
    promises,
    ...promises,
  };

  class GuestURL {
    href: string;
    constructor(written: Any, base?: Any) {
      const text = String(written?.href ?? written);
      const [, origin = "", folder = ""] =
        /^([a-z][\w+.-]*:\/\/[^/?#]*)([^?#]*)/i.exec(String(base?.href ?? base ?? "")) ?? [];
      this.href = /^[a-z][\w+.-]*:/i.test(text)
        ? text
        : origin + normal(text.startsWith("/") ? text : `${folder.replace(/[^/]*$/, "")}${text}`);
    }
    get origin(): string {
      return /^[a-z][\w+.-]*:\/\/[^/?#]*/i.exec(this.href)?.[0] ?? "";
    }
    get pathname(): string {
      return this.href.slice(this.origin.length).replace(/[?#].*$/, "") || "/";
    }
    get hostname(): string {
      return this.origin.replace(/^.*\/\//, "");
    }
    toString(): string {
      return this.href;
    }
  }

  const environment = new Set<string>();
  const process = {
    env: new Proxy<Any>(
      { NODE_ENV: "production" },
      {
        get(values, key) {
          if (typeof key === "string" && !(key in values)) environment.add(key);
          return values[key];
        },
      },
    ),
    argv: [],
    cwd: () => root,
    platform: "linux",
    version: "v24.0.0",
    versions: {},
    exit() {},
    on() {},
  };
  /** Stands for `Promise`: `await` is removed from the settings, so results are returned at once. */
  const now = { all: (list: Any) => list, allSettled: (list: Any) => list, resolve: (value: Any) => value };
  const modules: Readonly<Record<string, Any>> = {
    path: pathModule,
    fs,
    "fs/promises": promises,
    url: { fileURLToPath, pathToFileURL: (path: Any) => new GuestURL(`file://${path}`), URL: GuestURL },
    process,
    module: {
      createRequire: () => Object.assign((name: string) => unknown(name), { resolve: (name: string) => name }),
    },
  };

  /** A module of Node that settings use, or a package, whose values are unknown. */
  const packageOf = (name: string, place: string): Any => {
    const nodeModule = modules[name.replace(/^node:/, "")];
    if (nodeModule === undefined) {
      const proxy = unknown(name, place);
      // The module itself may be a function: `require("nextra")({ … })`.
      function callable(...args: Any[]): Any {
        return proxy(...args);
      }
      const module: Any = Object.setPrototypeOf(callable, proxy);
      for (const key of ["name", "length"]) delete module[key];
      return Object.defineProperties(module, Object.getOwnPropertyDescriptors({ ...proxy }));
    }
    // Functions that write files or start programs do nothing.
    const get = (object: Any, key: Any): Any =>
      key in object || typeof key === "symbol" ? object[key] : unknown(`${name}.${key}`, place);
    const whole = new Proxy(nodeModule, { get });
    return new Proxy({ __esModule: true, default: whole, ...nodeModule }, { get });
  };

  /** A module of the site. If a part of it fails, only that part becomes an unknown value. */
  const moduleOf = (name: string, place: string, load: () => Any): Any => {
    if (!isLenient) return load();
    /** @param cause the unknown value among the arguments, which is the reason if the call fails */
    const attempt = (run: () => Any, cause?: Any): Any => {
      try {
        return run();
      } catch (error) {
        const message = String((error as { message?: unknown })?.message ?? error);
        if (/ is not defined/.test(message)) throw error;
        return cause ?? unknown(`${name} (${message.slice(0, 100)})`, place);
      }
    };
    const guarded = (value: Any): Any =>
      typeof value === "function"
        ? new Proxy(value, {
            apply: (run, self, args) =>
              attempt(
                () => Reflect.apply(run, self, args),
                args.find((arg) => arg?.$unknown !== undefined),
              ),
          })
        : value;
    const exports = attempt(load);
    if (typeof exports === "object" && exports !== null)
      return new Proxy(exports, {
        // Some tools let `require` return the properties of the default export.
        get: (object, key) =>
          key in object || typeof key === "symbol" || !object.__esModule
            ? guarded(object[key])
            : (object.default?.[key] ?? unknown(`${name}.${key}`, place)),
      });
    return exports?.$unknown === undefined ? guarded(exports) : Object.create(exports);
  };

  const parseJson = JSON.parse;
  JSON.parse = (text: Any, ...rest) => (text?.$unknown === undefined ? parseJson(text, ...rest) : text);
  for (const name of globals) (globalThis as Any)[name] = modules[name] ?? unknown(name);

  const seen: Any[] = [];
  let left = 200_000;
  /** Plain data. Functions are left out. */
  const plain = (value: Any): Any => {
    if (--left < 0) return { $unknown: "more values than settings may have" };
    if (typeof value === "function")
      return value.$unknown === undefined
        ? undefined
        : { $unknown: value.$unknown, list: value.$list && plain(value.$list) };
    if (typeof value === "string")
      for (const [name, full] of spelled) if (value.includes(`{${name}}`)) inserted.add(full);
    if (value === null || typeof value !== "object") return typeof value === "bigint" ? String(value) : value;
    if (seen.includes(value) || seen.length > 60) return { $unknown: "a value that contains itself" };
    if (isEntry(value)) return { $unknown: value.$entry };
    seen.push(value);
    let out: Any;
    if (Array.isArray(value)) out = value.map((item) => plain(item) ?? null);
    else if (value instanceof GuestURL) out = value.href;
    else if (value instanceof Map) out = plain([...value]);
    else if (value instanceof Set) out = plain([...value]);
    // A JSX element becomes its text.
    else if ("type" in value && isPlain(value.props) && "__v" in value) out = elementText(value);
    else
      out = Object.fromEntries(
        Object.entries<Any>(value).map(([key, item]) =>
          isEntry(item) ? ["$unknown", item.$entry] : [key, plain(key === "redirects" ? settingsOf(item) : item)],
        ),
      );
    seen.pop();
    return out;
  };
  /** Whether the value is the one entry that a spread of an unknown value copies. */
  const isEntry = (value: Any): boolean =>
    typeof value === "object" && value !== null && Object.hasOwn(value, "$entry");
  const elementText = (value: Any, depth = 0): string => {
    if (depth > 30 || value === null || value === undefined || typeof value === "boolean") return "";
    if (Array.isArray(value)) return value.map((item) => elementText(item, depth + 1)).join("");
    return typeof value === "object" ? elementText(value.props?.children, depth + 1) : String(value);
  };

  /** @param load runs a module of the site and returns its exports */
  const results = (files: readonly string[], load: (file: string) => Any): GuestResult => {
    const values = files.map((file) => {
      try {
        const exports = load(file);
        // Settings that are not exported are given to a package: `define.doc({ … })`.
        const isEmpty = isPlain(exports) && Object.keys(exports).every((key) => key === "__esModule");
        const given = calls.flatMap(([from, name, first]) => (from === file ? [[name, settingsOf(first)]] : []));
        const own = isEmpty ? Object.fromEntries(given) : exports;
        const main = own?.__esModule && "default" in own ? own.default : own;
        return { value: plain(settingsOf(main)) };
      } catch (error) {
        const { message } = (error ?? {}) as { message?: unknown };
        return { error: String(message ?? error).slice(0, 300) };
      }
    });
    return {
      values,
      needs: [...needs].slice(0, 200),
      environment: [...environment].slice(0, 20),
      inserted: [...inserted].slice(0, 20),
    };
  };
  return { packageOf, moduleOf, results, process, URL: GuestURL, Promise: now, unknown };
}
