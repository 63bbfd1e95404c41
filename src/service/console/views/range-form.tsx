import type { JsxNode } from "../../../lib/jsx/jsx-runtime.js";
import type { Project } from "../../jobs/index.js";
import { dateOf } from "../days.js";
import { rangeTexts, type ViewRange } from "./view-range.js";

interface RangeFormProps {
  readonly project: Project;
  readonly projects: readonly Project[];
  readonly range: ViewRange;
}

/** Links for the usual ranges, and a form for the site and two dates. The addresses can be sent to a colleague. */
export function RangeForm({ project, projects, range }: RangeFormProps): JsxNode {
  const { domain } = project;
  return (
    <div class="filters">
      <nav class="segments" aria-label="Time">
        {rangeTexts.map(([name, text]) => (
          <a
            href={`/console/views?${new URLSearchParams({ site: domain, range: name })}`}
            aria-current={name === range.name ? "page" : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      <form class="filter range" method="get" action="/console/views">
        {projects.length > 1 ? (
          <label>
            <span>Site</span>
            <select name="site">
              {projects.map((each) => (
                <option value={each.domain} selected={each === project}>
                  {each.domain}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <input type="hidden" name="site" value={domain} />
        )}
        <label>
          <span>From</span>
          <input type="date" name="from" value={dateOf(range.first)} required />
        </label>
        <label>
          <span>Through</span>
          <input type="date" name="to" value={dateOf(range.last)} required />
        </label>
        <button class="button button-plain" type="submit">
          Show
        </button>
        <span class="hint">Days in UTC</span>
      </form>
    </div>
  );
}
