/**
 * A name of at most `maxLength` characters, cut and marked with a hash of the whole: the same in every run, different
 * for different names.
 */
export function shortName(name: string, maxLength: number): string {
  const tail = `_${hash(name)}`;
  return `${[...name].slice(0, maxLength - tail.length).join('')}${tail}`;
}

/** FNV-1a, 32 bits, as eight digits. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
