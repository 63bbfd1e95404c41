import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  CodeActionKind,
  createConnection,
  DiagnosticSeverity,
  type Diagnostic as EditorDiagnostic,
  InsertTextFormat,
  MarkupKind,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
  type TextEdit,
} from "vscode-languageserver";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { type Diagnostic, isRepairable, type Location, withLineFeeds } from "../lib/diagnostic/index.js";
import { watchSite } from "../preview/watch-site.js";
import { completionsAt } from "./complete.js";
import { hoverAt } from "./hover.js";
import { type OpenSite, openSite } from "./open-site.js";
import { targetAt } from "./targets.js";

interface EditorOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly cacheFolder?: string | undefined;
  /** Ends the server. */
  readonly signal: AbortSignal;
}

/** A check begins once nobody has typed for this time. */
const pauseMs = 120;
const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
};

/** A site, its open files, and the diagnostics that were published. */
interface Workspace {
  readonly site: OpenSite;
  /** The diagnostics that were published last, by source path. */
  readonly published: Map<string, readonly Diagnostic[]>;
  readonly pending: Set<string>;
  timer?: NodeJS.Timeout | undefined;
  /** Requests and checks wait for each other: a site is read by one of them at a time. */
  queue: Promise<void>;
  readonly stopWatching: () => void;
}

