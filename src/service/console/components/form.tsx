import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";

/** What is wrong with the fields of a form, by their names. */
export type FieldErrors = Readonly<Record<string, string>>;

interface FormProps {
  readonly action: string;
  /** `context.csrf`. A form of somebody without a session has none. */
  readonly csrf?: string;
  readonly class?: string;
  readonly children?: JsxChild;
}

/** A form that posts, with the token of the session. */
export function Form({ action, csrf, class: className = "form", children }: FormProps): JsxNode {
  return (
    <form class={className} method="post" action={action} novalidate>
      {csrf !== undefined && <input type="hidden" name="csrf" value={csrf} />}
      {children}
    </form>
  );
}

interface FieldProps {
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
  /** Makes the field a menu. */
  readonly options?: readonly (readonly [value: string, text: string])[];
  /** Makes the field as high as this many lines. */
  readonly rows?: number;
  readonly autofocus?: boolean;
}

/** A labelled field; what is wrong with it is below it, and the first wrong field has the focus. */
export function Field(props: FieldProps): JsxNode {
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
          {options.map(([each, text]) => (
            <option value={each} selected={each === value}>
              {text}
            </option>
          ))}
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

interface ButtonProps {
  readonly kind?: "primary" | "plain" | "danger";
  readonly name?: string;
  readonly value?: string;
  readonly children?: JsxChild;
}

export function Button({ kind = "primary", name, value, children }: ButtonProps): JsxNode {
  return (
    <button class={`button button-${kind}`} type="submit" name={name} value={value}>
      {children}
    </button>
  );
}

interface ActionProps extends ButtonProps {
  readonly action: string;
  readonly csrf: string;
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A form that is one button. */
export function Action({ action, csrf, fields = {}, kind = "plain", children }: ActionProps): JsxNode {
  return (
    <Form action={action} csrf={csrf} class="action">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button kind={kind}>{children}</Button>
    </Form>
  );
}
