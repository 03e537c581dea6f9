/** A text as it stands in a definition, whatever engine it is written for later. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