/** Serves the Language Server Protocol until the editor sends `exit` or closes `input`, or until `signal` aborts. */
export async function serveEditor({ input, output, cacheFolder, signal }: EditorOptions): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const connection = createConnection(
    (logger) => createProtocolConnection(new StreamMessageReader(input), new StreamMessageWriter(output), logger),
    { shutdownReceived: false, initialize() {}, exit: () => ended.resolve() },
  );
  const documents = new TextDocuments(TextDocument);
  /** By the folder of the site. */
  const workspaces = new Map<string, Promise<Workspace | undefined>>();
  let usesSnippets = false;

  /** Finds the site of a file, and opens it if necessary. Undefined if the file is not part of a readable site. */
  const openFile = async (uri: string) => {
    const path = uri.startsWith("file:") ? fileURLToPath(uri) : undefined;
    const folder = path && siteFolderOf(path);
    if (!path || !folder) return undefined;
    if (!workspaces.has(folder)) workspaces.set(folder, openWorkspace(folder));
    const workspace = await workspaces.get(folder);
    return workspace && { workspace, sourcePath: relative(folder, path).split(sep).join("/") };
  };
  const openWorkspace = async (folder: string): Promise<Workspace | undefined> => {
    try {
      const site = await openSite(folder, new Map(), cacheFolder);
      const stopWatching = watchSite(folder, {
        onChange: (paths) => check(workspace, paths ?? new Set(site.plan()?.files.paths)),
        onPolling: (reason) => connection.console.warn(`${folder} cannot be watched: ${reason}`),
      });
      const workspace: Workspace = {
        site,
        published: new Map(),
        pending: new Set(),
        queue: Promise.resolve(),
        stopWatching,
      };
      return workspace;
    } catch (error) {
      connection.console.error(`${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
  const inTurn = <T>(workspace: Workspace, work: () => Promise<T>): Promise<T> => {
    const result = workspace.queue.then(work);
    workspace.queue = result.then(
      () => {},
      (error: unknown) =>
        connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    return result;
  };
  const check = (workspace: Workspace, paths: Iterable<string>): void => {
    for (const path of paths) workspace.pending.add(path);
    clearTimeout(workspace.timer);
    workspace.timer = setTimeout(() => void inTurn(workspace, () => checkNow(workspace)).catch(() => {}), pauseMs);
  };
  const checkNow = async (workspace: Workspace): Promise<void> => {
    const { site, pending, published } = workspace;
    const paths = [...pending];
    pending.clear();
    await site.changed(paths);
    const faults = Map.groupBy(
      await site.faults(site.texts.keys()),
      ({ location }) => location?.sourcePath ?? site.plan()?.site.config.sourcePath ?? "docs.json",
    );
    for (const sourcePath of new Set([...published.keys(), ...faults.keys()])) {
      const all = faults.get(sourcePath) ?? [];
      published.set(sourcePath, all);
      void connection.sendDiagnostics({
        uri: uriOf(site, sourcePath),
        diagnostics: all.map((fault) => editorDiagnostic(site, fault)),
      });
    }
  };
  /** Answers a question about a place in an open file. */
  const at = async <T>(
    { textDocument: { uri }, position }: TextDocumentPositionParams,
    answer: (site: OpenSite, sourcePath: string, offset: number, document: TextDocument) => T | Promise<T>,
  ): Promise<T | undefined> => {
    const document = documents.get(uri);
    const file = await openFile(uri);
    if (!document || !file) return undefined;
    const { workspace, sourcePath } = file;
    return inTurn(workspace, async () => answer(workspace.site, sourcePath, document.offsetAt(position), document));
  };

  const take = async (uri: string, text: string | undefined): Promise<void> => {
    const file = await openFile(uri);
    if (!file) return;
    const { texts } = file.workspace.site;
    if (text === undefined) texts.delete(file.sourcePath);
    else texts.set(file.sourcePath, withLineFeeds(text));
    check(file.workspace, [file.sourcePath]);
  };

  documents.onDidChangeContent(({ document }) => take(document.uri, document.getText()));
  documents.onDidClose(({ document }) => take(document.uri, undefined));
  connection.onInitialize(({ capabilities }) => {
    usesSnippets = capabilities.textDocument?.completion?.completionItem?.snippetSupport ?? false;
    return {
      serverInfo: { name: "offprint" },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        hoverProvider: true,
        definitionProvider: true,
        completionProvider: { triggerCharacters: ["<", " ", '"', "(", "/", "#", "{"] },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      },
    };
  });
  connection.onHover((params) =>
    at(params, (site, sourcePath, offset, document) => {
      const hover = hoverAt(site, sourcePath, offset);
      if (!hover) return null;
      const range = { start: document.positionAt(hover.start), end: document.positionAt(hover.end) };
      return { contents: { kind: MarkupKind.Markdown, value: hover.text }, range };
    }),
  );
  connection.onDefinition((params) =>
    at(params, (site, sourcePath, offset) => {
      const target = targetAt(site, sourcePath, offset);
      if (!target) return null;
      const start = documentOf(site, target.sourcePath).positionAt(target.offset);
      return { uri: uriOf(site, target.sourcePath), range: { start, end: start } };
    }),
  );
  connection.onCompletion((params) =>
    at(params, async (site, sourcePath, offset, document) => {
      const completions = await completionsAt(site, sourcePath, offset);
      if (!completions) return null;
      const range = { start: document.positionAt(completions.start), end: document.positionAt(completions.end) };
      const items = completions.items.map(({ label, kind, insert = label, detail, about }) => ({
        label,
        kind,
        ...(detail !== undefined && { detail }),
        ...(about && { documentation: { kind: MarkupKind.Markdown, value: about } }),
        insertTextFormat: usesSnippets && insert.includes("$1") ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
        filterText: document.getText(range).startsWith('"') ? insert : label,
        textEdit: { range, newText: usesSnippets ? insert : insert.replace("$1", "") },
      }));
      return { items, isIncomplete: true };
    }),
  );
  connection.onCodeAction(async ({ textDocument: { uri }, range }) => {
    const file = await openFile(uri);
    if (!file) return [];
    const { site, published } = file.workspace;
    return (published.get(file.sourcePath) ?? [])
      .filter(({ edits }) => edits && edits.length > 0)
      .map((fault) => ({ fault, diagnostic: editorDiagnostic(site, fault) }))
      .filter(
        ({ diagnostic }) =>
          diagnostic.range.start.line <= range.end.line && diagnostic.range.end.line >= range.start.line,
      )
      .map(({ fault, diagnostic }) => ({
        title: titleOf(fault),
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: isRepairable(fault),
        edit: { changes: changesOf(site, fault) },
      }));
  });
  documents.listen(connection);
  connection.listen();

  const stop = (): void => ended.resolve();
  input.once("end", stop).once("close", stop);
  signal.addEventListener("abort", stop);
  await ended.promise;
  for (const opening of workspaces.values()) {
    const workspace = await opening;
    if (!workspace) continue;
    clearTimeout(workspace.timer);
    workspace.stopWatching();
    await workspace.queue;
    await workspace.site.close();
  }
  connection.dispose();
  // An editor may leave its end of the pipe open.
  input.destroy();
}

/** The nearest folder around a file with docs.json or mint.json, as an absolute real path. */
function siteFolderOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (["docs.json", "mint.json"].some((name) => existsSync(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

const uriOf = (site: OpenSite, sourcePath: string): string => pathToFileURL(join(site.folder, sourcePath)).href;

const documentOf = (site: OpenSite, sourcePath: string): TextDocument =>
  TextDocument.create(uriOf(site, sourcePath), "", 0, site.readText(sourcePath) ?? "");

function rangeOf({ line = 1, column = 1, length = 1 }: Location): EditorDiagnostic["range"] {
  const start = { line: line - 1, character: column - 1 };
  return { start, end: { ...start, character: start.character + length } };
}

function editorDiagnostic(
  site: OpenSite,
  { code, severity, what, fix, location, related }: Diagnostic,
): EditorDiagnostic {
  return {
    range: rangeOf(location ?? { sourcePath: "" }),
    severity: severities[severity],
    code,
    source: "offprint",
    message: `${what}\nfix: ${fix}`,
    ...(related && {
      relatedInformation: [
        {
          location: { uri: uriOf(site, related.location.sourcePath), range: rangeOf(related.location) },
          message: related.what,
        },
      ],
    }),
  };
}

/** The fix on one line, such as `Write <Note>`. */
function titleOf({ fix }: Diagnostic): string {
  const text = fix.replace(/\s+/g, " ").replace(/\.$/, "");
  const short = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  return short.charAt(0).toUpperCase() + short.slice(1);
}

function changesOf(site: OpenSite, { edits = [] }: Diagnostic): Record<string, TextEdit[]> {
  const changes: Record<string, TextEdit[]> = {};
  for (const [sourcePath, fileEdits] of Map.groupBy(edits, (edit) => edit.sourcePath)) {
    const document = documentOf(site, sourcePath);
    changes[uriOf(site, sourcePath)] = fileEdits.map(({ start, end, replacement }) => ({
      range: { start: document.positionAt(start), end: document.positionAt(end) },
      newText: replacement,
    }));
  }
  return changes;
}
