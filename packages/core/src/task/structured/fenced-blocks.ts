/** A fenced code block of Markdown. */
export interface FencedBlock {
  /** The first word behind the fence, in lower case; empty when there is none. */
  readonly language: string;
  readonly text: string;
  /** False when the text ended before the fence was closed. */
  readonly complete: boolean;
}

/**
 * The fenced blocks of a text, in order (CommonMark 0.31, section 4.5; indentation does not matter). A fence is closed by a line of the
 * same marks, at least as many.
 */
export function fencedBlocks(text: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { readonly fence: string; readonly language: string; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, fence = '', info = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      // Backticks in the info mean that the block is closed on its own line: that is inline code.
      if (fence !== '' && !info.includes('`')) open = { fence, language: languageOf(info), lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      blocks.push({ language: open.language, text: open.lines.join('\n'), complete: true });
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) blocks.push({ language: open.language, text: open.lines.join('\n'), complete: false });
  return blocks;
}

function languageOf(info: string): string {
  return /[A-Za-z0-9+#.-]+/.exec(info)?.[0].toLowerCase() ?? '';
}
