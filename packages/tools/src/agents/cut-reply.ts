/**
 * A reply within so many characters. Whole lines are left out before the last one, which closes the block that holds
 * data: what is cut open could be taken for words of ours. What is missing is said in front.
 */
export function cutReply(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  let room = maxCharacters - last.length - NOTE_LENGTH;
  const kept: string[] = [];
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  // Only what is no reply of ours ends in a line that is as long.
  return [noteOf(lines.length - kept.length), ...kept, last].join('\n').slice(0, maxCharacters);
}

const noteOf = (left: number): string =>
  [
    `Lines left out at the end of the block: ${left}. The application has them, and a number of rows counts them.`,
    'Do not count or sum what is here: aggregate in SQL.',
  ].join(' ');

const NOTE_LENGTH = noteOf(1_000_000).length + 1;
