/**
 * At most so many characters as JSON, with `…` at the end where something is missing: in JSON, a control character
 * takes six. No character is cut in two.
 */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters && jsonLength(text) <= maxCharacters) return text;
  let length = Math.max(1, Math.floor(maxCharacters) - 3);
  while (length > 1 && jsonLength(text.slice(0, length)) > maxCharacters) length = Math.floor(length * 0.8);
  return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Characters of a value as JSON. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
