/**
 * At most `length` UTF-16 code units, with a mark where something is missing at the end. No character is cut in two.
 */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, isHalf ? length - 1 : length)}…`;
}
