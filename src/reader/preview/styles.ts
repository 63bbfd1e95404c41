/** Styles of the overlay's shadow tree, which keeps page and overlay from changing each other's look. */
export const overlayCss = `
:host {
  --ground: #fff; --raised: #f6f7f9; --line: #e3e5ea; --text: #1b1f27; --muted: #5d6472;
  --error: #c4281c; --error-soft: #fdecea; --warning: #96600a; --warning-soft: #fdf3dd; --good: #1a7f4b; --link: #0b62c4;
  all: initial; position: fixed; inset: auto auto 0 0; z-index: 2147483000; color-scheme: light;
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: var(--text);
}
:host(.dark) {
  --ground: #16191f; --raised: #1f232b; --line: #343a46; --text: #e9ebf0; --muted: #a3aab8;
  --error: #ff8177; --error-soft: #3a1c1c; --warning: #f3bd5d; --warning-soft: #37290f; --good: #58cf92; --link: #7db7ff;
  color-scheme: dark;
}
@media print { :host { display: none } }
* { box-sizing: border-box }
button { font: inherit; color: inherit; cursor: pointer }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.pill {
  position: fixed; left: 16px; bottom: 16px; display: flex; align-items: center; gap: 8px; max-width: calc(100vw - 32px);
  padding: 6px 12px 6px 10px; border: 1px solid var(--line); border-radius: 999px; background: var(--ground);
  box-shadow: 0 1px 2px rgb(0 0 0 / .08), 0 6px 20px rgb(0 0 0 / .12); font-size: 13px; font-weight: 550; white-space: nowrap;
}
.pill:hover { background: var(--raised) }
.dot { width: 8px; height: 8px; border-radius: 50%; background: var(--good); flex: none }
.pill.error .dot { background: var(--error) }
.pill.warning .dot { background: var(--warning) }
.pill.lost .dot { background: var(--muted) }
.count { color: var(--muted); font-weight: 450 }
.pill.error .count { color: var(--error) }
.pill.warning .count { color: var(--warning) }
.mark {
  padding: 0 8px; border-radius: 999px; background: var(--warning-soft); color: var(--warning); font-size: 12px;
  overflow: hidden; text-overflow: ellipsis;
}
.panel {
  position: fixed; left: 16px; bottom: 60px; display: flex; flex-direction: column; width: min(680px, calc(100vw - 32px));
  max-height: min(70vh, 640px); border: 1px solid var(--line); border-radius: 12px; background: var(--ground); overflow: hidden;
  box-shadow: 0 2px 4px rgb(0 0 0 / .08), 0 16px 48px rgb(0 0 0 / .22); animation: rise .14s ease-out;
}
:host(.alone) .panel { left: 50%; bottom: auto; top: 12vh; transform: translateX(-50%); animation: none }
@keyframes rise { from { opacity: 0; translate: 0 6px } }
@media (prefers-reduced-motion: reduce) { .panel { animation: none } }
.panel.error { border-top: 3px solid var(--error) }
.panel.warning { border-top: 3px solid var(--warning) }
header { display: flex; align-items: center; gap: 12px; padding: 10px 8px 10px 16px; border-bottom: 1px solid var(--line) }
h2 { flex: 1; margin: 0; font-size: 14px; font-weight: 600 }
.close { border: 0; border-radius: 6px; background: none; width: 32px; height: 32px; font-size: 20px; line-height: 1; color: var(--muted) }
.close:hover { background: var(--raised); color: var(--text) }
.body { overflow: auto; overscroll-behavior: contain; padding: 4px 16px 12px }
.note { margin: 12px 0 4px; padding: 8px 12px; border-radius: 8px; background: var(--raised); color: var(--muted) }
.note strong { color: var(--text); font-weight: 600 }
.problem { padding: 14px 0; border-bottom: 1px solid var(--line) }
.problem:last-child { border-bottom: 0 }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px }
.badge { padding: 1px 8px; border-radius: 999px; font-size: 12px; font-weight: 600; background: var(--warning-soft); color: var(--warning) }
.problem.error .badge { background: var(--error-soft); color: var(--error) }
.where, .code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 12.5px }
.where { border: 0; padding: 0; background: none; color: var(--link); text-align: start; overflow-wrap: anywhere }
.where:hover { text-decoration: underline }
.code { margin-inline-start: auto; color: var(--muted); font-size: 11.5px }
p { margin: 6px 0 0; overflow-wrap: anywhere }
pre {
  margin: 10px 0 0; padding: 8px 12px; border-radius: 8px; background: var(--raised); overflow-x: auto; line-height: 1.45; tab-size: 2;
}
.gutter { color: var(--muted) }
.caret { color: var(--warning); font-weight: 700 }
.problem.error .caret { color: var(--error) }
.fix b { font-weight: 600; color: var(--good) }
details { margin-top: 12px; border-top: 1px solid var(--line); padding-top: 10px }
.problem + details { margin-top: 0; border-top: 0 }
summary { cursor: pointer; color: var(--muted); font-weight: 550 }
ul { list-style: none; margin: 6px 0 0; padding: 0 }
li { display: flex; gap: 10px; align-items: baseline; padding: 3px 0 }
a { color: var(--link); text-decoration: none; overflow-wrap: anywhere }
a:hover { text-decoration: underline }
@media (max-width: 560px) {
  .panel, :host(.alone) .panel { left: 8px; right: 8px; bottom: 56px; top: auto; width: auto; max-height: 62vh; transform: none }
  .pill { left: 8px; bottom: 12px; max-width: calc(100vw - 16px) }
}
`;
