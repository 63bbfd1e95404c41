import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Project, StoredTurn } from "../../jobs/index.js";
import { Action, Badge, Icon, PageHead, Time } from "../parts/index.js";

interface ThreadPageProps {
  readonly threadId: string;
  readonly project: Project;
  readonly turns: readonly StoredTurn[];
  readonly csrf: string;
}

/** One conversation. Answers are shown as they were written, as text: a model or a page wrote them. */
export function ThreadPage({ threadId, project, turns, csrf }: ThreadPageProps): JsxNode {
  const path = `/console/questions/${threadId}`;
  return (
    <>
      <PageHead title="Conversation" back={["Questions", "/console/questions"]} lead={project.domain}>
        <a class="button button-plain" href={`${path}/json`}>
          Download
        </a>
        <Action action={`${path}/delete`} csrf={csrf} kind="danger">
          Delete
        </Action>
      </PageHead>
      <ol class="turns">
        {turns.map((turn) => (
          <Turn turn={turn} project={project} />
        ))}
      </ol>
    </>
  );
}

const outcomes = {
  answered: ["good", "Answered"],
  unanswered: ["warning", "Unanswered"],
  stopped: ["wait", "The reader left"],
  failed: ["bad", "Failed"],
} as const;

const callers = { web: "on a page", api: "by the API", other: "elsewhere" } as const;

function Turn({ turn, project }: { readonly turn: StoredTurn; readonly project: Project }): JsxNode {
  const { question, answer, askedAt, outcome, sources, rating, caller } = turn;
  const [kind, text] = outcomes[outcome];
  return (
    <li class="turn">
      <div class="turn-question">
        <p class="turn-text">{question}</p>
        <p class="turn-meta">
          <Time at={new Date(askedAt)} /> <span>{callers[caller]}</span>
        </p>
      </div>
      <div class="turn-answer">
        <p class="turn-text">{answer || "There was no answer."}</p>
        {sources.length > 0 && (
          <ul class="turn-sources" aria-label="Sources">
            {sources.map((source) => (
              <li>
                <Source {...source} domain={project.domain} />
              </li>
            ))}
          </ul>
        )}
        <p class="turn-meta">
          <Badge kind={kind}>{text}</Badge>
          {rating && <Badge kind={rating.helpful ? "good" : "bad"}>{rating.helpful ? "Helpful" : "Not helpful"}</Badge>}
        </p>
        {rating?.comment && (
          <blockquote class="turn-comment">
            <Icon name="questions" />
            <span>{rating.comment}</span>
          </blockquote>
        )}
      </div>
    </li>
  );
}

/** A link, if it leads to a page of the web. */
function Source({
  url,
  title,
  domain,
}: {
  readonly url: string;
  readonly title: string;
  readonly domain: string;
}): JsxNode {
  const base = `https://${domain}`;
  const target = URL.canParse(url, base) ? new URL(url, base) : undefined;
  const text = title || url;
  if (!target || !/^https?:$/.test(target.protocol)) return <span>{text}</span>;
  return (
    <a href={target.href} rel="noreferrer noopener" target="_blank">
      {text}
    </a>
  );
}
