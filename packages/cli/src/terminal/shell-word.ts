/** A word of a command that somebody copies into a shell: in single quotes unless it is plain. */
export function shellWord(word: string): string {
  return /^[\w./:@%+~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
