import { groupsFault, splitGroups } from "../../../lib/group-names.js";
import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { isAddressRange, isOrigin } from "../../http/index.js";
import type { NewApiKey, Scope } from "../../jobs/index.js";
import { Button, Field, type FieldErrors, Form } from "../components/index.js";
import { dateOf, dayOf } from "../format.js";

const dayMs = 24 * 60 * 60_000;
const defaultDays = 90;
const maxEntries = 100;

type Kind = NewApiKey["kind"];

export const kindOf = (fields: URLSearchParams): Kind => (fields.get("kind") === "assistant" ? "assistant" : "admin");

interface KeyFormProps {
  readonly csrf: string;
  readonly now: number;
  /** What was sent, or the query of the page. */
  readonly values: URLSearchParams;
  readonly errors?: FieldErrors;
}

/** Each kind of key has a form of its own, so that no script has to hide fields. */
export function KeyForm({ csrf, now, values, errors }: KeyFormProps): JsxNode {
  const kind = kindOf(values);
  const value = (name: string, byDefault = ""): string => values.get(name) ?? byDefault;
  return (
    <>
      <nav class="choices" aria-label="Kind of key">
        {kinds.map(([name, title, text]) => (
          <a class="choice" href={`/console/keys/new?kind=${name}`} aria-current={name === kind ? "page" : undefined}>
            <strong>{title}</strong>
            <span>{text}</span>
          </a>
        ))}
      </nav>
      <Form action="/console/keys" csrf={csrf}>
        <input type="hidden" name="kind" value={kind} />
        <Field
          name="name"
          label="Name"
          value={value("name")}
          hint="What uses the key, such as a pipeline or a page."
          required
          errors={errors}
        />
        {kind === "admin" ? (
          <Field
            name="scope"
            label="Scope"
            value={value("scope", "write")}
            options={[
              ["write", "Read and write: start and cancel exports"],
              ["read", "Read only: see exports and views"],
            ]}
            errors={errors}
          />
        ) : (
          <>
            <Field
              name="groups"
              label="Groups of readers"
              value={value("groups")}
              placeholder="staff, partners"
              hint="Answers come from the last export for exactly these groups. Everyone who sees the key can read it. Empty: from what everyone may read."
              required={false}
              errors={errors}
            />
            <Field
              name="origins"
              label="Allowed origins"
              value={value("origins")}
              rows={3}
              placeholder="https://docs.example.com"
              hint="Pages that may use the key, one origin a line; null is for pages opened from a disk. Empty: the site's own host."
              required={false}
              errors={errors}
            />
          </>
        )}
        <Field
          name="addresses"
          label="Allowed addresses"
          value={value("addresses")}
          rows={3}
          placeholder="203.0.113.0/24"
          hint="Addresses and ranges that may use the key, one a line. Empty: all."
          required={false}
          errors={errors}
        />
        <Field
          name="expires"
          label="Last day"
          type="date"
          value={value("expires", dateOf(Math.floor(now / dayMs) + defaultDays))}
          hint="In UTC. Empty: the key never expires."
          required={false}
          errors={errors}
        />
        <div class="form-actions">
          <Button>Create key</Button>
          <a class="button button-plain" href="/console/keys">
            Cancel
          </a>
        </div>
      </Form>
    </>
  );
}

const kinds = [
  ["admin", "Admin key", "For servers and pipelines. A secret."],
  ["assistant", "Assistant key", "For pages that ask the assistant. Readers see it."],
] as const;

/** The key that a form asks for, or what is wrong with its fields. */
export function readKeyForm(
  form: URLSearchParams,
  organizationId: string,
  now: number,
): { readonly key: NewApiKey } | { readonly errors: FieldErrors } {
  const errors: Record<string, string> = {};
  const kind = kindOf(form);
  const text = (name: string): string => (form.get(name) ?? "").trim();
  const list = (name: string, isValid: (entry: string) => boolean, wanted: string): string[] => {
    const entries = text(name)
      .split(/[\s,]+/)
      .filter((entry) => entry !== "");
    const wrong = entries.find((entry) => !isValid(entry));
    if (wrong !== undefined) errors[name] = `${wanted}, not "${wrong.slice(0, 100)}".`;
    else if (entries.length > maxEntries) errors[name] = `At most ${maxEntries} entries.`;
    return entries;
  };
  const name = text("name");
  if (name === "") errors["name"] = "Give the key a name.";
  else if (name.length > 100) errors["name"] = "A name has at most 100 characters.";
  const scope = text("scope");
  if (kind === "admin" && !isScope(scope)) errors["scope"] = "Choose one of the two.";
  const allowedAddresses = list("addresses", isUsefulRange, "Write addresses and ranges such as 203.0.113.0/24");
  const allowedOrigins =
    kind === "admin" ? [] : list("origins", isOrigin, "Write origins without a path, such as https://docs.example.com");
  const groups = kind === "admin" ? [] : splitGroups(text("groups"));
  const groupFault = groupsFault("A key", groups);
  if (groupFault !== undefined) errors["groups"] = groupFault;
  const expires = text("expires");
  const lastDay = dayOf(expires);
  const expiresAt = lastDay === undefined ? undefined : (lastDay + 1) * dayMs;
  if (expires !== "" && expiresAt === undefined) errors["expires"] = "Write a date such as 2030-12-31, or nothing.";
  else if (expiresAt !== undefined && expiresAt <= now) errors["expires"] = "This day is over.";
  if (Object.keys(errors).length > 0) return { errors };
  return {
    key: {
      organizationId,
      kind,
      name,
      scopes: kind === "admin" ? [scope as Scope] : [],
      allowedAddresses,
      ...(allowedOrigins.length > 0 && { allowedOrigins }),
      ...(groups.length > 0 && { groups }),
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    },
  };
}

const isScope = (text: string): text is Scope => text === "read" || text === "write";
/** A range of all addresses is a mistake: the field is left empty for that. */
const isUsefulRange = (range: string): boolean => isAddressRange(range) && !range.endsWith("/0");
