import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import {
  type CodeAction,
  CodeActionRequest,
  type CompletionList,
  CompletionRequest,
  DefinitionRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type Location,
  PublishDiagnosticsNotification,
  ShutdownRequest,
} from "vscode-languageserver-protocol";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { finish, startCli } from "../support/cli.js";
import { waitUntil } from "../support/wait-until.js";

/** An editor with a site open, which speaks to `offprint lsp` as editors do: over pipes. `|` marks the cursor in a text. */
export async function startEditor(site: string, env: NodeJS.ProcessEnv = process.env) {
  const child = startCli(["lsp", "--stdio", "--no-cache"], { stdio: "pipe", env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const run = finish(child);
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout!),
    new StreamMessageWriter(child.stdin!),
  );
  const published = new Map<string, Diagnostic[]>();
  let count = 0;
  connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    published.set(uri, diagnostics);
    count++;
  });
  connection.listen();
  const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(site).href,
    capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
  });
  await connection.sendNotification(InitializedNotification.type, {});
  const uriOf = (path: string): string => pathToFileURL(join(site, path)).href;
  const texts = new Map<string, string>();
  let version = 1;
  const open = async (path: string, text = readFileSync(join(site, path), "utf8")): Promise<void> => {
    texts.set(path, text);
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri: uriOf(path), languageId: path.endsWith(".json") ? "json" : "mdx", version: version++, text },
    });
  };
  /** Changes the text of the editor, not the file. */
  const type = async (path: string, text: string): Promise<void> => {
    texts.set(path, text);
    await connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: uriOf(path), version: version++ },
      contentChanges: [{ text }],
    });
  };
  /** The position of `|` in `text`, which becomes the text of the file. */
  const placeIn = async (path: string, marked: string) => {
    const offset = marked.indexOf("|");
    const text = marked.replace("|", "");
    await (texts.has(path) ? type(path, text) : open(path, text));
    return { textDocument: { uri: uriOf(path) }, position: TextDocument.create("", "", 0, text).positionAt(offset) };
  };
  return {
    capabilities,
    open,
    type,
    uriOf,
    published: () => count,
    codes: (path: string): unknown[] => (published.get(uriOf(path)) ?? []).map(({ code }) => code),
    diagnostics: (path: string): readonly Diagnostic[] => published.get(uriOf(path)) ?? [],
    /** Waits until the findings about a file are these. */
    async expectCodes(path: string, ...codes: readonly string[]): Promise<void> {
      await waitUntil(`${codes.join(", ") || "no findings"} in ${path}`, () => {
        const now = published
          .get(uriOf(path))
          ?.map(({ code }) => String(code))
          .sort();
        return now !== undefined && now.join() === [...codes].sort().join();
      });
    },
    close: (path: string) =>
      connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: uriOf(path) } }),
    async hover(path: string, marked: string): Promise<string> {
      const hover: Hover | null = await connection.sendRequest(HoverRequest.type, await placeIn(path, marked));
      return hover === null ? "" : (hover.contents as { value: string }).value;
    },
    async define(path: string, marked: string): Promise<string> {
      const found = (await connection.sendRequest(
        DefinitionRequest.type,
        await placeIn(path, marked),
      )) as Location | null;
      return found === null ? "" : `${found.uri.slice(uriOf("").length + 1)}:${found.range.start.line + 1}`;
    },
    /** The labels, and the text of the file once one of them is accepted. */
    async complete(path: string, marked: string, accepted?: string) {
      const list = (await connection.sendRequest(
        CompletionRequest.type,
        await placeIn(path, marked),
      )) as CompletionList | null;
      const items = list?.items ?? [];
      const item = items.find(({ label }) => label === accepted);
      const text =
        item && TextDocument.applyEdits(TextDocument.create("", "", 0, texts.get(path)!), [item.textEdit as never]);
      return { labels: items.map(({ label }) => label), text };
    },
    /** The text of the file once the fix for a finding is accepted. */
    async fix(path: string, code: string) {
      const diagnostic = published.get(uriOf(path))!.find((each) => each.code === code)!;
      const actions = (await connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri: uriOf(path) },
        range: diagnostic.range,
        context: { diagnostics: [diagnostic] },
      })) as CodeAction[];
      const action = actions.find(({ diagnostics }) => diagnostics?.[0]?.code === code)!;
      const edits = action.edit!.changes![uriOf(path)]!;
      return {
        title: action.title,
        text: TextDocument.applyEdits(TextDocument.create("", "", 0, texts.get(path)!), edits),
      };
    },
    async stop() {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
      return run;
    },
    /** As an editor that crashes. */
    crash() {
      child.stdin!.end();
      return run;
    },
  };
}
