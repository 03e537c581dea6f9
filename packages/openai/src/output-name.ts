/** A name as OpenAI takes it for a schema: letters, digits, `_` and `-`, at most 64. Task ids have dots. */
export function outputName(name: string): string {
  const cleaned = name.replace(/[^a-zA-Z0-9_-]+/g, '_').slice(0, 64);
  return cleaned === '' ? 'output' : cleaned;
}
