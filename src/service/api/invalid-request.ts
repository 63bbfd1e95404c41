import { nearestName, quoted } from "../../lib/diagnostic/index.js";
import { ApiError } from "./api-error.js";

/** An issue of zod. */
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly keys?: readonly string[];
}

const maxShown = 5;

/** A 400 that names the first faults of `input`, each with its location. `names` lists the valid fields, if the caller knows them. */
export function invalidRequest(issues: readonly Issue[], input: unknown, names: readonly string[]): ApiError {
  const sentences = issues.slice(0, maxShown).map((issue) => sentence(issue, input, names));
  const more = issues.length - sentences.length;
  return new ApiError(400, [...sentences, ...(more > 0 ? [`There are ${more} more faults.`] : [])].join(" "));
}

function sentence(issue: Issue, input: unknown, names: readonly string[]): string {
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? [])
      .slice(0, maxShown)
      .map((key) => unknownField(key, names))
      .join(" ");
  if (issue.code !== "invalid_type") return issue.message;
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], input);
  if (issue.path.length === 0)
    return `The body is ${kindOf(value)}, but a JSON object is wanted${names.length > 0 ? ': {"domain": "docs.example.com"}' : ""}.`;
  const location = `"${issue.path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .slice(1)}"`;
  if (value === undefined) return `${location} is missing.`;
  return `${location} is ${kindOf(value)}, but ${article(issue.expected ?? "other value")} is wanted.`;
}

function unknownField(key: string, names: readonly string[]): string {
  if (names.length === 0) return `There is no field ${quoted(key)}.`;
  const near = nearestName(key, names);
  return `There is no field ${quoted(key)}. ${near ? `Did you mean "${near}"?` : `The fields are ${names.join(", ")}.`}`;
}

const kindOf = (value: unknown): string =>
  value === null || value === undefined ? "null" : Array.isArray(value) ? "an array" : article(typeof value);

const article = (kind: string): string => `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind}`;
