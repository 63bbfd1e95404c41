import { bundleRoot, onClick, replaceAddress } from "../dom.js";
import { loadScript, loadStyle } from "../load-script.js";
import type { CreateGraphEditor } from "./graph/main.js";
import type { SelectJsonPath } from "./json-path/main.js";
import type { OpenPlayground } from "./open-with.js";
import type { CreateSignIn } from "./sign-in/main.js";
import type { CreateSocketPanel } from "./socket/main.js";
import type { CreateXml } from "./xml/main.js";

declare global {
  interface Window {
    /** Set by the playground script, which is loaded when a reader first opens it. */
    offprintOpenPlayground?: OpenPlayground;
    /** Set by the sign-in script, which is loaded with the playground if requests need a token. */
    offprintSignIn?: CreateSignIn;
    /** Set by the XML script, which is loaded with the playground if requests may have an XML body. */
    offprintXml?: CreateXml;
    /** Set by the GraphQL script, which is loaded with the playground of GraphQL operations. */
    offprintGraph?: CreateGraphEditor;
    /** Set by the script of sockets, which is loaded with the playground of channels. */
    offprintSocket?: CreateSocketPanel;
    /** Set by the script of JSONPath, which is loaded with workflows that use it. */
    offprintJsonPath?: SelectJsonPath;
    /** The data files of a playground call it with their name and content. */
    offprintPlayground?: (name: string, text: string) => void;
    mintlify?: { api?: { playground?: object } };
  }
}

let variables: Readonly<Record<string, unknown>> = {};

/** The button and the URL that open the playground of an endpoint, and the API for scripts of the site. */
export function wirePlayground(): void {
  const set = (values: Readonly<Record<string, unknown>>): void => {
    variables = values;
    dispatchEvent(new Event("offprint:server-variables"));
  };
  window.mintlify ??= {};
  window.mintlify.api ??= {};
  window.mintlify.api.playground = {
    setServerVariables: (values: Readonly<Record<string, unknown>>) => set({ ...variables, ...values }),
    clearServerVariables: () => set({}),
  };

  const button = document.querySelector<HTMLElement>(".tryit-button");
  if (!button) return;
  const data: Record<string, string> = {};
  let loading: Promise<unknown> | undefined;
  const open = (): void => {
    window.offprintPlayground = (name, text) => {
      data[name] = text;
    };
    loading ??= Promise.all(
      button.dataset
        .playground!.split(" ")
        .map((path) => (path.endsWith(".css") ? loadStyle : loadScript)(bundleRoot() + path)),
    );
    loading.then(
      () => {
        showInUrl(true);
        window.offprintOpenPlayground?.({
          form: data["form"]!,
          words: data["words"]!,
          types: data["types"],
          title: document.querySelector(".page-title")?.textContent?.trim() ?? "",
          variables: () => variables,
          onClose: () => showInUrl(false),
        });
      },
      () => {
        loading = undefined;
        button.textContent = button.dataset.failed!;
      },
    );
  };
  onClick(".tryit-button", open);
  if (new URLSearchParams(location.search).get("playground") === "open") open();
}

function showInUrl(isOpen: boolean): void {
  const url = new URL(location.href);
  if (isOpen) url.searchParams.set("playground", "open");
  else url.searchParams.delete("playground");
  if (url.href !== location.href) replaceAddress(url.href);
}
