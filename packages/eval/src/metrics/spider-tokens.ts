import { significantTokens } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';

const BEFORE_A_SIGN = new Set(['=', '<', '>', '<=', '>=', '!=', '(', ',', 'between', 'and', 'like', 'in', 'limit']);

/**
 * The tokens of a statement as Spider's grammar wants them: in lower case, a qualified name as one token, a sign as part of its number,
 * any quoted text as a value that begins with a double quote.
 */
export function spiderTokens(sql: string): readonly string[] {
  const tokens: string[] = [];
  for (const { kind, text } of significantTokens(sql, sqliteDialect.lexer)) {
    const last = tokens.at(-1);
    const before = tokens.at(-2);
    if (kind === 'string' || kind === 'quotedName') tokens.push(`"${text.slice(1, -1)}"`);
    else if (text === '.' && last !== undefined && /^[\w$]+$/.test(last)) tokens[tokens.length - 1] = `${last}.`;
    else if (last?.endsWith('.') && !last.startsWith('"')) tokens[tokens.length - 1] = last + text.toLowerCase();
    else if (last === '-' && kind === 'number' && before !== undefined && BEFORE_A_SIGN.has(before))
      tokens[tokens.length - 1] = `-${text}`;
    else if (text === '<>') tokens.push('!=');
    else if (text === '==') tokens.push('=');
    else tokens.push(text.toLowerCase());
  }
  return tokens;
}
