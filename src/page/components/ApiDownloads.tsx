import { component } from "./definition.js";
import { classes } from "./parts/classes.js";

/** The files that readers can download of an API. */
export const apiDownloads = component({
  props: {
    /** Relative address of the specification as JSON. */
    spec: "text",
    /** Relative address of a Postman collection. */
    collection: "text",
  },
  stylesheet: "api",
  render({ spec, collection, className, messages }) {
    const files = [
      { href: spec, name: messages.downloadSpec },
      { href: collection, name: messages.downloadCollection },
    ];
    return (
      <p class={classes("api-downloads", className)}>
        {files
          .filter(({ href }) => href !== undefined && isOfBundle.test(href))
          .map(({ href, name }) => (
            <a href={href} download>
              {name}
            </a>
          ))}
      </p>
    );
  },
});

/** A page can write the component too. */
const isOfBundle = /^(?:\.\.\/)*[\w./-]+\.json$/;
