/** A fenced block of a reply: its language and its content. */
const FENCE = /(?:```|~~~)[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)(?:\n[ \t]*)?(?:```|~~~|$)/g;

/**
 * The statement in what a model wrote as SQL: without Markdown fences, trailing semicolons and blanks. Of several fenced blocks the
 * last one marked as SQL counts, because models think first and answer last. Nothing else is changed: what is wrong stays wrong,
 * and the database says so.
 */
export function cleanSql(text: string): string {
  const blocks = [...text.matchAll(FENCE)].map((match) => ({ language: match[1] ?? '', content: match[2] ?? '' }));
  const marked = blocks.filter(({ language }) => /sql/i.test(language));
  const content = (marked.length > 0 ? marked : blocks).at(-1)?.content ?? text;
  return content.trim().replace(/[;\s]+$/, '');
}
