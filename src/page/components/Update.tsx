import { fragmentOf } from "../../lib/url/index.js";
import { component } from "./definition.js";
import { classes, Part } from "./shared/markup.js";
import { asPhrasing, hasContent } from "./shared/nodes.js";

/**
 * An entry of a changelog.
 *
 * For the client: `data-update-tags` is a JSON array of the tags as written; absent if there are none.
 */
export const update = component({
  stylesheet: "changelog",
  props: { label: "label", description: "content", tags: "list" },
  id: { from: ["label"], toc: 2 },
  otherProps: ["rss"],
  required: ["label"],
  render(props) {
    const labelled = hasContent(props.label);
    const labelId = labelled && props.id !== undefined ? `label::${props.id}` : undefined;
    const tags = props.tags ?? [];
    return (
      <section
        class={classes("update", props.className)}
        id={props.id}
        aria-labelledby={labelId}
        data-update-tags={tags.length > 0 ? JSON.stringify(tags) : undefined}
      >
        <div class="update-header">
          {labelled && (
            <h2 class="update-label" id={labelId} data-component-part="update-label">
              {props.id === undefined ? (
                asPhrasing(props.label!)
              ) : (
                <a href={fragmentOf(props.id)}>{asPhrasing(props.label!)}</a>
              )}
            </h2>
          )}
          {hasContent(props.description) && <Part name="update-description">{props.description}</Part>}
          {tags.length > 0 && (
            <ul class="update-tag-list" role="list" data-component-part="update-tag-list">
              {tags.map((tag) => (
                <li class="update-tag" data-component-part="update-tag">
                  {tag}
                </li>
              ))}
            </ul>
          )}
        </div>
        <Part name="update-content">{props.children}</Part>
      </section>
    );
  },
});
