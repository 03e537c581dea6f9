const TAGS = ['think', 'thinking', 'reasoning', 'thought'];

/**
 * Without the thoughts that a local server left in the text: `<think>…</think>`, also when the opening tag is missing (chat templates
 * write it into the prompt), and everything behind a tag that is never closed. A draft in there is no answer.
 */
export function stripReasoning(text: string): string {
  return TAGS.reduce((rest, tag) => stripTag(rest, `<${tag}>`, `</${tag}>`), text);
}

function stripTag(text: string, open: string, close: string): string {
  const kept: string[] = [];
  let position = 0;
  while (position < text.length) {
    const closed = text.indexOf(close, position);
    const opened = text.indexOf(open, position);
    if (closed >= 0 && (opened < 0 || closed < opened)) {
      // Closed without being opened: all before it was thought.
      kept.length = 0;
      position = closed + close.length;
      continue;
    }
    if (opened < 0) break;
    kept.push(text.slice(position, opened));
    position = closed < 0 ? text.length : closed + close.length;
  }
  kept.push(text.slice(position));
  return kept.join('');
}
