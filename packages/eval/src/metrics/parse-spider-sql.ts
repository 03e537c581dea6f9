import { sqliteDialect } from '@askema/dialects';
import { significantTokens } from '@askema/sql';
import type {
  SpiderColumn,
  SpiderCondition,
  SpiderConditions,
  SpiderSchema,
  SpiderSource,
  SpiderSql,
  SpiderTerm,
  SpiderValue,
} from './spider-sql.ts';

const CLAUSES = new Set(['select', 'from', 'where', 'group', 'order', 'limit', 'intersect', 'union', 'except']);
const JOINS = new Set(['join', 'on', 'as']);
const COMPARISONS = new Set(['not', 'between', '=', '>', '<', '>=', '<=', '!=', 'in', 'like', 'is', 'exists']);
const OPERATORS = new Set(['-', '+', '*', '/']);
const AGGREGATES = new Set(['max', 'min', 'count', 'sum', 'avg']);

/** Statements within statements. */
const MAX_DEPTH = 50;

/**
 * A statement by the grammar of Spider's evaluator (process_sql.py): joins with `join … on`, aliases with `as`, values
 * that are numbers, texts, columns or statements, at most one set operator a statement. Undefined for what the grammar
 * does not know. What follows the last clause is not looked at, as there.
 */
export function parseSpiderSql(sql: string, schema: SpiderSchema): SpiderSql | undefined {
  const tokens = spiderTokens(sql);
  const aliases = new Map<string, string>();
  for (const [position, token] of tokens.entries())
    if (token === 'as') aliases.set(tokens[position + 1] ?? '', tokens[position - 1] ?? '');
  for (const table of schema.tables.keys()) {
    // An alias that is a table's name is more than the grammar can tell apart.
    if (aliases.has(table)) return undefined;
    aliases.set(table, table);
  }
  try {
    return new SpiderParser(tokens, aliases, schema).statement(0);
  } catch (thrown) {
    if (thrown instanceof NotSpider) return undefined;
    throw thrown;
  }
}

class NotSpider extends Error {}

class SpiderParser {
  readonly #tokens: readonly string[];
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #schema: SpiderSchema;
  #at = 0;

  constructor(tokens: readonly string[], aliases: ReadonlyMap<string, string>, schema: SpiderSchema) {
    this.#tokens = tokens;
    this.#aliases = aliases;
    this.#schema = schema;
  }

  statement(depth: number): SpiderSql {
    if (depth > MAX_DEPTH) throw new NotSpider();
    const isBlock = this.#accept('(');
    const start = this.#at;
    // FROM comes first: what names mean in SELECT depends on it.
    const from = this.#tokens.indexOf('from', start);
    if (from < 0) throw new NotSpider();
    this.#at = from + 1;
    const { sources, on, tables } = this.#from(depth);
    const end = this.#at;
    this.#at = start;
    const { distinct, select } = this.#select(tables);
    this.#at = end;
    const where = this.#accept('where') ? this.#conditions(tables, depth) : NONE;
    const groupBy = this.#groupBy(tables);
    const having = this.#accept('having') ? this.#conditions(tables, depth) : NONE;
    const orderBy = this.#orderBy(tables);
    const limit = this.#limit();
    this.#skipSemicolons();
    if (isBlock) this.#expect(')');
    this.#skipSemicolons();
    const operator = this.#peek();
    const sets: Record<'intersect' | 'union' | 'except', SpiderSql | null> = {
      intersect: null,
      union: null,
      except: null,
    };
    if (operator === 'intersect' || operator === 'union' || operator === 'except') {
      this.#at += 1;
      sets[operator] = this.statement(depth + 1);
    }
    return { type: 'sql', distinct, select, sources, on, where, groupBy, having, orderBy, limit, ...sets };
  }

