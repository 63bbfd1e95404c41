import { component } from "./definition.js";
import { classes, controlIcon } from "./shared/markup.js";
import { hasContent, hasInteractive } from "./shared/nodes.js";

const repoForm = /^(?:(?:https?:\/\/)?(?:www\.)?github\.com\/)?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i;

/** A link to a repository on GitHub, without numbers that change daily (stars, forks). */
export const githubRepo = component({
  stylesheet: "card",
  props: {
    /** `owner/name`, or the URL of a repository. */
    repo: "text",
    variant: "text",
  },
  render(props) {
    const [, owner, name] = repoForm.exec(props.repo?.trim() ?? "") ?? [];
    if (owner === undefined || name === undefined) return <>{props.children}</>;
    return (
      <>
        <a
          class={classes("card", "github-repo", props.className)}
          id={props.id}
          href={`https://github.com/${owner}/${name}`}
          target="_blank"
          rel="noopener noreferrer"
          data-horizontal=""
          data-variant={props.variant === "flat" ? "flat" : "inset"}
        >
          <div class="card-content-container" data-component-part="card-content-container">
            <div class="card-icon" data-component-part="card-icon">
              {controlIcon("repository", 20)}
            </div>
            <div class="card-text">
              <div class="card-title" data-component-part="card-title">
                <span class="github-repo-owner">{owner}/</span>
                {name}
              </div>
              {hasContent(props.children) && !hasInteractive(props.children) && (
                <div class="card-content" data-component-part="card-content">
                  {props.children}
                </div>
              )}
            </div>
            <div class="card-arrow" data-component-part="card-arrow">
              {controlIcon("external")}
            </div>
          </div>
        </a>
        {hasInteractive(props.children) && props.children}
      </>
    );
  },
});
