import type { EngineFailure } from '../protocol.ts';

/** What the engine says with `errors_as_json`; all fields are texts. */
interface EngineError {
  readonly exception_type?: unknown;
  readonly exception_message?: unknown;
  readonly position?: unknown;
  readonly candidates?: unknown;
}

/**
 * Reads an error of the driver. With `errors_as_json` the engine gives its parts; without it, the text begins with the
 * kind.
 */
export function failureOf(thrown: unknown): EngineFailure {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const at = text.indexOf('{"exception_type"');
  const parts = at < 0 ? undefined : readParts(text.slice(at));
  if (parts === undefined) {
    const [, kind = 'Unknown', message = text] = /^([A-Za-z ]{2,30}) Error: (.*)$/s.exec(text) ?? [];
    return { kind: 'engine', vendorCode: kind, message };
  }
  const position = Number(parts.position);
  const names = typeof parts.candidates === 'string' ? parts.candidates.split(',').map((name) => name.trim()) : [];
  return {
    kind: 'engine',
    vendorCode: String(parts.exception_type ?? 'Unknown'),
    message: String(parts.exception_message ?? text),
    position: Number.isSafeInteger(position) && typeof parts.position === 'string' ? position : undefined,
    names: names.filter((name) => name !== ''),
  };
}

function readParts(text: string): EngineError | undefined {
  try {
    return JSON.parse(text) as EngineError;
  } catch {
    return undefined;
  }
}
