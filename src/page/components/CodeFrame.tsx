import type { ElementContent } from "hast";
import { raw } from "../../lib/jsx/raw.js";
import { fill, type Messages } from "../../lib/language/index.js";
import { classes } from "./shared/markup.js";

interface CodeFrameProps {
  readonly title?: string;
  readonly icon?: ElementContent;
  /** The name of the language for readers. */
  readonly language?: string;
  /** The lines as HTML, separated by newlines: see `linesHtml`. */
  readonly html: string;
  readonly lineCount: number;
  readonly lineNumbers?: boolean;
  readonly wrap?: boolean;
  readonly expandable?: boolean;
  readonly noCopy?: boolean;
  /** Whether some lines are in focus and the others dimmed. */
  readonly hasFocus?: boolean;
  readonly className?: string;
  readonly messages: Messages;
}

/** Shorter code is not folded. */
const minFoldedLines = 7;

/**
 * A code block: header, copy button, scrolling lines. Long blocks fold with `details`, so the whole code is in the page
 * and opens without a script.
 *
 * For the client: without `data-no-copy`, a block gets a `.code-block-copy-button`, which copies the text of its
 * `code`, except lines with `.line-remove`. Blocks with lines wider than the page get a button that sets
 * `code-block-wrap`.
 */
export function CodeFrame(props: CodeFrameProps) {
  const { title, icon, language, lineCount, messages } = props;
  const Root = title === undefined ? "div" : "figure";
  const Header = title === undefined ? "div" : "figcaption";
  const folded = props.expandable === true && lineCount >= minFoldedLines;
  return (
    <Root
      class={classes("code-block", props.wrap && "code-block-wrap", folded && "code-block-folded", props.className)}
      data-component-part="code-block-root"
      data-language={language}
      data-no-copy={props.noCopy}
    >
      {(title !== undefined || icon !== undefined) && (
        <Header class="code-block-header" data-component-part="code-block-header">
          {icon && (
            <span class="code-block-icon" data-component-part="code-block-header-icon">
              {icon}
            </span>
          )}
          <span class="code-block-title" data-component-part="code-block-header-filename">
            {title ?? language}
          </span>
          {title !== undefined && language !== undefined && <span class="code-block-language">{language}</span>}
        </Header>
      )}
      <div class="code-block-body">
        <pre
          class="code-block-scroll"
          tabindex={0}
          role="group"
          aria-label={title ?? (language === undefined ? messages.code : fill(messages.codeIn, language))}
        >
          <code class={classes(props.lineNumbers && "has-line-numbers", props.hasFocus && "has-focused")}>
            {raw(props.html)}
          </code>
        </pre>
      </div>
      {folded && (
        <details class="code-block-fold">
          <summary>
            <span class="code-block-more">{fill(messages.allLines, lineCount)}</span>
            <span class="code-block-less">{messages.collapse}</span>
          </summary>
        </details>
      )}
    </Root>
  );
}