  #from(depth: number): { sources: SpiderSource[]; on: SpiderConditions; tables: string[] } {
    const sources: SpiderSource[] = [];
    const tables: string[] = [];
    const all: SpiderCondition[] = [];
    const connectors: string[] = [];
    while (this.#at < this.#tokens.length) {
      const isBlock = this.#accept('(');
      if (this.#peek() === 'select') sources.push({ type: 'sql', sql: this.statement(depth + 1) });
      else {
        this.#accept('join');
        const table = this.#table();
        sources.push({ type: 'table', table });
        tables.push(table);
      }
      if (this.#accept('on')) {
        const on = this.#conditions(tables, depth);
        if (all.length > 0) connectors.push('and');
        all.push(...on.all);
        connectors.push(...on.connectors);
      }
      if (isBlock) this.#expect(')');
      if (this.#endsClause()) break;
    }
    return { sources, on: { all, connectors }, tables };
  }

  #table(): string {
    const table = this.#aliases.get(this.#next());
    if (table === undefined || !this.#schema.tables.has(table)) throw new NotSpider();
    if (this.#peek() === 'as') this.#at += 2;
    return table;
  }

  #select(tables: readonly string[]): Pick<SpiderSql, 'select'> & { distinct: boolean } {
    this.#expect('select');
    const distinct = this.#accept('distinct');
    const select: { aggregate: string; term: SpiderTerm }[] = [];
    while (this.#at < this.#tokens.length && !CLAUSES.has(this.#peek() ?? '')) {
      const aggregate = AGGREGATES.has(this.#peek() ?? '') ? this.#next() : 'none';
      select.push({ aggregate, term: this.#term(tables) });
      this.#accept(',');
    }
    return { distinct, select };
  }

  #conditions(tables: readonly string[], depth: number): SpiderConditions {
    const all: SpiderCondition[] = [];
    const connectors: string[] = [];
    while (this.#at < this.#tokens.length) {
      const term = this.#term(tables);
      const not = this.#accept('not');
      const operator = this.#next();
      if (!COMPARISONS.has(operator)) throw new NotSpider();
      const first = this.#value(tables, depth);
      let second: SpiderValue = null;
      if (operator === 'between') {
        this.#expect('and');
        second = this.#value(tables, depth);
      }
      all.push({ not, operator, term, first, second });
      if (this.#endsClause() || JOINS.has(this.#peek() ?? '')) break;
      const connector = this.#peek();
      if (connector === 'and' || connector === 'or') connectors.push(this.#next());
    }
    return { all, connectors };
  }

  #value(tables: readonly string[], depth: number): SpiderValue {
    const start = this.#at;
    const isBlock = this.#accept('(');
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new NotSpider();
    let value: SpiderValue;
    if (token === 'select') value = this.statement(depth + 1);
    else if (token.startsWith('"')) value = this.#next();
    else if (/^-?(?:\d|\.\d)/.test(token) && Number.isFinite(Number(token))) value = Number(this.#next());
    else {
      // Up to where a value must end, which an OR does not mark: what stands behind it is lost, as in the evaluator.
      let end = this.#at;
      while (end < this.#tokens.length && !endsValue(this.#tokens[end] ?? '')) end += 1;
      const part = new SpiderParser(this.#tokens.slice(start, end), this.#aliases, this.#schema);
      value = part.#column(tables);
      this.#at = end;
    }
    if (isBlock) this.#expect(')');
    return value;
  }

  #term(tables: readonly string[]): SpiderTerm {
    const isBlock = this.#accept('(');
    const left = this.#column(tables);
    let operator = 'none';
    let right: SpiderColumn | null = null;
    if (OPERATORS.has(this.#peek() ?? '')) {
      operator = this.#next();
      right = this.#column(tables);
    }
    if (isBlock) this.#expect(')');
    return { operator, left, right };
  }

  #column(tables: readonly string[]): SpiderColumn {
    const isBlock = this.#accept('(');
    if (AGGREGATES.has(this.#peek() ?? '')) {
      const aggregate = this.#next();
      this.#expect('(');
      const distinct = this.#accept('distinct');
      const column = this.#columnName(tables);
      this.#expect(')');
      // A bracket around an aggregate stays open for whoever opened it, as in the evaluator.
      return { aggregate, column, distinct };
    }
    const distinct = this.#accept('distinct');
    const column = this.#columnName(tables);
    if (isBlock) this.#expect(')');
    return { aggregate: 'none', column, distinct };
  }

  #columnName(tables: readonly string[]): string {
    const token = this.#next();
    if (token === '*') return '*';
    const parts = token.split('.');
    if (parts.length === 2) {
      const [alias = '', column = ''] = parts;
      const table = this.#aliases.get(alias);
      if (table !== undefined && this.#schema.tables.get(table)?.includes(column)) return `${table}.${column}`;
      throw new NotSpider();
    }
    const table = tables.find((one) => this.#schema.tables.get(one)?.includes(token));
    if (table === undefined) throw new NotSpider();
    return `${table}.${token}`;
  }

  #groupBy(tables: readonly string[]): readonly SpiderColumn[] {
    if (!this.#accept('group')) return [];
    this.#expect('by');
    const columns: SpiderColumn[] = [];
    while (this.#at < this.#tokens.length && !this.#endsClause()) {
      columns.push(this.#column(tables));
      if (!this.#accept(',')) break;
    }
    return columns;
  }

  #orderBy(tables: readonly string[]): SpiderSql['orderBy'] {
    if (!this.#accept('order')) return null;
    this.#expect('by');
    const terms: SpiderTerm[] = [];
    let direction = 'asc';
    while (this.#at < this.#tokens.length && !this.#endsClause()) {
      terms.push(this.#term(tables));
      const word = this.#peek();
      if (word === 'asc' || word === 'desc') direction = this.#next();
      if (!this.#accept(',')) break;
    }
    return { direction, terms };
  }

  #limit(): number | null {
    if (!this.#accept('limit')) return null;
    const value = this.#next();
    if (!/^-?\d+$/.test(value)) throw new NotSpider();
    return Number(value);
  }

  #skipSemicolons(): void {
    while (this.#accept(';'));
  }

  #endsClause(): boolean {
    const token = this.#peek();
    return token !== undefined && (CLAUSES.has(token) || token === ')' || token === ';');
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new NotSpider();
    this.#at += 1;
    return token;
  }

  #accept(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#accept(token)) throw new NotSpider();
  }
}

const NONE: SpiderConditions = { all: [], connectors: [] };

function endsValue(token: string): boolean {
  return token === ',' || token === ')' || token === 'and' || CLAUSES.has(token) || JOINS.has(token);
}

const BEFORE_A_SIGN = new Set(['=', '<', '>', '<=', '>=', '!=', '(', ',', 'between', 'and', 'like', 'in', 'limit']);

/**
 * The tokens of a statement as Spider's grammar wants them: in lower case, a qualified name as one token, a sign as
 * part of its number, any quoted text as a value that begins with a double quote.
 */
function spiderTokens(sql: string): readonly string[] {
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
