import { foldName } from '@askema/core';
import { nameOfToken, type Token, tokenize } from '../sql/tokens.ts';

/** What only the text of CREATE TABLE tells, because SQLite has no pragma for it. */
export interface TableDefinition {
  /** Expressions of CHECK, without the outer parentheses. */
  readonly checks: readonly string[];
  /** By folded column name. */
  readonly collations: ReadonlyMap<string, string>;
  /** A comment on the line of a column's definition, or on lines of its own above it; by folded column name. */
  readonly comments: ReadonlyMap<string, string>;
  /** A comment on the line that opens the list of columns. */
  readonly comment: string | undefined;
}

/** Comments are for people and prompts; nobody needs a longer one. */
const COMMENT_CHARACTERS = 500;

const TABLE_CONSTRAINTS = ['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN'];

/** One column or constraint between two commas. */
interface Item {
  readonly tokens: Token[];
  readonly comments: Token[];
}

/** Reads a CREATE TABLE as SQLite stores it; undefined when its list of columns cannot be found. */
export function readTableDefinition(sql: string): TableDefinition | undefined {
  const parts = splitItems(sql);
  if (parts === undefined) return undefined;
  const checks: string[] = [];
  const collations = new Map<string, string>();
  const comments = new Map<string, string>();
  // Most tables have neither, and one look at the text is cheaper than one at each token.
  const hasChecks = /check/i.test(sql);
  const hasCollations = /collate/i.test(sql);
  for (const { tokens, comments: own } of parts.items) {
    if (hasChecks) checks.push(...checksOf(tokens, sql));
    const collation = hasCollations ? nameAfter(tokens, 'COLLATE') : undefined;
    const comment = commentText(own);
    const column = collation === undefined && comment === undefined ? undefined : columnOf(tokens);
    if (column === undefined) continue;
    if (collation !== undefined) collations.set(column, collation);
    if (comment !== undefined) comments.set(column, comment);
  }
  return { checks, collations, comments, comment: commentText(parts.comments) };
}

/** Splits what stands between the outer parentheses, and gives every comment to whom it stands next to. */
function splitItems(sql: string): { readonly items: readonly Item[]; readonly comments: readonly Token[] } | undefined {
  const items: Item[] = [];
  const comments: Token[] = [];
  let above: Token[] = [];
  let item: Item | undefined;
  let depth = 0;
  let lastEnd = 0;
  for (const token of tokenize(sql)) {
    if (token.kind === 'illegal') return undefined;
    if (token.kind === 'comment') {
      if (sql.slice(lastEnd, token.start).includes('\n') && depth > 0) above.push(token);
      else (items.at(-1)?.comments ?? comments).push(token);
      continue;
    }
    lastEnd = token.end;
    if (token.text === ')') depth -= 1;
    if (depth === 0 && items.length > 0) return { items, comments };
    if (depth === 1 && token.text === ',') item = undefined;
    else if (depth > 0) {
      if (item === undefined) {
        item = { tokens: [], comments: above };
        above = [];
        items.push(item);
      }
      item.tokens.push(token);
    }
    if (token.text === '(') depth += 1;
  }
  return undefined;
}

function columnOf(tokens: readonly Token[]): string | undefined {
  const first = tokens[0];
  if (first === undefined) return undefined;
  if (first.kind === 'word' && TABLE_CONSTRAINTS.includes(first.text.toUpperCase())) return undefined;
  // SQLite takes 'name' in single quotes as well where only a name can stand.
  const name = first.kind === 'string' ? first.text.slice(1, -1).replaceAll("''", "'") : nameOfToken(first);
  return name === undefined ? undefined : foldName(name, 'insensitive');
}

function nameAfter(tokens: readonly Token[], word: string): string | undefined {
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    const next = tokens[index + 1];
    if (depth === 0 && isWord(token, word) && next !== undefined) return nameOfToken(next);
  }
  return undefined;
}

function checksOf(tokens: readonly Token[], sql: string): string[] {
  const checks: string[] = [];
  let depth = 0;
  let start: number | undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(') {
      const before = tokens[index - 1];
      if (depth === 0 && before !== undefined && isWord(before, 'CHECK')) start = token.end;
      depth += 1;
    } else if (token.text === ')') {
      depth -= 1;
      if (depth === 0 && start !== undefined) {
        checks.push(sql.slice(start, token.start).trim());
        start = undefined;
      }
    }
  }
  return checks;
}

function isWord(token: Token, word: string): boolean {
  return token.kind === 'word' && token.text.toUpperCase() === word;
}

function commentText(comments: readonly Token[]): string | undefined {
  if (comments.length === 0) return undefined;
  const text = comments
    .map(({ text }) => (text.startsWith('--') ? text.slice(2) : text.replace(/^\/\*+|\*+\/$/g, '')))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : text.slice(0, COMMENT_CHARACTERS);
}
