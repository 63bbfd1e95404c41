/** @jsxImportSource preact */
import type { ComponentType, VNode } from "preact";
import { controlIcon, iconOf } from "./Icon.js";
import type { Say } from "./names.js";
import { childList, classes, isTrue, nodeText, type Props } from "./props.js";

const tabName = (props: Props): unknown => props["filename"] ?? props["title"] ?? props["language"] ?? props["lang"];

/** Code blocks. Buttons for copying and wrapping work as in the page. */
export const createCode = (icons: ReadonlyMap<string, string>, say: Say) => {
  const CodeBlock: ComponentType<Props> = (props) => {
    const title = (props["filename"] ?? props["title"]) as string | undefined;
    const language = (props["language"] ?? props["lang"]) as string | undefined;
    const { icon } = props;
    const text = nodeText(props["code"] ?? props.children).replace(/^\s*\n|\s+$/g, "");
    const Root = title ? "figure" : "div";
    const Header = title ? "figcaption" : "div";
    return (
      <Root
        class={classes("code-block", isTrue(props["wrap"]) && "code-block-wrap", props["className"])}
        data-component-part="code-block-root"
        data-language={language}
      >
        {!props["inGroup"] && (title || icon) && (
          <Header class="code-block-header" data-component-part="code-block-header">
            {icon && (
              <span class="code-block-icon" data-component-part="code-block-header-icon">
                {iconOf(icons, icon)}
              </span>
            )}
            <span class="code-block-title" data-component-part="code-block-header-filename">
              {title ?? language}
            </span>
            {title && language && <span class="code-block-language">{language}</span>}
          </Header>
        )}
        <div class="code-block-body">
          <button
            type="button"
            class="code-block-copy-button"
            aria-label={say("copy")}
            data-component-part="code-block-copy"
          >
            {controlIcon("copy")}
          </button>
          <pre
            class="code-block-scroll"
            tabIndex={0}
            role="group"
            aria-label={title ?? (language ? say("codeIn").replace("%", () => language) : say("code"))}
          >
            <code class={isTrue(props["lines"]) ? "has-line-numbers" : undefined}>
              {isTrue(props["lines"])
                ? text.split("\n").map((line, i) => [i > 0 && "\n", <span class="line">{line}</span>])
                : text}
            </code>
          </pre>
        </div>
      </Root>
    );
  };

  /** The sandbox wraps our component in another one, whose `ui` property is our component. */
  const isBlock = (node: unknown): boolean => {
    const { type } = node as VNode<Props>;
    return type === CodeBlock || (type as { ui?: unknown } | undefined)?.ui === CodeBlock;
  };

  /** Code blocks that are shown one at a time. Tabs work as in the page. */
  const CodeGroup = ({ children, className, id }: Props): VNode => {
    const nodes = childList(children);
    const blocks = nodes.filter(isBlock) as VNode<Props>[];
    if (blocks.length === 0) return <>{children}</>;
    const tabs = blocks.map(({ props }, i) => ({ props, name: String(tabName(props) ?? `${say("code")} ${i + 1}`) }));
    return (
      <>
        {nodes.filter((node) => !blocks.includes(node as VNode<Props>))}
        <div class={classes("code-group", className)} id={id as string} data-tabs="" data-tab-sync="title">
          <div class="tabs-list code-group-tabs" role="tablist" data-component-part="code-group-tab-bar">
            {tabs.map(({ name, props }, i) => (
              <button
                type="button"
                role="tab"
                class="tab-button code-group-tab"
                aria-selected={i === 0}
                tabIndex={i === 0 ? 0 : -1}
                data-active={i === 0 ? "" : undefined}
                data-tab-title={name}
                data-component-part="code-group-tab"
              >
                {props["icon"] && <span class="tab-icon code-block-icon">{iconOf(icons, props["icon"])}</span>}
                {name}
              </button>
            ))}
          </div>
          {tabs.map(({ name, props }, i) => (
            <div
              role="tabpanel"
              class="tab-panel code-group-panel"
              aria-label={name}
              data-active={i === 0 ? "" : undefined}
              data-component-part="code-group-tab-content"
            >
              <p class="tab-title code-group-title">{name}</p>
              <CodeBlock {...props} inGroup />
            </div>
          ))}
        </div>
      </>
    );
  };

  return { CodeBlock, CodeGroup };
};
