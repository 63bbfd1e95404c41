import jsonFaults from "./json-faults.json" with { type: "json" };

/** What is wrong, by the error codes of `jsonc-parser`, and what to type. */
export function jsonFault(code: number | undefined): { readonly what: string; readonly fix: string } {
  return (
    (jsonFaults as Readonly<Record<string, (typeof jsonFaults)["1"]>>)[String(code)] ?? {
      what: "This is not JSON.",
      fix: "correct it; an editor with JSON support marks the place.",
    }
  );
}
