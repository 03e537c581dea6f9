/** One server-sent event, with a name where the protocol names its events. */
export function serverSentEvent(data: unknown, name?: string): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${text}\n\n`;
}

/** A text in pieces of a few characters, so that a stream has several deltas; surrogate pairs stay whole. */
export function deltasOf(text: string, length = 5): string[] {
  const characters = Array.from(text);
  const deltas: string[] = [];
  for (let start = 0; start < characters.length; start += length)
    deltas.push(characters.slice(start, start + length).join(''));
  return deltas;
}
