import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { NewCredential } from "../../git/credentials/index.js";
import { forgeKinds } from "../../git/forge/index.js";
import { Button, Field, type FieldErrors, Form } from "../components/index.js";
import { SecretFields } from "./credentials-page.js";

export const kindOf = (fields: URLSearchParams): NewCredential["kind"] =>
  fields.get("kind") === "ssh-key" ? "ssh-key" : "token";

interface NewCredentialFormProps {
  readonly csrf: string;
  /** What was sent, or the query of the page. */
  readonly values: URLSearchParams;
  readonly errors?: FieldErrors | undefined;
}

/** Each kind has a form of its own, so that no script has to hide fields. */
export function NewCredentialForm({ csrf, values, errors }: NewCredentialFormProps): JsxNode {
  const kind = kindOf(values);
  const value = (name: string): string => values.get(name) ?? "";
  return (
    <>
      <nav class="choices" aria-label="Kind of credential">
        {kinds.map(([name, title, text]) => (
          <a
            class="choice"
            href={`/console/credentials/new?kind=${name}`}
            aria-current={name === kind ? "page" : undefined}
          >
            <strong>{title}</strong>
            <span>{text}</span>
          </a>
        ))}
      </nav>
      <Form action="/console/credentials" csrf={csrf}>
        <input type="hidden" name="kind" value={kind} />
        <Field
          name="prefix"
          label="Repositories below"
          value={value("prefix")}
          placeholder={kind === "token" ? "https://github.com/acme/" : "ssh://git@git.example.com/team/"}
          hint="What their addresses begin with: protocol, host and whole parts of the path. The secret is sent nowhere else."
          required
          errors={errors}
        />
        <SecretFields kind={kind} errors={errors} />
        <Field
          name="name"
          label="Name"
          value={value("name")}
          hint="Empty: the address above."
          required={false}
          errors={errors}
        />
        {kind === "token" && (
          <Field
            name="forge"
            label="The host runs"
            value={value("forge")}
            options={[["", "By the host"], ...forgeKinds.map((each) => [each, forgeNames[each]] as const)]}
            hint="For agent jobs, which open pull requests. github.com, gitlab.com and codeberg.org are known."
            errors={errors}
          />
        )}
        <div class="form-actions">
          <Button>Add credential</Button>
          <a class="button button-plain" href="/console/credentials">
            Cancel
          </a>
        </div>
      </Form>
    </>
  );
}

const kinds = [
  ["token", "Token", "For repositories at https://."],
  ["ssh-key", "SSH key", "For repositories at ssh://."],
] as const;

const forgeNames = {
  github: "GitHub",
  gitlab: "GitLab",
  gitea: "Gitea or Forgejo",
  none: "Something else, without pull requests",
} as const;
