import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import { Icon, type IconName } from "./page.js";

/** The errors of a form's fields, by the names of the fields. */
export type FieldErrors = Readonly<Record<string, string>>;

interface FormProps extends Pick<ButtonProps, "kind" | "icon"> {
  readonly action: string;
  readonly context?: {
    /** Absent without a session. */
    readonly csrf?: string;
    /** The values that were sent. They replace the values of the fields. */
    readonly form?: URLSearchParams;
  };
  readonly class?: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** `false` leaves a field out. */
  readonly fields?: readonly (FieldProps | false)[];
  readonly errors?: FieldErrors;
  /** The label of the button. */
  readonly submit?: string;
  /** The page that the cancel button leads to. */
  readonly cancel?: string;
  readonly children?: JsxChild;
}

/** A form that posts, with the token of the session: its fields, the children and the buttons. */
export function Form(props: FormProps): JsxNode {
  const { action, context = {}, class: className = "form", hidden = {}, fields = [], errors, cancel, children } = props;
  const { csrf, form } = context;
  const button = props.submit !== undefined && <Button kind={props.kind} icon={props.icon} label={props.submit} />;
  return (
    <form class={className} method="post" action={action} novalidate>
      {csrf !== undefined && <input type="hidden" name="csrf" value={csrf} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {fields.map(
        (field) => field && <Field {...field} value={form?.get(field.name) ?? field.value} errors={errors} />,
      )}
      {children}
      {cancel === undefined ? (
        button
      ) : (
        <div class="form-actions">
          {button}
          <LinkButton href={cancel} label="Cancel" />
        </div>
      )}
    </form>
  );
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password" | "number" | "date" | "url";
  readonly value?: string;
  readonly hint?: JsxChild;
  readonly errors?: FieldErrors;
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly inputmode?: string;
  readonly placeholder?: string;
  /** Turns the field into a menu. */
  readonly options?: readonly (readonly [value: string, text: string])[];
  /** Turns the field into a text area with this many lines. */
  readonly rows?: number;
  readonly autofocus?: boolean;
}

/** Asks for the person's password, before an act that a stolen session must not be enough for. */
export const passwordField: FieldProps = {
  name: "password",
  label: "Your password",
  type: "password",
  autocomplete: "current-password",
};

/** A labelled field, with its error below it; the first field with an error has the focus. */
function Field(props: FieldProps): JsxNode {
  const { name, label, type = "text", value = "", hint, errors = {}, options, rows, required, autofocus } = props;
  const error = errors[name];
  const described = [hint ? `${name}-hint` : "", error ? `${name}-error` : ""].filter(Boolean).join(" ");
  const common = {
    id: name,
    name,
    required,
    "aria-invalid": error ? "true" : undefined,
    "aria-describedby": described || undefined,
    autofocus: error !== undefined || autofocus,
  };
  return (
    <div class="field">
      <label for={name}>
        {label}
        {required === false && <span class="optional"> optional</span>}
      </label>
      {options ? (
        <select {...common}>
          <Options options={options} chosen={value} />
        </select>
      ) : rows ? (
        <textarea {...common} rows={rows} placeholder={props.placeholder}>
          {value}
        </textarea>
      ) : (
        <input
          {...common}
          type={type}
          value={type === "password" ? undefined : value}
          autocomplete={props.autocomplete ?? "off"}
          inputmode={props.inputmode}
          placeholder={props.placeholder}
        />
      )}
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface OptionsProps {
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen: string | undefined;
}

export const Options = ({ options, chosen }: OptionsProps): JsxNode => (
  <>
    {options.map(([value, text]) => (
      <option value={value} selected={value === chosen}>
        {text}
      </option>
    ))}
  </>
);

interface ButtonProps {
  readonly label: string;
  /** Before the label. */
  readonly icon?: IconName;
  readonly kind?: "primary" | "plain" | "danger";
  readonly name?: string;
  readonly value?: string;
}

export const Button = ({ label, icon, kind = "primary", name, value }: ButtonProps): JsxNode => (
  <button class={`button button-${kind}`} type="submit" name={name} value={value}>
    {icon && [<Icon name={icon} />, " "]}
    {label}
  </button>
);

interface LinkButtonProps extends Pick<ButtonProps, "label" | "icon" | "kind"> {
  readonly href: string;
}

/** A link that looks like a button. */
export const LinkButton = ({ href, label, icon, kind = "plain" }: LinkButtonProps): JsxNode => (
  <a class={`button button-${kind}`} href={href}>
    {icon && [<Icon name={icon} />, " "]}
    {label}
  </a>
);

interface ActionProps extends Pick<FormProps, "action" | "context" | "hidden" | "kind" | "icon"> {
  readonly label: string;
}

/** A form that is one button. */
export const Action = ({ label, kind = "plain", ...form }: ActionProps): JsxNode => (
  <Form {...form} class="action" submit={label} kind={kind} />
);

/** Links to the kinds of a form. Each kind is a page with its own fields, so that no script has to hide any. */
export const KindChoices = ({
  label,
  path,
  kinds,
  chosen,
}: {
  readonly label: string;
  readonly path: string;
  readonly kinds: readonly (readonly [name: string, title: string, text: string])[];
  readonly chosen: string;
}): JsxNode => (
  <nav class="choices" aria-label={label}>
    {kinds.map(([name, title, text]) => (
      <a class="choice" href={`${path}?kind=${name}`} aria-current={name === chosen ? "page" : undefined}>
        <strong>{title}</strong>
        <span>{text}</span>
      </a>
    ))}
  </nav>
);
