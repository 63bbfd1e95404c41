import type { JsxChild, JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import paths from "../icons.json" with { type: "json" };

interface PageHeadProps {
  readonly title: JsxChild;
  /** One sentence below the title. */
  readonly lead?: JsxChild;
  /** The way back: text and address. */
  readonly back?: readonly [text: string, href: string];
  /** Buttons on the other side. */
  readonly children?: JsxChild;
}

export function PageHead({ title, lead, back, children }: PageHeadProps): JsxNode {
  return (
    <header class="page-head">
      <div class="page-head-text">
        {back && (
          <a class="back" href={back[1]}>
            <Icon name="previous" />
            {back[0]}
          </a>
        )}
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="page-actions">{children}</div>}
    </header>
  );
}

interface SectionProps {
  readonly title: string;
  readonly lead?: JsxChild;
  readonly actions?: JsxChild;
  /** Puts the heading beside the content if there is room. For forms. */
  readonly wide?: boolean;
  readonly children?: JsxChild;
}

/** A part of a page with a heading. */
export function Section({ title, lead, actions, wide, children }: SectionProps): JsxNode {
  return (
    <section class={wide ? "section section-wide" : "section"}>
      <div class="section-head">
        <div>
          <h2>{title}</h2>
          {lead && <p class="hint">{lead}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What this place is for. */
  readonly children?: JsxChild;
  /** The command that fills the page. */
  readonly command?: string;
}

/** Replaces an empty list: what belongs here, and how to get it here. */
export function EmptyState({ icon, title, children, command }: EmptyStateProps): JsxNode {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {command !== undefined && <Command text={command} />}
    </div>
  );
}

/** A command for a terminal, with a button that copies it. */
export function Command({ text }: { readonly text: string }): JsxNode {
  return (
    <div class="command">
      <code>{text}</code>
      <button class="copy" type="button" data-copy={text} aria-label="Copy">
        <Icon name="copy" />
      </button>
    </div>
  );
}

/** A short text, such as an id, with a button that copies it. */
export const Copyable = ({ text }: { readonly text: string }): JsxNode => (
  <span class="copyable">
    <code>{text}</code>
    <button class="copy" type="button" data-copy={text} aria-label={`Copy ${text}`}>
      <Icon name="copy" />
    </button>
  </span>
);

interface NoticeProps {
  readonly kind?: "good" | "note" | "warning" | "bad";
  readonly children?: JsxChild;
}

export function Notice({ kind = "note", children }: NoticeProps): JsxNode {
  return (
    <div class={`notice notice-${kind}`} role={kind === "bad" ? "alert" : "status"}>
      <Icon name={kind === "good" ? "check" : "warning"} />
      <div>{children}</div>
    </div>
  );
}

const statusTexts = {
  queued: ["wait", "Queued"],
  running: ["run", "Running"],
  completed: ["good", "Completed"],
  failed: ["bad", "Failed"],
  cancelled: ["wait", "Cancelled"],
} as const;

interface BadgeProps {
  readonly kind?: "wait" | "run" | "good" | "warning" | "bad";
  readonly children?: JsxChild;
}

export const Badge = ({ kind = "wait", children }: BadgeProps): JsxNode => (
  <span class={`badge badge-${kind}`}>{children}</span>
);

/** The state of a job. */
export function StatusBadge({ status }: { readonly status: keyof typeof statusTexts }): JsxNode {
  const [kind, text] = statusTexts[status];
  return <Badge kind={kind}>{text}</Badge>;
}

interface TimeProps {
  readonly at: Date | undefined;
  /** Shown if there is no time. */
  readonly none?: string;
  /** Never as "2 hours ago". */
  readonly exact?: boolean;
}

/** A time, which the script of the page converts from UTC to the reader's zone. */
export function Time({ at, none = "never", exact }: TimeProps): JsxNode {
  if (!at) return <span class="faint">{none}</span>;
  const iso = at.toISOString();
  return (
    <time datetime={iso} data-time={exact ? "exact" : ""}>
      {`${iso.slice(0, 10)} ${iso.slice(11, exact ? 19 : 16)} UTC`}
    </time>
  );
}

export type IconName = keyof typeof paths;

/** An outline of 24 units in the colour of the text. It is hidden from screen readers: the text next to it says the same. */
export function Icon({ name }: { readonly name: IconName }): JsxNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
