import { ansiLexer } from '@askema/dialects';
import { parseExpression } from '../expression/parse-expression.ts';

/** A name as it stands in an expression or a source: in quotes where SQL would read it as something else. */
export function quotedName(name: string): string {
  const inQuotes = `"${name.replaceAll('"', '""')}"`;
  if (!/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name)) return inQuotes;
  try {
    return parseExpression(name, ansiLexer).kind === 'column' ? name : inQuotes;
  } catch {
    return inQuotes;
  }
}
