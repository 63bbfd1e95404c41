/** Names that the code of a site may use without an import, as in the page that it comes from. */

/** What `react` and `react-dom` export here. */
export const reactNames = [
  ..."Children Component Fragment Profiler PureComponent StrictMode Suspense".split(" "),
  ..."cloneElement createContext createElement createPortal createRef flushSync forwardRef isValidElement".split(" "),
  ..."memo startTransition unstable_batchedUpdates use useCallback useContext useDebugValue".split(" "),
  ..."useDeferredValue useEffect useId useImperativeHandle useInsertionEffect useLayoutEffect".split(" "),
  ..."useMemo useReducer useRef useState useSyncExternalStore useTransition version".split(" "),
] as const;

/** The built-in components of the format. Those with a dot in their name are properties of the others. */
export const componentNames = [
  ..."Accordion AccordionGroup ApiCall ApiDownloads ApiHeader ApiSection ApiServer Badge Banner Callout Card CardGroup Check".split(
    " ",
  ),
  ..."CodeBlock CodeGroup Color Color.Item Color.Row Column Columns Danger Expandable FieldNote FileTree".split(" "),
  ..."Frame GitHub.Repo Heading Icon Info Latex Mermaid Note Panel ParamField Prompt RequestExample".split(" "),
  ..."ResponseExample ResponseField Step Steps Tab Tabs Tile Tip Tooltip Tree Tree.File Tree.Folder Update".split(" "),
  ..."View Visibility Warning".split(" "),
] as const;

/** Components that live islands render as pages do; others show their children. */
export const uiNames = [
  "Card",
  "CardGroup",
  "CodeBlock",
  "CodeGroup",
  "Column",
  "Columns",
  "Expandable",
  "Icon",
] as const;

/** Identifiers that a module gets if its text contains them. */
export const providedNames: readonly string[] = [
  "React",
  ...reactNames,
  ...new Set(componentNames.map((name) => name.replace(/\..*/, ""))),
];

/** What our components in live islands say, by the names that the site's languages have for it. A `%` is a gap. */
export const englishWords = {
  attributes: "child attributes",
  code: "Code",
  codeIn: "% code",
  copy: "Copy",
  hide: "Hide %",
  show: "Show %",
} as const;

type Word = keyof typeof englishWords;

/** @param words of the page's language; empty for English. */
export const createSay =
  (words: ReadonlyMap<string, string>) =>
  (word: Word): string =>
    words.get(word) ?? englishWords[word];
export type Say = ReturnType<typeof createSay>;
