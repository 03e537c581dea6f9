import type { Random } from './random.ts';

export interface StatementParts {
  readonly from: string;
  readonly conditions: readonly string[];
  readonly groups: readonly string[];
  readonly items: readonly string[];
}

/** How somebody writes SQL: case, quotes, aliases, schemas, lines, and whether parts stand in a query of their own. */
export class Style {
  readonly random: Random;
  readonly #upper: boolean;
  readonly #quotes: boolean;
  readonly #schema: boolean;
  readonly #aliases: 'none' | 'letters' | 'words';
  readonly #lines: boolean;

  constructor(random: Random) {
    this.random = random;
    this.#upper = random.chance(0.6);
    this.#quotes = random.chance(0.15);
    this.#schema = random.chance(0.3);
    this.#aliases = random.pick(['none', 'letters', 'letters', 'words']);
    this.#lines = random.chance(0.5);
  }

  word(keyword: string): string {
    return this.#upper ? keyword.toUpperCase() : keyword;
  }

  gap(): string {
    return this.#lines ? '\n  ' : ' ';
  }

  name(name: string): string {
    return this.#quotes ? `"${name}"` : this.random.chance(0.03) ? name.toUpperCase() : name;
  }

  column(alias: string, name: string): string {
    return `${this.name(alias)}.${this.name(name)}`;
  }

  alias(table: string, taken: readonly string[]): string {
    if (this.#aliases === 'none') return table;
    const parts = table.split('_').map((part) => part.slice(0, this.#aliases === 'letters' ? 1 : 4));
    const wanted = parts.join(this.#aliases === 'letters' ? '' : '_');
    const free = ['', '2', '3', '4', '5', '6', '7']
      .map((ending) => `${wanted}${ending}`)
      .find((one) => !taken.includes(one));
    return RESERVED.has(free ?? '') ? `t_${free}` : (free ?? table);
  }

  named(table: string, alias: string): string {
    const full = this.#schema ? `${this.name('shop')}.${this.name(table)}` : this.name(table);
    return alias === table
      ? full
      : `${full} ${this.random.chance(0.3) ? `${this.word('as')} ` : ''}${this.name(alias)}`;
  }

  as(name: string): string {
    return this.random.chance(0.9) ? `${this.word('as')} ${this.name(name)}` : this.name(name);
  }

  /** The same condition, written in another way now and then. */
  condition(text: string): string {
    const { random } = this;
    if (text.endsWith(' = FALSE')) {
      const column = text.slice(0, -' = FALSE'.length);
      return random.pick([text, `NOT ${column}`, `${column} = false`, `${column} IS FALSE`]);
    }
    if (random.chance(0.2)) return `(${text})`;
    return text.includes(' <> ') && random.chance(0.3) ? text.replace(' <> ', ' != ') : text;
  }

  /** An aggregate as people dress it. */
  wrapped(text: string): string {
    const { random } = this;
    if (random.chance(0.1)) return `ROUND(${text}, 2)`;
    if (random.chance(0.06)) return `COALESCE(${text}, 0)`;
    return random.chance(0.04) ? `CAST(${text} AS numeric)` : text;
  }

  statement({ from, conditions, groups, items }: StatementParts): string {
    const { random } = this;
    const word = (keyword: string): string => this.word(keyword);
    const where = random.shuffled(conditions);
    const list = random.chance(0.8) ? [...groups, ...items] : [...items, ...groups];
    const byPosition = random.chance(0.2);
    const by = groups.map((group) => (byPosition ? String(list.indexOf(group) + 1) : group));
    const lines = [
      `${word('select')} ${list.join(this.#lines ? ',\n       ' : ', ')}`,
      `${word('from')} ${from}`,
      ...(where.length > 0 ? [`${word('where')} ${where.join(`${this.gap()}${word('and')} `)}`] : []),
      ...(groups.length > 0 && items.some((item) => /\(/.test(item)) ? [`${word('group by')} ${by.join(', ')}`] : []),
    ];
    const inner = lines.join(this.#lines ? '\n' : ' ');
    const tail = `${random.chance(0.4) ? ` ${word('order by')} ${1 + random.below(list.length)} ${word('desc')}` : ''}${
      random.chance(0.3) ? ` ${word('limit')} ${random.pick([5, 10, 20, 100])}` : ''
    }`;
    const comment = random.chance(0.1) ? `-- ${random.pick(['for the board', 'todo: check', "don't ask"])}\n` : '';
    if (random.chance(0.12))
      return `${comment}${word('with')} q ${word('as')} (${inner}) ${word('select')} * ${word('from')} q${tail}`;
    if (random.chance(0.06)) return `${comment}${word('select')} * ${word('from')} (${inner}) ${word('as')} s${tail}`;
    return `${comment}${inner}${tail}${random.chance(0.3) ? ';' : ''}`;
  }
}

const RESERVED = new Set(['or', 'in', 'as', 'on', 'is', 'to', 'cast', 'case']);
