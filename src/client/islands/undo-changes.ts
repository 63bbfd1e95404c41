/** Records which nodes change in an element. The returned function ends that, and undoes the changes if asked to. */
export function undoChanges(element: Element): (wanted: boolean) => void {
  const observer = new MutationObserver(() => {});
  observer.observe(element, { childList: true, subtree: true, characterDataOldValue: true });
  return (wanted) => {
    const records = observer.takeRecords();
    observer.disconnect();
    if (wanted) for (const record of records.reverse()) undo(record);
  };
}

function undo({ target, oldValue, addedNodes, removedNodes, nextSibling }: MutationRecord): void {
  if (oldValue !== null) (target as CharacterData).data = oldValue;
  for (const node of addedNodes) target.removeChild(node);
  for (const node of removedNodes) target.insertBefore(node, nextSibling);
}
