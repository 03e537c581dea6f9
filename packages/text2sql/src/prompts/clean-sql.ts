interface Block {
  readonly language: string;
  readonly content: string;
}

/**
 * The statement in what a model wrote as SQL: without Markdown fences, trailing semicolons and blanks. Of several
 * fenced blocks the last one marked as SQL counts, because models think first and answer last. Nothing else is changed:
 * what is wrong stays wrong, and the database says so.
 */
export function cleanSql(text: string): string {
  const blocks = fencedBlocks(text);
  const marked = blocks.filter(({ language }) => /sql/i.test(language));
  const content = (marked.length > 0 ? marked : blocks).at(-1)?.content ?? text;
  return withoutEnd(content.trim());
}

/** Blocks between lines that begin with a fence; a block that nothing closes goes to the end. Linear in the text. */
function fencedBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: string; readonly language: string; readonly lines: string[] } | undefined;
  const close = (): void => {
    if (open !== undefined) blocks.push({ language: open.language, content: open.lines.join('\n') });
    open = undefined;
  };
  for (const line of text.split('\n')) {
    const start = line.trim();
    if (open !== undefined) {
      if (start.startsWith(open.fence)) close();
      else open.lines.push(line);
      continue;
    }
    const fence = ['```', '~~~'].find((mark) => start.startsWith(mark));
    if (fence === undefined) continue;
    const info = start.slice(fence.length);
    if (info.endsWith(fence)) {
      // All on one line: ```sql SELECT 1```
      const inner = info.slice(0, -fence.length);
      const language = /^\w*sql\w*(?=\s)/i.exec(inner)?.[0] ?? '';
      blocks.push({ language, content: inner.slice(language.length) });
    } else {
      open = { fence, language: info.trim(), lines: [] };
    }
  }
  close();
  return blocks;
}

/** A loop, because `/[;\s]+$/` takes quadratic time on long runs that are not at the end. */
function withoutEnd(sql: string): string {
  let end = sql.length;
  while (end > 0 && /[;\s]/.test(sql.charAt(end - 1))) end -= 1;
  return sql.slice(0, end);
}
