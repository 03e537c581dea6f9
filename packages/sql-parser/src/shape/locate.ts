import type { NamePart } from '@askema/sql';
import type { Token } from '../source/scan-tokens.ts';
import { type TokenRange, tokenAt } from '../source/token-table.ts';
import type { Expression, TreeName } from '../tree/tree.ts';
import { type BlockDraft, type Builder, NotLocated } from './builder.ts';

/** A name that was found: its parts as written, and the tokens that it covers. */
interface Located {
  readonly parts: readonly NamePart[];
  readonly range: TokenRange;
}

type NameUse = 'column' | 'call' | 'relation' | 'alias';

/**
 * Finds a name in the source: where the back-end says that it begins, if the tokens there agree; else the first place
 * within the range that holds it and was not found for another one.
 *
 * @throws NotLocated
 */
export function locateName(builder: Builder, name: readonly TreeName[], range: TokenRange, use: NameUse): Located {
  const first = name[0];
  if (first === undefined) throw new NotLocated(`a ${use} without a name`);
  const hinted = first.at === undefined ? undefined : tokenAt(builder.table, first.at);
  const found =
    (hinted === undefined ? undefined : (matchAt(builder, name, hinted) ?? matchChain(builder, name, hinted, use))) ??
    search(builder, name, range, use, true) ??
    search(builder, name, range, use, false);
  if (found === undefined)
    throw new NotLocated(`the ${use} ${name.map((part) => JSON.stringify(part.text.slice(0, 80))).join('.')}`);
  builder.claimed.fill(1, found.range.from, found.range.to);
  return found;
}

function search(
  builder: Builder,
  name: readonly TreeName[],
  range: TokenRange,
  use: NameUse,
  strict: boolean,
): Located | undefined {
  const { tokens } = builder.table;
  for (let index = range.from; index < range.to; index++) {
    if (builder.claimed[index] === 1 || tokens[index - 1]?.upper === '.') continue;
    const found = matchAt(builder, name, index);
    if (found === undefined || found.range.to > range.to) continue;
    const next = tokens[found.range.to]?.upper;
    if (use === 'call' && strict && next !== '(') continue;
    if (use === 'column' && (next === '(' || (strict && next === '.'))) continue;
    return found;
  }
  return undefined;
}

/** The parts of a name from one token on, with points between them. */
function matchAt(builder: Builder, name: readonly TreeName[], from: number): Located | undefined {
  const { tokens } = builder.table;
  const parts: NamePart[] = [];
  let index = from;
  for (let at = 0; at < name.length; ) {
    // Two points in a row leave the schema out (Snowflake).
    if (at > 0) {
      if (tokens[index]?.upper !== '.') return undefined;
      index++;
      if (name[at]?.text === '' && tokens[index]?.upper === '.') {
        at++;
        continue;
      }
    }
    const token = tokens[index];
    if (token === undefined) return undefined;
    const held = partsInOneToken(token, name, at);
    if (held > 0) {
      for (let part = at; part < at + held; part++)
        parts.push({
          text: held === 1 ? tokenText(token) : (name[part]?.text ?? ''),
          quoted: token.kind !== 'word',
          span: { start: token.start, end: token.end },
        });
      index++;
      at += held;
      continue;
    }
    const dashed = dashedName(builder, name[at]?.text ?? '', index);
    if (dashed === undefined) return undefined;
    parts.push(dashed.part);
    index = dashed.to;
    at++;
  }
  return { parts, range: { from, to: index } };
}

/**
 * A relation of which the back-end has lost parts in the middle (node-sql-parser): the whole name as the text has it.
 */
