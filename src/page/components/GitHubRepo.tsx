import { component } from "./definition.js";
import { classes, controlIcon, Part } from "./shared/markup.js";
import { hasContent, hasInteractive } from "./shared/nodes.js";

const repoForm = /^(?:(?:https?:\/\/)?(?:www\.)?github\.com\/)?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/i;

/** A link to a repository on GitHub, without numbers that change daily (stars, forks). */
export const githubRepo = component({
  stylesheet: "card",
  required: ["repo"],
  forms: { repo: { test: repoForm, wanted: "owner/name, such as acme/docs" } },
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
          <Part name="card-content-container">
            <Part name="card-icon">{controlIcon("repository", 20)}</Part>
            <div class="card-text">
              <Part name="card-title">
                <span class="github-repo-owner">{owner}/</span>
                {name}
              </Part>
              {hasContent(props.children) && !hasInteractive(props.children) && (
                <Part name="card-content">{props.children}</Part>
              )}
            </div>
            <Part name="card-arrow">{controlIcon("external")}</Part>
          </Part>
        </a>
        {hasInteractive(props.children) && props.children}
      </>
    );
  },
});
