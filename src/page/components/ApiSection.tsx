import { component } from "./definition.js";
import { classes } from "./parts/classes.js";
import { HeadingAnchor } from "./parts/heading-anchor.js";
import { asPhrasing, hasContent, labelOf } from "./parts/nodes.js";

/** A part of an operation: its headers, its body, its responses. */
export const apiSection = component({
  props: {
    title: "label",
    /** A media type. */
    subtitle: "label",
    /** Part of another section: not in the page's outline. */
    nested: "boolean",
  },
  id: { from: ["title"], toc: ({ nested }) => (nested ? undefined : 2) },
  stylesheet: "api",
  render(props) {
    const { title, subtitle, id, messages } = props;
    const Heading = props.nested ? "h3" : "h2";
    // A nested section is not a landmark.
    const Section = props.nested ? "div" : "section";
    return (
      <Section class={classes("api-section", props.className)} aria-labelledby={props.nested ? undefined : id}>
        <div class="api-section-heading">
          <Heading class="api-section-heading-title" id={id}>
            {asPhrasing(title ?? [])}
            {id !== undefined && <HeadingAnchor id={id} label={labelOf(title)} messages={messages} />}
          </Heading>
          {hasContent(subtitle) && <p class="api-section-heading-subtitle">{asPhrasing(subtitle)}</p>}
        </div>
        {props.children}
      </Section>
    );
  },
});
