/** Names that the code of a site may use without an import. */

/** The exports of our `react` and `react-dom`. */
export const reactNames = [
  ..."Children Component Fragment Profiler PureComponent StrictMode Suspense".split(" "),
  ..."cloneElement createContext createElement createPortal createRef flushSync forwardRef isValidElement".split(" "),
  ..."memo startTransition unstable_batchedUpdates use useCallback useContext useDebugValue".split(" "),
  ..."useDeferredValue useEffect useId useImperativeHandle useInsertionEffect useLayoutEffect".split(" "),
  ..."useMemo useReducer useRef useState useSyncExternalStore useTransition version".split(" "),
] as const;

/** The built-in components. A name with a dot is a property of another component. */
export const componentNames = [
  ..."Accordion AccordionGroup ApiCall ApiDownloads ApiHeader ApiSection ApiServer Badge Banner Callout Card CardGroup Check".split(
    " ",
  ),
  ..."CodeBlock CodeGroup Color Color.Item Color.Row Column Columns Danger Expandable FieldNote FileTree".split(" "),
  ..."Frame GitHub.Repo Heading Icon Info Latex Mermaid Note Panel ParamField Prompt RequestExample".split(" "),
  ..."ResponseExample ResponseField Step Steps Tab Tabs Tile Tip Tooltip Tree Tree.File Tree.Folder Update".split(" "),
  ..."View Visibility Warning".split(" "),
] as const;

/** Components that live islands render as pages do. Others show only their children. */
export const uiNames = [
  "Badge",
  "Card",
  "CardGroup",
  "CodeBlock",
  "CodeGroup",
  "Column",
  "Columns",
  "Expandable",
  "Icon",
] as const;

/** The vendor's global object with all components. */
export const componentsObject = "MintlifyComponents";

/** Identifiers that are passed to a module if its text contains them. */
export const providedNames: readonly string[] = [
  "React",
  componentsObject,
  ...reactNames,
  ...new Set(componentNames.map((name) => name.replace(/\..*/, ""))),
];

/** English texts of our components in live islands, by their key in the language files. `%` is a placeholder. */
export const englishWords = {
  attributes: "child attributes",
  code: "Code",
  codeIn: "% code",
  copy: "Copy",
  hide: "Hide %",
  show: "Show %",
} as const;

type Word = keyof typeof englishWords;

/** @param words texts in the page's language; empty for English. */
export const createSay =
  (words: ReadonlyMap<string, string>) =>
  (word: Word): string =>
    words.get(word) ?? englishWords[word];
export type Say = ReturnType<typeof createSay>;
