import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { JsonObject } from "../../lib/json/index.js";
import type { ApiSpec, SpecFormat } from "../api-spec.js";
import type { EntryReader, SpecEntry } from "./entry-reader.js";

/** How specifications of a kind are read. */
export interface SpecKind {
  /** The key at the top of a document, whose value is the version. */
  readonly key: string;
  readonly format: SpecFormat;
  readonly name: string;
  /** The versions that are read. */
  readonly accepted: RegExp;
  /** What to do about another version. */
  readonly fix: string;
  /** Turns a version into the one that pages are made from. */
  readonly convert?: (document: JsonObject, version: string) => JsonObject;
  /** The pointer in the document as written of a part of the converted document. */
  readonly writtenPointer?: (pointer: string) => string;
  readonly listEntries: (reader: EntryReader) => SpecEntry[];
  /** Reports a document whose pages would show nothing; its other faults are then only consequences. */
  readonly checkEmpty?: (spec: ApiSpec, entries: readonly SpecEntry[]) => readonly Diagnostic[];
  readonly check?: (spec: ApiSpec, entries: readonly SpecEntry[]) => readonly Diagnostic[];
}
