/**
 * Where in a text an engine points, as the offset in UTF-16 code units that `statementError` wants. `character` and
 * `byte` (of UTF-8) count from 0; one behind the text is its end.
 */
export function offsetOfCharacter(sql: string, character: number): number {
  return [...sql].slice(0, character).join('').length;
}

/** As {@link offsetOfCharacter}, for an engine that counts bytes of UTF-8. */
export function offsetOfByte(sql: string, byte: number): number {
  return Buffer.from(sql).subarray(0, byte).toString().length;
}
