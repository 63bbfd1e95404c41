import { bundleRoot, onClick, replaceAddress } from "../dom.js";
import { loadScript, loadStyle } from "../load-script.js";
import type { CreateGraphEditor } from "./graph/main.js";
import type { OpenPlayground } from "./open-with.js";
import type { CreateSignIn } from "./sign-in/main.js";
import type { CreateXml } from "./xml/main.js";

declare global {
  interface Window {
    /** Set by the script of the playground, which is loaded when a reader first opens it. */
    offprintOpenPlayground?: OpenPlayground;
    /** Set by the script for signing in, which pages load with the playground if its requests need a token. */
    offprintSignIn?: CreateSignIn;
    /** Set by the script for XML, which pages load with the playground if their requests may have a body of it. */
    offprintXml?: CreateXml;
    /** Set by the script for GraphQL, which pages about its operations load with the playground. */
    offprintGraph?: CreateGraphEditor;
    /** Called by the data files of a playground with the name of their content and the content. */
    offprintPlayground?: (name: string, text: string) => void;
    mintlify?: { api?: { playground?: object } };
  }
}

let variables: Readonly<Record<string, unknown>> = {};

/** The button and the address that open the playground of an endpoint, and the API that scripts of the site use. */
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
  const arrived: Record<string, string> = {};
  let loading: Promise<unknown> | undefined;
  const open = (): void => {
    window.offprintPlayground = (name, text) => {
      arrived[name] = text;
    };
    loading ??= Promise.all(
      button.dataset
        .playground!.split(" ")
        .map((path) => (path.endsWith(".css") ? loadStyle : loadScript)(bundleRoot() + path)),
    );
    loading.then(
      () => {
        showInAddress(true);
        window.offprintOpenPlayground?.({
          form: arrived["form"]!,
          words: arrived["words"]!,
          types: arrived["types"],
          title: document.getElementById("page-title")?.textContent?.trim() ?? "",
          variables: () => variables,
          onClose: () => showInAddress(false),
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

function showInAddress(isOpen: boolean): void {
  const url = new URL(location.href);
  if (isOpen) url.searchParams.set("playground", "open");
  else url.searchParams.delete("playground");
  if (url.href !== location.href) replaceAddress(url.href);
}