function matchChain(builder: Builder, name: readonly TreeName[], from: number, use: NameUse): Located | undefined {
  const { tokens } = builder.table;
  const isName = (index: number): boolean => tokens[index]?.kind === 'word' || tokens[index]?.kind === 'quoted';
  if (use !== 'relation' || !isName(from)) return undefined;
  let to = from + 1;
  while (tokens[to]?.upper === '.' && isName(to + 1)) to += 2;
  const chain = tokens.slice(from, to).filter((token) => token.upper !== '.' || token.kind === 'quoted');
  let known = 0;
  for (const token of chain) if (sameText(token.text, name[known]?.text ?? '')) known++;
  if (known < name.length || !sameText(chain.at(-1)?.text ?? '', name.at(-1)?.text ?? '')) return undefined;
  const parts = chain.map(
    ({ text, kind, start, end }): NamePart => ({ text, quoted: kind === 'quoted', span: { start, end } }),
  );
  return { parts, range: { from, to } };
}

/**
 * How many parts, from `at` on, one token holds: more than one where one pair of quotes is around several (BigQuery).
 */
function partsInOneToken(token: Token, name: readonly TreeName[], at: number): number {
  const text = tokenText(token);
  if (token.kind === 'symbol') return 0;
  if (sameText(text, name[at]?.text ?? '')) return 1;
  if (token.kind !== 'quoted' || !text.includes('.')) return 0;
  for (let count = name.length - at; count > 1; count--) {
    const joined = name.slice(at, at + count).map((part) => part.text);
    if (sameText(text, joined.join('.'))) return count;
  }
  return 0;
}

/** A plain name with dashes (BigQuery projects) is several tokens without blanks between them. */
function dashedName(
  builder: Builder,
  text: string,
  from: number,
): { readonly part: NamePart; readonly to: number } | undefined {
  const { tokens, source } = builder.table;
  const start = tokens[from]?.start;
  if (start === undefined || !text.includes('-')) return undefined;
  const end = start + text.length;
  if (!sameText(source.slice(start, end), text)) return undefined;
  for (let index = from; index < tokens.length && (tokens[index]?.start ?? end) < end; index++)
    if (tokens[index]?.end === end) return { part: { text, quoted: false, span: { start, end } }, to: index + 1 };
  return undefined;
}

/** What a token names: also a string, where an engine takes it for a name. */
function tokenText(token: Token): string {
  return token.kind === 'string' ? token.text.slice(1, -1) : token.text;
}

function sameText(a: string, b: string): boolean {
  return a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase());
}

/**
 * The opening bracket of the first sub-query within the range that was not found for another one. @throws NotLocated
 */
export function locateSubquery(builder: Builder, range: TokenRange): number {
  const { tokens, partner } = builder.table;
  for (let index = range.from; index < range.to; index++) {
    if (tokens[index]?.upper !== '(') continue;
    const close = partner[index] ?? -1;
    if (close < 0 || !isSubquery(builder, index)) continue;
    if (builder.claimed[index] === 1) {
      index = close;
      continue;
    }
    builder.claimed[index] = 1;
    return index;
  }
  throw new NotLocated('a sub-query');
}

/** Whether the brackets hold a query: its first word, or further brackets that do and are no operand. */
export function isSubquery(builder: Builder, open: number): boolean {
  const { tokens, partner } = builder.table;
  let index = open + 1;
  while (tokens[index]?.upper === '(') {
    const after = (partner[index] ?? -1) + 1;
    if (
      after <= index ||
      !/^(\)|UNION|INTERSECT|EXCEPT|MINUS|ORDER|LIMIT|OFFSET|FETCH)$/.test(tokens[after]?.upper ?? '')
    )
      return false;
    index++;
  }
  return /^(SELECT|WITH|VALUES|FROM)$/.test(tokens[index]?.upper ?? '');
}

/**
 * The item that `ORDER BY 2` or `GROUP BY 2` means: its index, also beyond the list where the block has no items of its
 * own.
 */
export function positionOf(expression: Expression, block: BlockDraft): number | undefined {
  if (expression.kind !== 'literal' || expression.type !== 'number' || !/^\d+$/.test(expression.value))
    return undefined;
  const index = Number(expression.value) - 1;
  return index >= 0 && (block.kind !== 'select' || index < Math.max(1, block.items.length) || hasStar(block))
    ? index
    : undefined;
}

function hasStar(block: BlockDraft): boolean {
  return block.items.some((item) => item.kind === 'star');
}
