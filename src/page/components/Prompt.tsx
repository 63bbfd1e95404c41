import { fill } from "../../lib/language/index.js";
import { component } from "./definition.js";
import { markdownOf } from "./shared/markdown-text.js";
import { classes, controlIcon, Part } from "./shared/markup.js";
import { hasContent } from "./shared/nodes.js";

/** Longest prompt in a link, since browsers and servers truncate long URLs. */
const maxLinkText = 6000;

/**
 * A prompt for an AI assistant.
 *
 * For the client: a click on `[data-copy]` copies that attribute, the prompt as Markdown. For 2 s afterwards,
 * `data-copied` is on the button and its `.copy-label` says that it was copied.
 */
export const prompt = component({
  stylesheet: "prompt",
  choices: { actions: "copy cursor" },
  props: {
    description: "content",
    /** `copy`, `cursor`. */
    actions: "list",
    icon: "icon",
  },
  render(props) {
    const actions = props.actions ?? ["copy"];
    const { messages } = props;
    const text = markdownOf(props.children);
    const cursor = `https://cursor.com/link/prompt?text=${encodeURIComponent(text.toWellFormed())}`;
    return (
      <div class={classes("prompt", props.className)} id={props.id} data-prompt="">
        <Part name="prompt-header">
          <Part name="prompt-icon">{props.icon ?? controlIcon("prompt", 20)}</Part>
          <Part name="prompt-description">{hasContent(props.description) ? props.description : messages.prompt}</Part>
          <Part name="prompt-actions">
            {actions.includes("cursor") && text.length <= maxLinkText && (
              <a class="prompt-button" href={cursor} target="_blank" rel="noopener noreferrer">
                {fill(messages.openIn, "Cursor")}
              </a>
            )}
            {actions.includes("copy") && (
              <button type="button" class="prompt-button" data-copy={text}>
                {controlIcon("copy", 14)}
                <span class="copy-label">{messages.copy}</span>
              </button>
            )}
          </Part>
        </Part>
        <div
          class="prompt-content"
          tabindex={0}
          role="group"
          aria-label={messages.promptText}
          data-component-part="prompt-content"
        >
          {props.children}
        </div>
      </div>
    );
  },
});
