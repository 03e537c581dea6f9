import { AskemaError, type ExecuteOptions, type Parameter } from '@askema/core';

/** Parameters as Bind sends them: text, whose type the server infers, and bytes. */
export function encodeParameters(parameters: ExecuteOptions['parameters']): readonly (string | Buffer | null)[] {
  if (parameters === undefined) return [];
  if (!Array.isArray(parameters))
    throw new AskemaError(
      'INPUT_INVALID',
      'PostgreSQL has no parameters by name: write $1, $2, … and give `parameters` as a list in that order.',
    );
  return (parameters as readonly Parameter[]).map(encodeParameter);
}

function encodeParameter(value: Parameter, index: number): string | Buffer | null {
  if (value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const text = String(value);
  if (text.includes('\0'))
    throw new AskemaError(
      'INPUT_INVALID',
      `Parameter ${index + 1} has a NUL character in it, which no text of PostgreSQL can hold; remove it.`,
    );
  return text;
}
