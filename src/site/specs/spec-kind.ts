import type { Diagnostic } from "../../lib/diagnostic/index.js";
import type { JsonObject } from "../../lib/json/index.js";
import type { ApiSpec, SpecFormat } from "../api-spec.js";
import type { EntryReader, SpecEntry } from "./entry-reader.js";

/** A kind of specification, and the functions that read it. */
export interface SpecKind {
  /** The key at the top of a document, whose value is the version. */
  readonly key: string;
  readonly format: SpecFormat;
  readonly name: string;
  /** The supported versions. */
  readonly accepted: RegExp;
  /** The advice for another version. */
  readonly fix: string;
  /** Converts an older version to the one from which pages are made. */
  readonly convert?: (document: JsonObject, version: string) => JsonObject;
  /** Converts a pointer of the converted document to a pointer of the document as written. */
  readonly writtenPointer?: (pointer: string) => string;
  readonly listEntries: (reader: EntryReader) => SpecEntry[];
  /** Reports a document whose pages would be empty. Its other faults are not reported then, since they follow from that. */
  readonly checkEmpty?: (spec: ApiSpec, entries: readonly SpecEntry[]) => readonly Diagnostic[];
  readonly check?: (spec: ApiSpec, entries: readonly SpecEntry[]) => readonly Diagnostic[];
}
