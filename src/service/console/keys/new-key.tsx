import { groupsFault, splitGroups } from "../../../lib/group-names.js";
import { createKey, TooManyKeysError } from "../../create-key.js";
import { isAddressRange, isOrigin } from "../../http/index.js";
import type { NewApiKey, Scope } from "../../jobs/index.js";
import * as ui from "../components/index.js";
import { dateOf, dayMs, dayOf } from "../format.js";
import type { ConsoleAnswer, ConsoleContext } from "../route.js";
import { createdKeyPage, type KeyRefusal, keysPath } from "./keys.js";

const defaultDays = 90;
const maxEntries = 100;

type Kind = NewApiKey["kind"];

const kindIn = (fields: URLSearchParams): Kind => (fields.get("kind") === "assistant" ? "assistant" : "admin");

interface NewKeyRefusal extends KeyRefusal {
  readonly errors?: ui.FieldErrors;
}

/** @param values what was sent, or the query of the page. */
export function newKeyPage(
  { deps, csrf }: ConsoleContext,
  values: URLSearchParams,
  refusal?: NewKeyRefusal,
): ConsoleAnswer {
  const kind = kindIn(values);
  return {
    title: kind === "admin" ? "New admin key" : "New assistant key",
    status: refusal?.status,
    page: [
      <ui.PageHead title="New API key" back={["API keys", keysPath]} />,
      refusal?.message !== undefined && <ui.Notice kind="bad">{refusal.message}</ui.Notice>,
      <ui.KindChoices label="Kind of key" path={`${keysPath}/new`} kinds={kinds} chosen={kind} />,
      <ui.Form
        action={keysPath}
        context={{ csrf, form: values }}
        hidden={{ kind }}
        fields={[
          { name: "name", label: "Name", hint: "What uses the key, such as a pipeline or a page.", required: true },
          ...(kind === "admin" ? adminFields : assistantFields),
          {
            name: "addresses",
            label: "Allowed addresses",
            rows: 3,
            placeholder: "203.0.113.0/24",
            hint: "IP addresses and ranges that can use the key, one per line. Leave empty for all.",
            required: false,
          },
          {
            name: "expires",
            label: "Last day",
            type: "date",
            value: dateOf(Math.floor(deps.now() / dayMs) + defaultDays),
            hint: "In UTC. If empty, the key never expires.",
            required: false,
          },
        ]}
        errors={refusal?.errors}
        submit="Create key"
        cancel={keysPath}
      />,
    ],
  };
}

const adminFields: readonly ui.FieldProps[] = [
  {
    name: "scope",
    label: "Scope",
    value: "write",
    options: [
      ["write", "Read and write: start and cancel exports"],
      ["read", "Read only: see exports and views"],
    ],
  },
];

const assistantFields: readonly ui.FieldProps[] = [
  {
    name: "groups",
    label: "Groups of readers",
    placeholder: "staff, partners",
    hint: "Answers come from the last export for exactly these groups. Everyone who has the key can read them. Leave empty for public content only.",
    required: false,
  },
  {
    name: "origins",
    label: "Allowed origins",
    rows: 3,
    placeholder: "https://docs.example.com",
    hint: "Origins of the pages that can use the key, one per line; null stands for pages opened from disk. Leave empty for the site's own host.",
    required: false,
  },
];

const kinds = [
  ["admin", "Admin key", "For servers and pipelines. Keep it secret."],
  ["assistant", "Assistant key", "For pages that use the assistant. Readers can see it."],
] as const;

export async function create(context: ConsoleContext): Promise<ConsoleAnswer> {
  const { deps, store, organizationId, form, by } = context;
  const read = readKeyForm(form, organizationId, deps.now());
  if ("errors" in read) return newKeyPage(context, form, { errors: read.errors, status: 422 });
  try {
    return await createdKeyPage(context, await createKey(store.accounts, read.key, by));
  } catch (error) {
    if (!(error instanceof TooManyKeysError)) throw error;
    return newKeyPage(context, form, { message: error.message, status: 429 });
  }
}

/** The key that a form asks for, or what is wrong with its fields. */
function readKeyForm(
  form: URLSearchParams,
  organizationId: string,
  now: number,
): { readonly key: NewApiKey } | { readonly errors: ui.FieldErrors } {
  const errors: Record<string, string> = {};
  const kind = kindIn(form);
  const text = (name: string): string => (form.get(name) ?? "").trim();
  const list = (name: string, isValid: (entry: string) => boolean, instruction: string): string[] => {
    const entries = text(name).match(/[^\s,]+/g) ?? [];
    const wrong = entries.find((entry) => !isValid(entry));
    if (wrong !== undefined) errors[name] = `${instruction}, not "${wrong.slice(0, 100)}".`;
    else if (entries.length > maxEntries) errors[name] = `At most ${maxEntries} entries.`;
    return entries;
  };
  const name = text("name");
  if (name === "") errors["name"] = "Give the key a name.";
  else if (name.length > 100) errors["name"] = "The name can have at most 100 characters.";
  const scope = text("scope");
  if (kind === "admin" && !isScope(scope)) errors["scope"] = "Choose one of the two options.";
  const allowedAddresses = list("addresses", isUsefulRange, "Enter IP addresses and ranges such as 203.0.113.0/24");
  const allowedOrigins =
    kind === "admin" ? [] : list("origins", isOrigin, "Enter origins without a path, such as https://docs.example.com");
  const groups = kind === "admin" ? [] : splitGroups(text("groups"));
  const groupFault = groupsFault("A key", groups);
  if (groupFault !== undefined) errors["groups"] = groupFault;
  const expires = text("expires");
  const lastDay = dayOf(expires);
  const expiresAt = lastDay === undefined ? undefined : (lastDay + 1) * dayMs;
  if (expires !== "" && expiresAt === undefined)
    errors["expires"] = "Enter a date such as 2030-12-31, or leave the field empty.";
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
/** A range of all addresses is refused: for that, the field is left empty. */
const isUsefulRange = (range: string): boolean => isAddressRange(range) && !range.endsWith("/0");
