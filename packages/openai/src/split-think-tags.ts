const OPEN = '<think>';
const CLOSE = '</think>';

/**
 * Reasoning that a local server left inside the text, as `<think>…</think>` at its very beginning, taken apart from the
 * answer. A text that never closes the tag is all reasoning.
 */
export function splitThinkTags(content: string): { readonly reasoning: string; readonly text: string } {
  const start = content.trimStart();
  if (!start.startsWith(OPEN)) return { reasoning: '', text: content };
  const end = start.indexOf(CLOSE);
  if (end < 0) return { reasoning: start.slice(OPEN.length).trim(), text: '' };
  return { reasoning: start.slice(OPEN.length, end).trim(), text: start.slice(end + CLOSE.length).trimStart() };
}

export interface ThinkDelta {
  readonly type: 'text-delta' | 'reasoning-delta';
  readonly text: string;
}

/**
 * The same for a stream: takes the content so far and returns what is new since the last call. The deltas of each kind
 * add up to what {@link splitThinkTags} makes of the whole. Call it with `done` at the end.
 */
export function thinkTagSplitter(): (content: string, done?: boolean) => readonly ThinkDelta[] {
  let sentReasoning = 0;
  let sentText = 0;
  return (content, done = false) => {
    if (!done && undecided(content)) return [];
    const { reasoning, text } = splitThinkTags(done ? content : withoutPartialTag(content));
    const deltas: ThinkDelta[] = [];
    if (reasoning.length > sentReasoning)
      deltas.push({ type: 'reasoning-delta', text: reasoning.slice(sentReasoning) });
    if (text.length > sentText) deltas.push({ type: 'text-delta', text: text.slice(sentText) });
    sentReasoning = Math.max(sentReasoning, reasoning.length);
    sentText = Math.max(sentText, text.length);
    return deltas;
  };
}

/** True while the beginning may still become the tag. */
function undecided(content: string): boolean {
  const start = content.trimStart();
  return start.length < OPEN.length && OPEN.startsWith(start);
}

/** Without a closing tag that has only begun to arrive; only inside of the tags. */
function withoutPartialTag(content: string): string {
  if (!content.trimStart().startsWith(OPEN) || content.includes(CLOSE)) return content;
  for (let length = CLOSE.length - 1; length > 0; length--)
    if (content.endsWith(CLOSE.slice(0, length))) return content.slice(0, -length);
  return content;
}
